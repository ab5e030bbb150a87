/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { ENGINE_VERSION } from '../../../../bot/agents/clinical_safety/engineVersion.ts';
import { clinicalSafety } from '../../../../bot/agents/clinical_safety/index.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { findUnchanged, unchangedWorkflow } from '../../../../bot/agents/clinical_safety/workflows/unchanged.ts';
import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { ReadingProfile } from '../../../../models/clinical_safety/readingProfile.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeHazard, makeResult } from '../../../factories/analysisResult.ts';
import { addConversation, makeStepContext } from '../../../factories/stepContext.ts';

connectTestStore();

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const AT = new Date('2026-05-03T09:00:00Z');
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000);
const files = () => ({ logFileId: new Types.ObjectId(), ticketsFileId: new Types.ObjectId() });

async function analysed(
  of: ReturnType<typeof files>,
  change: Partial<HazardAnalysisRow> = {},
  metadata: Partial<AnalysisResult['analysisMetadata']> = {},
): Promise<number> {
  const [_id, runId] = [nextNumber(), new Types.ObjectId()];
  const made = makeResult({ hazards: [makeHazard()], findings: [] });
  const result = {
    ...made,
    analysisMetadata: {
      ...made.analysisMetadata,
      engineVersion: ENGINE_VERSION,
      modelUsed: false as const,
      ...metadata,
    },
  };
  await inAccount(async () =>
    HazardAnalysis.create({
      ...{
        _id,
        accountId,
        userAgentId: 3,
        userId: 7,
        runId,
        status: 'reviewed',
        logFileName: 'log.xlsx',
        createdAt: AT,
      },
      ...of,
      ...(await keepResult(accountId, runId, result)),
      ...change,
    } as never),
  );
  return _id;
}
const unchanged = async (of: { logFileId: Types.ObjectId | null; ticketsFileId: Types.ObjectId | null }) =>
  (await inAccount(() => findUnchanged(accountId, of)))?._id ?? null;

const profile = (change: object = {}) =>
  inAccount(
    async () =>
      (await ReadingProfile.create({
        ...{ _id: new Types.ObjectId(), accountId, key: String(nextNumber()), sheet: 'Log', fileName: 'log.xlsx' },
        ...{ chosenBy: { userId: 7, name: 'Ada' }, chosenAt: later(-1) },
        ...change,
      } as never)) as unknown as { _id: Types.ObjectId },
  );

