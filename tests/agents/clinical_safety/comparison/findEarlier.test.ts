/** @environment store */
import { beforeEach, expect, test } from '@jest/globals';
import { findEarlier } from '../../../../bot/agents/clinical_safety/comparison/findEarlier.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { requireRow } from '../../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeResult } from '../../../factories/analysisResult.ts';
import { keepAnalysis } from '../../../factories/keptAnalysis.ts';

connectTestStore();

let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

/** Keeps an analysis of one log. @returns its id */
async function add({ isSample = false, account = accountId } = {}): Promise<number> {
  const _id = await keepAnalysis(account);
  await runInAccount(account, () => HazardAnalysis.updateOne({ _id }, { $set: { isSample } }));
  return _id;
}
const earlierOf = (_id: number) =>
  runInAccount(accountId, async () => {
    const row = requireRow(await HazardAnalysis.findOne({ _id }).lean());
    return (await findEarlier(row, makeResult()))?.row._id ?? null;
  });

test('the analysis before is the newest of the same log in the account', async () => {
  const [first, second, third] = [await add(), await add(), await add()];
  await add({ account: nextNumber() });
  expect([await earlierOf(third), await earlierOf(second), await earlierOf(first)]).toEqual([second, first, null]);
});

test('a sample is compared with samples alone, and the company’s log never with one', async () => {
  const [own, sample] = [await add(), await add({ isSample: true })];
  const [later, another] = [await add(), await add({ isSample: true })];
  expect([await earlierOf(later), await earlierOf(another)]).toEqual([own, sample]);
});
