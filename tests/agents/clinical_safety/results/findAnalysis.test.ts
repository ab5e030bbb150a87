/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import {
  findCompanyResult,
  findLatestAnalysis,
  findResultFor,
  readSampleResult,
  requireAnalysis,
  workOn,
} from '../../../../bot/agents/clinical_safety/results/findAnalysis.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { announce } from '../../../../models/store/revisions.ts';
import { codeOf, connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makePlace, openPlace } from '../../../factories/turns.ts';

connectTestStore();

let accountId: number;
let day: number;
beforeEach(() => {
  accountId = nextNumber();
  day = 1;
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);

/** An analysis that is newer than those before it. @returns its id */
async function add(more: object = {}): Promise<number> {
  day += 1;
  const row = {
    _id: nextNumber(),
    accountId,
    userAgentId: 3,
    userId: 7,
    runId: new Types.ObjectId(),
    status: 'reviewed',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    resultFileId: new Types.ObjectId(),
    createdAt: new Date(Date.UTC(2026, 0, day)),
    ...more,
  };
  await inAccount(() => HazardAnalysis.create(row as never));
  announce(accountId, ['analysis']);
  return row._id;
}
const latest = (userId: number) => inAccount(async () => (await findLatestAnalysis({ accountId, userId }))?._id);
const company = () => inAccount(async () => (await findCompanyResult(accountId))?._id);
const resultFor = (conversationId: Types.ObjectId | null) =>
  inAccount(async () => (await findResultFor(accountId, conversationId))?._id);

describe('the newest analysis for a person', () => {
  test('is no colleague’s sample while there is another', async () => {
    const sample = await add({ isSample: true, userId: 8 });
    expect([await latest(7), await latest(8)]).toEqual([sample, sample]);
    const own = await add();
    expect([await latest(7), await latest(8)]).toEqual([own, own]);
    const later = await add({ isSample: true, userId: 8 });
    expect([await latest(7), await latest(8)]).toEqual([own, later]);
  });

  test('may be running, and an earlier version’s row counts as no sample', async () => {
    const running = await add({ resultFileId: null });
    await inAccount(() => HazardAnalysis.collection.updateOne({ _id: running as never }, { $unset: { isSample: 1 } }));
    expect(await latest(7)).toBe(running);
  });
});

describe('the company’s result', () => {
  test('is the newest with a result, of a sample only where there is no other', async () => {
    expect(await company()).toBeUndefined();
    const sample = await add({ isSample: true });
    expect(await company()).toBe(sample);
    const own = await add();
    await add({ resultFileId: null });
    const second = await add({ isSample: true });
    expect(await company()).toBe(own);
    expect(await inAccount(async () => (await readSampleResult(accountId))?._id)).toBe(second);
  });
});

describe('the result that a conversation works on', () => {
  test('is the one that was last made or opened in it, else the company’s', async () => {
    const [here, there] = await Promise.all([openPlace(accountId), openPlace(accountId)]);
    const first = await add();
    const second = await add();
    expect([await resultFor(here._id), await resultFor(null)]).toEqual([second, second]);
    await inAccount(() => workOn(accountId, here._id, first));
    expect([await resultFor(here._id), await resultFor(there._id)]).toEqual([first, second]);
    await inAccount(() => workOn(accountId, here._id, second));
    await inAccount(() => workOn(accountId, there._id, first));
    expect([await resultFor(here._id), await resultFor(there._id)]).toEqual([second, first]);
    const third = await add();
    expect([await resultFor(here._id), await resultFor(null)]).toEqual([second, third]);
  });

  test('is never one without a result', async () => {
    const { _id } = await openPlace(accountId);
    const first = await add();
    const running = await add({ resultFileId: null });
    await inAccount(() => workOn(accountId, _id, running));
    expect(await resultFor(_id)).toBe(first);
  });

  test('is that of the chat in a thread of a one-to-one chat, and the thread’s own first', async () => {
    const address = makePlace();
    const chat = await openPlace(accountId, address, true);
    const thread = await openPlace(accountId, { ...address, thread: '1.2' }, true);
    const [first, second, third] = [await add(), await add(), await add()];
    await inAccount(() => workOn(accountId, chat._id, first));
    expect([await resultFor(thread._id), await resultFor(null)]).toEqual([first, third]);
    await inAccount(() => workOn(accountId, thread._id, second));
    // What was made in one thread is what the chat, and a new thread of it, work on.
    const later = await openPlace(accountId, { ...address, thread: '1.3' }, true);
    expect([await resultFor(thread._id), await resultFor(chat._id), await resultFor(later._id)]).toEqual([
      second,
      second,
      second,
    ]);
    await inAccount(() => workOn(accountId, chat._id, first));
    expect([await resultFor(thread._id), await resultFor(later._id)]).toEqual([second, first]);
  });
});

test('an analysis of another account does not exist', async () => {
  const id = await add();
  expect((await inAccount(() => requireAnalysis(accountId, id)))._id).toBe(id);
  const other = nextNumber();
  expect(await codeOf(runInAccount(other, () => requireAnalysis(other, id)))).toBe('not_found');
});