describe('a scheduled analysis finds the same again', () => {
  test('where the log and the tickets are the same, decided on, and the rules too', async () => {
    const of = files();
    const id = await analysed(of);
    expect(await unchanged(of)).toBe(id);
    for (const status of ['complete', 'none-accepted', 'merged'] as const) {
      const other = files();
      expect(await unchanged(other)).toBeNull();
      expect(await unchanged({ ...other, logFileId: null })).toBeNull();
      expect(await analysed(other, { status }).then(() => unchanged(other))).not.toBeNull();
    }
    const without = { ...files(), ticketsFileId: null } as never;
    const bare = await analysed(without);
    expect(await unchanged(without)).toBe(bare);
  });

  test.each<[string, Partial<HazardAnalysisRow>, Partial<AnalysisResult['analysisMetadata']>]>([
    ['a review is open', { status: 'in-review' }, {}],
    ['it failed', { status: 'failed' }, {}],
    ['it has no result', { resultFileId: null }, {}],
    ['it was made with other tickets', { ticketsFileId: new Types.ObjectId() }, {}],
    ['it was made without tickets', { ticketsFileId: null }, {}],
    ['Arc’s rules are newer', {}, { engineVersion: '1.9.0' }],
    ['a language model took part', {}, { modelUsed: 'gpt' }],
  ])('not where %s', async (_, change, metadata) => {
    const of = files();
    await analysed(of, change, metadata);
    expect(await unchanged(of)).toBeNull();
  });

  test('not where something was chosen about the reading since, or what was chosen was forgotten', async () => {
    const of = files();
    const { _id: profileId } = await profile({ chosenAt: later(1) });
    const readAs = { profileId: String(profileId), by: { userId: 7, name: 'Ada' }, at: later(1), points: [] };
    const id = await analysed(of, { readAs });
    expect(await unchanged(of)).toBe(id);
    await inAccount(() => ReadingProfile.updateOne({ _id: profileId }, { $set: { isForgotten: true } }));
    expect(await unchanged(of)).toBeNull();
    await inAccount(() =>
      ReadingProfile.updateOne({ _id: profileId }, { $set: { isForgotten: false, chosenAt: later(2) } }),
    );
    expect(await unchanged(of)).toBeNull();
    const plain = files();
    const other = await analysed(plain, { createdAt: later(3) });
    expect(await unchanged(plain)).toBe(other);
    await profile({ chosenAt: later(4) });
    expect(await unchanged(plain)).toBeNull();
  });

  test('not where a decision on a match was taken back since, and not with a model that may answer otherwise', async () => {
    const of = files();
    const id = await analysed(of);
    const match = { takenBack: { userId: 7, name: 'Ada', at: later(-1) } };
    const { _id } = await inAccount(
      async () =>
        (await TicketMatch.create({
          ...{ _id: new Types.ObjectId(), accountId, ticketKey: 'T-1', hazardKey: 'H1', hazardId: 'H1', covers: true },
          ...{
            ticketDigest: 'a',
            hazardDigest: 'b',
            by: { userId: 7, name: 'Ada' },
            at: AT,
            via: 'inbox',
            interruptId: 1,
          },
          ...match,
        } as never)) as unknown as { _id: Types.ObjectId },
    );
    expect(await unchanged(of)).toBe(id);
    await inAccount(() => TicketMatch.updateOne({ _id }, { $set: { 'takenBack.at': later(1) } }));
    expect(await unchanged(of)).toBeNull();
    await inAccount(() => TicketMatch.deleteOne({ _id }));
    expect(await inAccount(() => findUnchanged(accountId, of, [{} as never]))).toBeNull();
    expect(await unchanged(of)).toBe(id);
  });

  test('of this company alone', async () => {
    const of = files();
    await analysed(of);
    accountId = nextNumber();
    expect(await unchanged(of)).toBeNull();
  });
});

test('it says so with the analysis that it would repeat, and costs nothing', async () => {
  const { said, runStep } = makeStepContext({
    accountId,
    state: { analysisId: 12, analysedAt: AT.toISOString() } as never,
  });
  const result = await inAccount(() => runStep(unchangedWorkflow.steps.tell?.run));
  expect(said[0]?.text).toMatch(
    /^Nothing has changed since analysis 12 of 3 May 2026: .+ it cost nothing\. .+\/analyses\/12$/,
  );
  expect(result).toMatchObject({ done: { output: said[0]?.text }, cost: 0 });
  expect(unchangedWorkflow.reserve).toBe(0);
});

test('a schedule says so instead of analysing; a person who asks gets an analysis', async () => {
  const of = files();
  const id = await analysed(of);
  const conversation = await inAccount(() =>
    addConversation(accountId, { files: { 'hazard-log': of.logFileId, tickets: of.ticketsFileId } }),
  );
  const userAgent = {
    accountId,
    agentId: 'clinical_safety',
    tools: [{ id: 'hazardanalysis', enabled: true }],
  } as unknown as UserAgentRow;
  const due = { text: 'Analyse my hazard log', conversation, userAgent };
  const scheduled = await inAccount(async () => clinicalSafety.schedules?.hazard_log_analysis?.(due));
  expect(scheduled).toMatchObject({ workflow: 'hazard-analysis-unchanged', state: { analysisId: id } });
  expect(await inAccount(async () => clinicalSafety.route({ ...due, messageId: 'm' }))).toMatchObject({
    workflow: 'hazard-analysis',
  });
  await inAccount(() => HazardAnalysis.updateOne({ _id: id }, { $set: { status: 'in-review' } }));
  expect(await inAccount(async () => clinicalSafety.schedules?.hazard_log_analysis?.(due))).toMatchObject({
    workflow: 'hazard-analysis',
  });
});
