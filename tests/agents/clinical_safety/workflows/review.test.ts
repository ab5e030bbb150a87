/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { analyseWorkflow } from '../../../../bot/agents/clinical_safety/workflows/analyse.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeResult } from '../../../factories/analysisResult.ts';
import { makeInterrupt, makeProposal } from '../../../factories/interrupt.ts';
import { addConversation, makeStepContext } from '../../../factories/stepContext.ts';

connectTestStore();

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);

/** A stored analysis that proposes these hazards. */
async function addAnalysis(newHazards: NewHazard[], more: object = {}) {
  const runId = new Types.ObjectId();
  const kept = await inAccount(() => keepResult(accountId, runId, makeResult({ newHazards })));
  const row = {
    _id: nextNumber(),
    accountId,
    userAgentId: 3,
    runId,
    status: 'in-review',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    headline: 'The headline',
    ...kept,
    ...more,
  };
  await inAccount(() => HazardAnalysis.create(row as never));
  return row;
}

describe('a review after a withdrawn one', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => makeProposal({ id, proposedId: `H-${id}` })) as [
    NewHazard,
    NewHazard,
    NewHazard,
  ];
  /** Asks for the review of three proposals, after these decisions in the previous one. */
  async function askAfter(rows: RowDecision[], chosen: Record<string, string> = {}, decidedBy: object[] = []) {
    const conversation = await inAccount(() => addConversation(accountId));
    await inAccount(() =>
      Interrupt.create(
        makeInterrupt({
          _id: nextNumber(),
          accountId,
          conversationId: conversation._id,
          askKey: String(nextNumber()),
          interruptType: 'hazard_review',
          status: 'cancelled',
          context: { rows: [a, b, c] },
          draft: { rows, chosen, version: 1, savedAt: null, savedBy: null },
          decidedBy: decidedBy as never,
        }) as never,
      ),
    );
    const { runId } = await addAnalysis([a, b, c]);
    const { runStep } = makeStepContext({ accountId, _id: runId }, { conversation });
    const { ask } = (await inAccount(() => runStep(analyseWorkflow.steps.review?.run))) as unknown as {
      ask: { prompt: string; draft: RowDecision[]; chosen?: object; kept?: string[]; keptBy?: object[] };
    };
    return ask;
  }
  const accepted = (id: string): RowDecision => ({ id, outcome: 'accepted' });
  const ASKED = 'Please review 3 proposals for log.xlsx.';

  test('starts with the earlier decisions, and says how many there are', async () => {
    expect(await askAfter([accepted('b')])).toMatchObject({
      prompt: expect.stringMatching(
        / 1 decision is kept from the withdrawn review\. Check it before you complete this one\.$/,
      ),
      draft: [accepted('b')],
      kept: ['b'],
    });
    expect(await askAfter([accepted('a'), accepted('b')])).toMatchObject({
      prompt: expect.stringMatching(
        / 2 decisions are kept from the withdrawn review\. Check them before you complete this one\.$/,
      ),
      draft: [accepted('a'), accepted('b')],
      kept: ['a', 'b'],
    });
  });

  test('keeps who made the decisions that are kept, and nobody else', async () => {
    const decider = (id: string) => ({ id, userId: 7, name: `Bo ${id}`, at: new Date(0), via: 'teams' });
    const { keptBy } = await askAfter([accepted('b')], {}, [decider('a'), decider('b')]);
    expect(keptBy).toEqual([decider('b')]);
  });

  test('keeps the chosen match, and says nothing if nothing was decided', async () => {
    const ask = await askAfter([], { c: 'MED-08' });
    expect(ask).toMatchObject({ draft: [], chosen: { c: 'MED-08' } });
    expect(ask.prompt).toMatch(new RegExp(`^${ASKED}.* before you do\\.$`));
    expect(ask).not.toHaveProperty('kept');
    expect(await askAfter([accepted('a')])).not.toHaveProperty('chosen');
  });

  test('has one decision per proposal: the withdrawn review’s wins over an earlier rejection', async () => {
    const decidedBy = { name: 'Ada', at: new Date(0), via: 'inbox' };
    const decisions = ['a', 'b'].map((id) => ({ id, outcome: 'rejected' }));
    await addAnalysis([], { decisions, decidedBy });
    const { draft, prompt } = await askAfter([accepted('b')]);
    expect(draft).toEqual([accepted('b'), { id: 'a', outcome: 'rejected' }]);
    expect(prompt).toContain(
      ' 2 were rejected before, with the same tickets, and stay rejected unless you change them. 1 decision is kept',
    );
  });
});

test('a review is written into its own analysis, whatever others there are', async () => {
  const others = [await addAnalysis([])];
  const row = await addAnalysis([]);
  others.push(await addAnalysis([]));
  const answer = { _id: nextNumber(), userResponse: { rows: [{ id: 'a', outcome: 'accepted' }] }, resolution: null };
  const state = { analysisId: row._id, headline: 'The headline' };
  const { runStep } = makeStepContext({ accountId, _id: row.runId, state }, { answer: answer as never });
  await inAccount(() => runStep(analyseWorkflow.steps.record?.run));
  const statusOf = async (_id: number) => (await inAccount(() => HazardAnalysis.findById(_id).lean()))?.status;
  expect(await statusOf(row._id)).toBe('reviewed');
  for (const { _id } of others) expect(await statusOf(_id)).toBe('in-review');
});

test('an analysis keeps who signed its review, and no first signature under another answer', async () => {
  const sign = (userId: number, name: string, answerDigest: string) => ({
    ...{ userId, name, answerDigest, registration: `Register ${userId}`, reason: 'Read', outcome: 'answered' },
    at: new Date(),
  });
  const signersOf = async (firstSignature: object | null, signature: object | null) => {
    const row = await addAnalysis([]);
    const answer = { _id: nextNumber(), userResponse: { rows: [] }, resolution: null, firstSignature, signature };
    const state = { analysisId: row._id, headline: 'The headline' };
    const { runStep } = makeStepContext({ accountId, _id: row.runId, state }, { answer: answer as never });
    await inAccount(() => runStep(analyseWorkflow.steps.record?.run));
    const kept = await inAccount(() => HazardAnalysis.findById(row._id).lean());
    return kept?.signatures?.map(({ name, registration }) => `${name}, ${registration}`);
  };
  const [ada, bo] = [sign(1, 'Ada', 'same'), sign(2, 'Bo', 'same')];
  expect(await signersOf(ada, bo)).toEqual(['Ada, Register 1', 'Bo, Register 2']);
  expect(await signersOf(sign(1, 'Ada', 'other'), bo)).toEqual(['Bo, Register 2']);
  expect(await signersOf(null, null)).toEqual([]);
});
