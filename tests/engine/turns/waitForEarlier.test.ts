/** @environment store */
import { expect, jest, test } from '@jest/globals';
import { noteLeftToSweeper, waitForEarlier } from '../../../bot/engine/turns/order.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Turn } from '../../../models/turn.ts';
import { connectTurns, file, inEveryAccount, keepTurn, makeTurn } from '../../factories/turns.ts';

let conversation: ConversationRow;
connectTurns((made) => {
  ({ conversation } = made);
});

const NOW = Date.UTC(2026, 10, 1, 12);
const at = (milliseconds: number) => jest.spyOn(Date, 'now').mockReturnValue(NOW + milliseconds);
/** Whether a turn looks for earlier ones with files. */
async function isWaited(): Promise<boolean> {
  const looks = jest.spyOn(Turn, 'exists');
  await inEveryAccount(() => waitForEarlier(makeTurn(conversation), conversation));
  return looks.mock.calls.length > 0;
}

test.each([
  [0, true],
  [60_000, true],
  [60_001, false],
])('%i ms after a turn was left to the sweeper it is looked for: %s', async (milliseconds, is) => {
  at(0);
  noteLeftToSweeper(conversation);
  at(milliseconds);
  expect(await isWaited()).toBe(is);
});

test('it is waited for until it is a minute old', async () => {
  noteLeftToSweeper(conversation);
  const createdAt = new Date(Date.now() - 59_800);
  await keepTurn(makeTurn(conversation, { files: [file], createdAt }));
  expect(await inEveryAccount(() => waitForEarlier(makeTurn(conversation), conversation))).toBe(true);
  expect(Date.now() - createdAt.getTime()).toBeGreaterThanOrEqual(60_000);
});
