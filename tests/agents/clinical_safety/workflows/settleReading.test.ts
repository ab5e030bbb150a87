/** @environment store */
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { keepProfile, readKnownProfiles } from '../../../../bot/agents/clinical_safety/profiles/profiles.ts';
import { identifyLog } from '../../../../bot/agents/clinical_safety/reading/headingKeys.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { closePool } from '../../../../bot/agents/clinical_safety/worker/pool.ts';
import { analyseWorkflow } from '../../../../bot/agents/clinical_safety/workflows/analyse.ts';
import type { ChoicePoint } from '../../../../bot/engine/questions/kinds/choices.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { ReadingProfile } from '../../../../models/clinical_safety/readingProfile.ts';
import { keepFile } from '../../../../models/files.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeChoicePoint, makeInterrupt } from '../../../factories/interrupt.ts';
import { openLog } from '../../../factories/openLog.ts';
import { makeStepContext } from '../../../factories/stepContext.ts';

connectTestStore();
afterAll(closePool);

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});
afterEach(() => {
  jest.restoreAllMocks();
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const NAME = 'Ward log.csv';
const AT = new Date(Date.UTC(2026, 4, 3));
const BO = { userId: 8, name: 'Bo' };

const addLog = (text = openLog()) =>
  inAccount(() =>
    keepFile({
      accountId,
      name: NAME,
      kind: 'hazard-log',
      key: String(nextNumber()),
      type: 'text/csv',
      bytes: Buffer.from(text),
    }),
  );
const identity = async () => identifyLog((await readLog(Buffer.from(openLog()), NAME)).table);

/** A profile of the log with one settled point. */
const addProfile = async (point: string, choice: string | null) =>
  inAccount(async () =>
    keepProfile({
      accountId,
      profileId: null,
      identity: await identity(),
      fileName: NAME,
      points: [
        { id: point, label: `${point}?`, options: [{ id: 'product', label: 'Severity times likelihood' }], choice },
      ],
      chosenBy: BO,
      chosenAt: AT,
      interruptId: nextNumber(),
    }),
  );

type Settled = {
  ask?: { prompt: string; options: unknown[]; context: { points: ChoicePoint[] } };
  next: string;
  state: { settled: unknown[] };
};
async function settle(text?: string): Promise<Settled> {
  const log = await addLog(text);
  const made = makeStepContext({ accountId, state: { logFileId: log._id, settled: [] } });
  return (await inAccount(() => made.runStep(analyseWorkflow.steps.settle?.run))) as unknown as Settled;
}

describe('a log that can be read in several ways', () => {
  const ASKED = `${NAME} can be read in more than one way. How is it meant?`;

  test('is asked about, and again where the profile of an earlier version settles something else', async () => {
    const first = await settle();
    expect(first.ask?.prompt).toBe(`${ASKED} I’ll read its next versions the same way.`);
    await addProfile('direction', 'rising');
    const again = await settle();
    expect(again.ask?.prompt).toBe(
      `${ASKED} What was chosen for an earlier version no longer settles all of it. I’ll read its next versions the same way.`,
    );
    expect(again.ask?.context.points.map(({ id }) => id)).toEqual(['scale']);
  });

  test('is answered by the name of an option only where one point is open', async () => {
    expect((await settle()).ask?.options).toEqual([
      { id: 'nhs', label: 'The NHS table (DCB0129 4.2)', action: 'choose' },
      { id: 'product', label: 'Severity times likelihood', action: 'choose' },
      { id: 'none', label: 'None of these: compare no risk', action: 'choose' },
    ]);
    const [headings = '', ...rows] = openLog().split('\n');
    const twoIds = [headings.replace('Hazard ID', 'Ref,Number'), ...rows.map((row, at) => `R${at},${row}`)];
    const { ask } = await settle(twoIds.join('\n'));
    expect(ask?.context.points.map(({ id }) => id).sort()).toEqual(['column:id', 'scale']);
    expect(ask?.options).toEqual([]);
  });

  test('is read by its own profile: not by another company’s, nor by one of a log that is less like it', async () => {
    await addProfile('scale', 'product');
    const owner = accountId;
    accountId = nextNumber();
    expect((await settle()).ask).toBeDefined();
    accountId = owner;
    const { sheet, headings } = await identity();
    // Chosen later, and so the first of the list.
    await inAccount(() =>
      ReadingProfile.create({
        accountId,
        key: 'another',
        sheet,
        headings: [...headings, 'ward#1'],
        fileName: 'Another.csv',
        points: [{ id: 'scale', label: 'scale?', options: [], choice: 'nhs' }],
        chosenBy: BO,
        chosenAt: new Date(AT.getTime() + 1),
      }),
    );
    const { next, state } = await settle();
    expect(next).toBe('analyse');
    expect(state.settled).toEqual([{ point: 'scale', choice: 'product' }]);
  });
});

test('an analysis says the choices that its log is read by, also where somebody changes them meanwhile', async () => {
  const { _id } = await addProfile('scale', 'product');
  const log = await addLog();
  const runId = new Types.ObjectId();
  const files = { logFileId: log._id, logFileName: NAME };
  await inAccount(() =>
    HazardAnalysis.create({ _id: nextNumber(), accountId, userAgentId: 3, runId, ...files } as never),
  );
  const made = makeStepContext({ accountId, _id: runId, state: { logFileId: log._id, settled: [] } });
  const points = [{ id: 'scale', label: 'scale?', options: [{ id: 'nhs', label: 'The NHS table' }], choice: 'nhs' }];
  // The profile is read, then the log is compared with it: Ann changes it in between.
  const read = ReadingProfile.find.bind(ReadingProfile) as unknown as (...given: unknown[]) => {
    lean(): Promise<unknown>;
  };
  jest.spyOn(ReadingProfile, 'find').mockImplementationOnce(((...given: unknown[]) => {
    const chain = {
      sort: () => chain,
      limit: () => chain,
      async lean() {
        const rows = await read(...given).lean();
        await ReadingProfile.updateOne({ _id, accountId }, { $set: { points, chosenBy: { userId: 9, name: 'Ann' } } });
        return rows;
      },
    };
    return chain;
  }) as never);
  const { state } = await inAccount(() => made.runStep(analyseWorkflow.steps.settle?.run));
  expect(state?.settled).toEqual([{ point: 'scale', choice: 'product' }]);
  const analysis = await inAccount(() => HazardAnalysis.findOne({ runId }).lean());
  expect(analysis?.readAs).toMatchObject({ by: BO, points: [{ answer: 'Severity times likelihood' }] });
});

describe('the answer', () => {
  /** Keeps an answer by Bo to two points, asked by a run of somebody else. */
  async function keep(first: string | null, second: string | null) {
    const log = await addLog();
    const answer = makeInterrupt({
      _id: nextNumber(),
      accountId,
      interruptType: 'choices',
      status: 'resolved',
      context: { points: [makeChoicePoint('valve', ['left', 'right']), makeChoicePoint('pipe', ['long', 'short'])] },
      userResponse: {
        choices: [
          { point: 'valve', choice: first },
          { point: 'pipe', choice: second },
        ],
      },
      resolution: { outcome: 'answered', by: BO, via: 'slack', at: AT } as never,
    });
    const state = { logFileId: log._id, asked: { profileId: null, identity: await identity() } };
    const made = makeStepContext({ accountId, userId: 7, state }, { answer });
    const result = (await inAccount(() => made.runStep(analyseWorkflow.steps.keep?.run))) as unknown as Settled;
    return { result, said: made.said };
  }

  test('is kept with who gave it and when, and settles the points of this analysis', async () => {
    const { result } = await keep('right', null);
    expect(result).toMatchObject({
      next: 'analyse',
      state: {
        settled: [
          { point: 'valve', choice: 'right' },
          { point: 'pipe', choice: null },
        ],
      },
    });
    const [profile, ...more] = await inAccount(() => ReadingProfile.find({}).lean());
    expect(more).toEqual([]);
    expect(profile).toMatchObject({ chosenBy: BO, chosenAt: AT, fileName: NAME, version: 1 });
    expect(await inAccount(() => readKnownProfiles(accountId))).toHaveLength(1);
  });

  test.each<[what: string, first: string | null, second: string | null, text: string]>([
    ['everything is known', 'left', 'long', `Thank you. I’ll read ${NAME} and its next versions that way.`],
    ['one point is known', null, 'long', `Thank you. I’ll read ${NAME} and its next versions that way.`],
    [
      'nobody knows',
      null,
      null,
      `Thank you. I’ll read ${NAME} with care: findings that rest on what isn’t settled are to check, never to fix.`,
    ],
  ])(
    'is acknowledged where %s, without the name of the file where consent withholds it',
    async (_, first, second, text) => {
      const { said } = await keep(first, second);
      expect(said).toHaveLength(1);
      expect(said[0]?.text).toBe(text);
      expect(JSON.stringify(said[0]?.derived)).toContain('I’ll carry on with the analysis.');
      expect(JSON.stringify(said[0]?.derived)).not.toContain(NAME);
    },
  );
});
