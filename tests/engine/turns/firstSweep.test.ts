import { beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { ConversationRow } from '../../../models/conversation.ts';

// A process that has not swept yet, and has its store to itself.
beforeAll(() => {
  process.env.MONGODB_URI = '';
});

test('until the first sweep is done, turns of an earlier run of this process are looked for', async () => {
  const { waitForEarlier } = await import('../../../bot/engine/turns/order.ts');
  const { sweepTurns } = await import('../../../bot/engine/turns/sweepTurns.ts');
  const { Turn } = await import('../../../models/turn.ts');
  const looks = jest.spyOn(Turn, 'exists').mockResolvedValue(null as never);
  const conversation = { _id: new Types.ObjectId(), accountId: 1 } as ConversationRow;
  const turn = { _id: new Types.ObjectId(), accountId: 1, createdAt: new Date() } as never;
  await waitForEarlier(turn, conversation);
  expect(looks).toHaveBeenCalledTimes(1);
  const none = { sort: () => none, limit: () => none, lean: async () => [] };
  jest.spyOn(Turn, 'find').mockReturnValue(none as never);
  expect(await sweepTurns()).toBe(0);
  await waitForEarlier(turn, conversation);
  expect(looks).toHaveBeenCalledTimes(1);
});
