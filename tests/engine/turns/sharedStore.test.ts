import { beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { ConversationRow } from '../../../models/conversation.ts';

// The product reads its environment once, when it is loaded.
beforeAll(() => {
  process.env.MONGODB_URI = 'mongodb://127.0.0.1/arc';
  process.env.SESSION_SECRET = 's'.repeat(32);
  process.env.ENCRYPTION_KEY = 'a'.repeat(64);
});

test('if processes share a store, earlier turns are looked for in the store', async () => {
  const { noteFirstSweep, waitForEarlier } = await import('../../../bot/engine/turns/order.ts');
  const { Turn } = await import('../../../models/turn.ts');
  const looks = jest.spyOn(Turn, 'exists').mockResolvedValue(null as never);
  noteFirstSweep();
  const conversation = { _id: new Types.ObjectId(), accountId: 1 } as ConversationRow;
  const turn = { _id: new Types.ObjectId(), accountId: 1, createdAt: new Date() } as never;
  expect(await waitForEarlier(turn, conversation)).toBe(false);
  expect(looks).toHaveBeenCalledTimes(1);
});
