import { AppError } from '../../../models/contracts/errors.ts';
import { isUploadType } from '../../../models/contracts/files.ts';
import { defineAgent, type Route, type Scheduled } from '../../engine/agents/agent.ts';
import { requireTool } from '../../engine/workflows/requireTool.ts';
import { beginWith } from '../../engine/workflows/workflow.ts';
import { HELP } from './answers/plainAnswers.ts';
import { assessmentWorkflow, routeAssessment } from './assessment/workflow.ts';
import { calls } from './calls/index.ts';
import { complianceWorkflow, routeCompliance } from './compliance/workflow.ts';
import { contribute } from './contribute.ts';
import { demonstrate } from './demonstrate.ts';
import { assignedFindings } from './desk/assignedFindings.ts';
import { findRows } from './desk/findRows.ts';
import { newestResult } from './desk/newestResult.ts';
import { sharedEvidence } from './evidence/sharedEvidence.ts';
import { isExport, makeExport } from './export/makeExport.ts';
import { acceptFile } from './files/acceptFile.ts';
import { currentFiles } from './files/currentFiles.ts';
import { incidentWorkflow, routeIncident } from './incident/workflow.ts';
import { askedBeside, type Intent, readIntent } from './intents.ts';
import { auditSubjects } from './lives/auditSubjects.ts';
import { pageLoads } from './pageLoads.ts';
import { programTools } from './programs/analyses.ts';
import { hazardReview } from './questions/hazardReview.ts';
import { matchReview } from './questions/matchReview.ts';
import { reportCheckWorkflow, routeReportCheck } from './reportCheck/workflow.ts';
import { caseReportWorkflow, routeCaseReport } from './reports/caseReportWorkflow.ts';
import { findResultFor } from './results/findAnalysis.ts';
import { listHazards } from './results/listHazards.ts';
import { workPages } from './results/workPages.ts';
import { TOOLS } from './tools/index.ts';
import { askAgain } from './tools/records.ts';
import { closePool } from './worker/pool.ts';
import { analyseWorkflow } from './workflows/analyse.ts';
import {
  answerWorkflow,
  replyWorkflow,
  routeNewHazards,
  routeQuestion,
  routeReply,
  thinkWorkflow,
} from './workflows/answer.ts';
import { mergeWorkflow } from './workflows/merge.ts';
import { readTicketsWorkflow, routeReadTickets } from './workflows/readTickets.ts';
import { requireMergeable } from './workflows/recordedReview.ts';
import { sampleWorkflow } from './workflows/sample.ts';
import { findUnchanged, unchangedWorkflow } from './workflows/unchanged.ts';

/** The workflow for each intent. A tool that is off is said first: nothing else that is missing would help. */
const ROUTES: Record<Intent, (request: Scheduled) => Promise<Route> | Route> = {
  async analyse({ conversation, userAgent, text }) {
    requireTool(userAgent, analyseWorkflow.tool ?? null);
    const { logFileId, ticketsFileId, companyLog } = await currentFiles(conversation);
    if (!logFileId) throw new AppError('no_log');
    const state = { logFileId, ticketsFileId, fromCompany: companyLog !== null };
    return beginWith(analyseWorkflow, text, state);
  },
  async merge({ conversation, userAgent, text }) {
    requireTool(userAgent, mergeWorkflow.tool ?? null);
    const latest = await findResultFor(userAgent.accountId, conversation._id);
    if (!latest) throw new AppError('no_analysis');
    await requireMergeable(userAgent.accountId, latest._id);
    return beginWith(mergeWorkflow, text, { analysisId: latest._id });
  },
  'case-report': ({ conversation, userAgent, text }) => routeCaseReport(userAgent, conversation, text),
  incident: ({ conversation, userAgent, text }) => routeIncident(userAgent, conversation, text),
  compliance: ({ conversation, userAgent, text }) => routeCompliance(userAgent, conversation, text),
  assess: ({ userAgent, text }) => routeAssessment(userAgent, text),
  'check-report': ({ conversation, userAgent, text }) => routeReportCheck(userAgent, conversation, text),
  sample: ({ text }) => beginWith(sampleWorkflow, text, {}),
  'read-tickets': ({ userAgent, text }) => routeReadTickets(userAgent, text),
  'new-hazards': ({ conversation, text }) => routeNewHazards(conversation, text),
  help: ({ text }) => routeReply(text, HELP),
  question: ({ conversation, text }) => routeQuestion(conversation, text),
};

/** On a schedule what would find the same again is not done. */
async function routeScheduledAnalysis(due: Scheduled): Promise<Route> {
  requireTool(due.userAgent, analyseWorkflow.tool ?? null);
  const { accountId } = due.userAgent;
  const last = await findUnchanged(accountId, await currentFiles(due.conversation));
  return last
    ? beginWith(unchangedWorkflow, due.text, { analysisId: last._id, analysedAt: last.createdAt.toISOString() })
    : ROUTES.analyse(due);
}

/** The clinical safety agent, which assists the Clinical Safety Officer. */
export const clinicalSafety = defineAgent({
  id: 'clinical_safety',
  workflows: [
    analyseWorkflow,
    unchangedWorkflow,
    answerWorkflow,
    thinkWorkflow,
    replyWorkflow,
    mergeWorkflow,
    sampleWorkflow,
    readTicketsWorkflow,
    caseReportWorkflow,
    reportCheckWorkflow,
    complianceWorkflow,
    incidentWorkflow,
    assessmentWorkflow,
  ],
  questionKinds: [hazardReview, matchReview],
  calls,
  programTools,
  thinkingTools: TOOLS,
  schedules: {
    hazard_log_analysis: (due) => routeScheduledAnalysis({ ...due, text: 'Analyse my hazard log' }),
    dcb0129_compliance: (due) => ROUTES.compliance({ ...due, text: 'Write the compliance sheet' }),
    cscr_generation: (due) => ROUTES['case-report']({ ...due, text: 'Write the safety case report' }),
  },
  asksFor: (text) =>
    /^(?:sample|read-tickets|case-report|check-report|compliance|incident|assess)$/.test(readIntent(text)) ||
    (/\b(?:hazards?|logs?|tickets?|merge)\b/i.test(text) && !/^(?:question|help)$/.test(readIntent(text))),
  route: (request) => ROUTES[readIntent(request.text)](request),
  askedBeside,
  files: {
    knows: ({ fileName }) => isUploadType(fileName),
    accept: acceptFile,
    async ready(conversation) {
      const { logFileId, ticketsFileId } = await currentFiles(conversation);
      return { log: logFileId, tickets: ticketsFileId };
    },
  },
  makeExport,
  isExport,
  search: listHazards,
  find: findRows,
  newestResult,
  assignedTo: assignedFindings,
  askAgain,
  workPages,
  pageLoads,
  auditSubjects,
  contribute,
  demonstrate,
  shared: sharedEvidence,
  evaluate: async (folder) => (await import('./evaluation/evaluate.ts')).evaluate(folder),
  close: closePool,
});
