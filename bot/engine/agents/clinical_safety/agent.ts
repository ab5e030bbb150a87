import { AppError } from '../../../../models/contracts/errors.ts';
import { HELP } from '../../hazards/answers/plainAnswers.ts';
import type { Agent, Heard, Route } from '../agent.ts';
import { acceptFile } from './acceptFile.ts';
import { routeNewHazards, routeQuestion, routeReply } from './answer.ts';
import { currentFiles } from './currentFiles.ts';
import { makeExport } from './exports.ts';
import { askedBeside, type Intent, readIntent } from './intents.ts';
import { requireMergeable } from './merge.ts';
import { findLatestResult } from './results.ts';

/** As in "Start a new analysis and withdraw question 18". */
const WITHDRAWS = /\bwithdraw question (\d{1,9})\b/i;

/** Which workflow each intent asks for. */
const ROUTES: Record<Intent, (heard: Heard) => Promise<Route> | Route> = {
  async analyse({ conversation, text }) {
    const { logFileId, ticketsFileId, companyLog } = await currentFiles(conversation);
    if (!logFileId) throw new AppError('no_log');
    const withdraws = Number(WITHDRAWS.exec(text)?.[1]) || undefined;
    return {
      workflow: 'hazard-analysis',
      goal: text,
      state: { logFileId, ticketsFileId, fromCompany: companyLog !== null },
      withdraws,
    };
  },
  async merge({ userAgent, text }) {
    const latest = await findLatestResult(userAgent.accountId);
    if (!latest) throw new AppError('no_analysis');
    await requireMergeable(userAgent.accountId, latest._id);
    return { workflow: 'hazard-merge', goal: text, state: { analysisId: latest._id } };
  },
  sample: ({ text }) => ({ workflow: 'clinical-safety-sample', goal: text, state: {} }),
  'new-hazards': ({ userAgent, text }) => routeNewHazards(userAgent.accountId, text),
  help: ({ text }) => routeReply(text, HELP),
  question: ({ userAgent, text }) => routeQuestion(userAgent.accountId, text),
};

/** The clinical safety officer's assistant. */
export const clinicalSafety: Agent = {
  id: 'clinical_safety',
  askedBeside,
  route: (heard) => ROUTES[readIntent(heard.text)](heard),
  acceptFile,
  makeExport,
};
