import type { readDesk as contract, NewestResult } from '../../../models/contracts/desk.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { waitsFor } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { readHiredAgents } from '../accounts/hiredAgents.ts';
import { readTrial } from '../accounts/trial.ts';
import { registeredAgent } from '../agents/registry.ts';
import { listJobs } from '../automation/jobs.ts';
import { findQuestion } from '../interrupts/listQuestions.ts';

type Desk = AnswerOf<typeof contract>;
type Listed = Pick<InterruptRow, '_id' | 'accountId' | 'requires' | 'draft' | 'firstSignature'>;

/** Pending questions, the newest first, without what they ask. */
const listPending = (accountId: number): Promise<Listed[]> =>
  Interrupt.find({ accountId, status: 'pending' }, { accountId: 1, requires: 1, draft: 1, firstSignature: 1 })
    .sort({ _id: -1 })
    .lean();

/** The question to continue with: the one whose decisions were saved last, or else the newest. */
function nextOf(answerable: readonly Listed[]): Listed | undefined {
  const savedAt = ({ draft }: Listed) => draft?.savedAt?.getTime() ?? 0;
  return [...answerable].sort((one, other) => savedAt(other) - savedAt(one))[0];
}

async function describeNext(who: Who, next: Listed | undefined): Promise<Desk['next']> {
  const question = next && (await findQuestion(who, next._id));
  if (question?.status !== 'pending') return null;
  const rows = question.view.rows?.rows;
  const decided = new Set(question.draft?.rows.map(({ id }) => id));
  return {
    interruptId: question.id,
    agentName: question.agentName,
    label: question.view.label,
    progress: rows ? { decided: rows.filter(({ id }) => decided.has(id)).length, of: rows.length } : null,
  };
}

async function readNewest(who: Who): Promise<NewestResult | null> {
  const hired = await readHiredAgents(who.accountId);
  const results = await Promise.all(hired.map((agent) => registeredAgent(agent.agentId).newestResult?.(who)));
  const [newest] = results.filter((it) => it != null).sort((one, other) => (one.at < other.at ? 1 : -1));
  return newest ?? null;
}

async function readAssigned(who: Who): Promise<Desk['assigned']> {
  const hired = await readHiredAgents(who.accountId);
  const works = await Promise.all(hired.map((agent) => registeredAgent(agent.agentId).assignedTo?.(who)));
  return works.filter((it) => it != null);
}

async function readNextRun(accountId: number): Promise<Desk['nextRun']> {
  const [jobs, trial] = await Promise.all([listJobs(accountId), readTrial(accountId)]);
  if (trial.subscriptionStatus === 'expired') return null;
  const due = jobs.flatMap(({ enabled, name, nextRunAt }) =>
    enabled && nextRunAt ? { name, at: nextRunAt.toISOString() } : [],
  );
  return due.sort((one, other) => (one.at < other.at ? -1 : 1))[0] ?? null;
}

/** What somebody who comes back needs: what waits for them, the newest result, and the next scheduled run. */
export async function readDesk(who: Who): Promise<Desk> {
  const [pending, assigned, newest, nextRun] = await Promise.all([
    listPending(who.accountId),
    readAssigned(who),
    readNewest(who),
    readNextRun(who.accountId),
  ]);
  const answerable = pending.filter((it) => waitsFor(who, it));
  return {
    waiting: answerable.length,
    waitingForOthers: pending.length - answerable.length,
    next: await describeNext(who, nextOf(answerable)),
    assigned,
    newest,
    nextRun,
  };
}
