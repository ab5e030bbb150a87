/** @environment store */
import { expect, test } from '@jest/globals';
import { readWithin } from '../../../bot/engine/accounts/budgets.ts';
import { grantCredits, reserveCredits } from '../../../bot/engine/credits/credits.ts';
import { reachedLimit } from '../../../bot/engine/thinking/limits.ts';
import { thinkingState } from '../../../bot/engine/thinking/transcript.ts';
import { resultOf } from '../../../bot/engine/thinking/useTool.ts';
import { Account } from '../../../models/account.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();

test('the credits that are left pay for thinking to the last one', async () => {
  const accountId = nextNumber();
  const state = thinkingState.parse({ question: 'Why?', grounded: 'So.', isAnswer: true, fromLog: false });
  await runInAccount(accountId, async () => {
    await grantCredits(accountId, 500, 'grant', 'test');
    expect(await reachedLimit({ accountId, agentId: 'mdr' }, state, 499)).toBeNull();
    expect(await reachedLimit({ accountId, agentId: 'mdr' }, state, 500)).toBe('credits');
  });
});

test('an agent’s budget of the month pays for thinking to the last credit, and other agents’ does not count', async () => {
  const accountId = nextNumber();
  const state = thinkingState.parse({ question: 'Why?', grounded: 'So.', isAnswer: true, fromLog: false });
  await Account.create({ _id: accountId, name: 'Quillmere', budgets: { mdr: 100, ops: 1 } });
  const spend = async (agentId: string, amount: number) => {
    const within = await readWithin(accountId, agentId);
    await reserveCredits({ accountId, runId: agentId, agentId, channel: 'arc', within }, amount, 'test');
  };
  await runInAccount(accountId, async () => {
    await grantCredits(accountId, 5000, 'grant', 'test');
    await spend('mdr', 60);
    await spend('designer', 900);
    const reached = (agentId: string, spent: number) => reachedLimit({ accountId, agentId }, state, spent);
    expect([await reached('mdr', 39), await reached('mdr', 40), await reached('designer', 4000)]).toEqual([
      null,
      'budget',
      null,
    ]);
  });
});

test('a result is kept whole up to its limit, and one character more is cut and said', () => {
  const kept = (length: number) =>
    resultOf({ id: 'c', name: 'look', input: {} }, true, { text: 'x'.repeat(length) }).text;
  const max = LIMITS.thinking.resultCharacters;
  expect(kept(max)).toBe('x'.repeat(max));
  expect(kept(max + 1)).toBe(`${'x'.repeat(max)}\n[The rest of this result was left out. Ask for less.]`);
});
