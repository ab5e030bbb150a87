/** @environment store */
import { expect, test } from '@jest/globals';
import { grantCredits } from '../../../bot/engine/credits/credits.ts';
import { reachedLimit } from '../../../bot/engine/thinking/limits.ts';
import { thinkingState } from '../../../bot/engine/thinking/transcript.ts';
import { resultOf } from '../../../bot/engine/thinking/useTool.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';

connectTestStore();

test('the credits that are left pay for thinking to the last one', async () => {
  const accountId = nextNumber();
  const state = thinkingState.parse({ question: 'Why?', grounded: 'So.', isAnswer: true, fromLog: false });
  await runInAccount(accountId, async () => {
    await grantCredits(accountId, 500, 'grant', 'test');
    expect(await reachedLimit(accountId, state, 499)).toBeNull();
    expect(await reachedLimit(accountId, state, 500)).toBe('credits');
  });
});

test('a result is kept whole up to its limit, and one character more is cut and said', () => {
  const kept = (length: number) =>
    resultOf({ id: 'c', name: 'look', input: {} }, true, { text: 'x'.repeat(length) }).text;
  const max = LIMITS.thinking.resultCharacters;
  expect(kept(max)).toBe('x'.repeat(max));
  expect(kept(max + 1)).toBe(`${'x'.repeat(max)}\n[The rest of this result was left out. Ask for less.]`);
});
