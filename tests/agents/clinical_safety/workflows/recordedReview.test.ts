/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { analyseWorkflow } from '../../../../bot/agents/clinical_safety/workflows/analyse.ts';
import {
  requireMergeable,
  waitForRecordedReview,
} from '../../../../bot/agents/clinical_safety/workflows/recordedReview.ts';
import { registerWorkflow } from '../../../../bot/engine/workflows/workflow.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { Interrupt, type InterruptRow } from '../../../../models/interrupt.ts';
import { Run, type RunRow } from '../../../../models/run.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeResult } from '../../../factories/analysisResult.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';
import { makeRun } from '../../../factories/runs.ts';

connectTestStore();
registerWorkflow(analyseWorkflow);

const ACCEPTED: RowDecision[] = [
  { id: 'a', outcome: 'rejected' },
  { id: 'b', outcome: 'accepted' },
];
const REJECTED: RowDecision[] = [{ id: 'a', outcome: 'rejected' }];
type Given = {
  rows?: RowDecision[];
  analysis?: Partial<HazardAnalysisRow>;
  review?: Partial<InterruptRow>;
  run?: Partial<RunRow>;
};

/** An analysis whose review was answered, and whose run a crash has left before it recorded that. */
async function answered({ rows = ACCEPTED, analysis, review, run }: Given = {}) {
  const [accountId, analysisId, interruptId, runId] = [nextNumber(), nextNumber(), nextNumber(), new Types.ObjectId()];
  const result = await runInAccount(accountId, () => keepResult(accountId, runId, makeResult({})));
  const asked = {
    accountId,
    runId,
    askKey: String(interruptId),
    interruptType: 'hazard_review',
    status: 'resolved' as const,
    userResponse: { rows },
    ...review,
  };
  await runInAccount(accountId, async () => {
    await HazardAnalysis.create({
      _id: analysisId,
      accountId,
      userAgentId: 3,
      runId,
      status: 'in-review',
      logFileId: new Types.ObjectId(),
      logFileName: 'log.xlsx',
      ...result,
      ...analysis,
    } as never);
    await Interrupt.create(makeInterrupt({ _id: interruptId, ...asked }) as never);
    const state = { interruptId, analysisId, headline: 'The headline' };
    const left = { status: 'waiting' as const, step: 'record', round: 1, state };
    await Run.create(makeRun({ _id: runId, accountId, workflow: 'hazard-analysis', ...left, ...run }));
  });
  const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
  return {
    runId,
    mergeable: (account = accountId) => runInAccount(account, () => requireMergeable(account, analysisId)),
    wait: (signal = new AbortController().signal) =>
      inAccount(() => waitForRecordedReview(accountId, analysisId, signal)),
    runNow: () => inAccount(() => Run.findById(runId).lean()),
  };
}

test('an answered review can be merged before it is recorded, in its own account only', async () => {
  const { mergeable } = await answered();
  expect(await mergeable()).toMatchObject({ decisions: null });
  await expect(mergeable(nextNumber())).rejects.toMatchObject({ code: 'no_analysis' });
});

test('an answered review that edits its only row can be merged', async () => {
  const { mergeable } = await answered({ rows: [{ id: 'a', outcome: 'edited' }] });
  expect(await mergeable()).toMatchObject({ decisions: null });
});

test.each([
  ['a pending review', { review: { status: 'pending', userResponse: null } }, 'review_pending'],
  ['a withdrawn review', { review: { status: 'cancelled' } }, 'review_pending'],
  ['another question that was answered', { review: { interruptType: 'approval' } }, 'review_pending'],
  ['the answered review of another run', { review: { runId: new Types.ObjectId() } }, 'review_pending'],
  ['an answer that rejects everything', { rows: REJECTED }, 'not_available'],
  ['no result', { analysis: { resultFileId: null } }, 'no_analysis'],
] as [string, Given, string][])('%s can’t be merged', async (_, given, code) => {
  const { mergeable, wait } = await answered(given);
  await expect(mergeable()).rejects.toMatchObject({ code });
  await expect(wait()).rejects.toMatchObject({ code });
});

test('a merge resumes the run that a crash has left, and waits until it has recorded the review', async () => {
  const { wait, runNow } = await answered();
  expect(await wait()).toMatchObject({ status: 'reviewed', decisions: ACCEPTED });
  expect((await runNow())?.step).toBe('matches');
});

test('a merge of a recorded review waits for nothing, whatever became of its run', async () => {
  const { wait } = await answered({ analysis: { decisions: ACCEPTED, status: 'reviewed' }, run: { status: 'ready' } });
  expect(await wait()).toMatchObject({ decisions: ACCEPTED });
});

test('a merge of a review that could not be recorded says so', async () => {
  const { wait } = await answered({ run: { status: 'failed' } });
  await expect(wait()).rejects.toMatchObject({
    code: 'not_available',
    message: expect.stringMatching(/^The review was answered, but its decisions/),
  });
});

test('a merge that is cancelled stops waiting', async () => {
  const { wait } = await answered({ run: { status: 'ready', lease: { owner: 'other', until: new Date() } } });
  const control = new AbortController();
  const waiting = wait(control.signal);
  control.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await expect(wait(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
});
