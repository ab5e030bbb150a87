/** @environment store */
import { expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { finishTurn, writeFinished } from '../../../bot/engine/turns/finishTurns.ts';
import { logger } from '../../../models/logger.ts';
import { Turn } from '../../../models/turn.ts';
import { connectTurns } from '../../factories/turns.ts';

connectTurns(() => undefined);

test('turns that end within a quarter of a second are saved in one write', async () => {
  await writeFinished();
  jest.useFakeTimers();
  const written = jest.spyOn(Turn, 'updateMany');
  const ids = [new Types.ObjectId(), new Types.ObjectId()] as const;
  finishTurn(ids[0]);
  jest.advanceTimersByTime(200);
  finishTurn(ids[1]);
  jest.advanceTimersByTime(49);
  expect(written).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(written.mock.calls).toEqual([[{ _id: { $in: ids } }, { $set: { status: 'done' } }]]);
  jest.useRealTimers();
});

test('ends that can’t be saved are left to the sweeper', async () => {
  const warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
  jest.spyOn(Turn.collection, 'updateMany').mockRejectedValueOnce(new Error('lost') as never);
  finishTurn(new Types.ObjectId());
  await writeFinished();
  expect(warn.mock.calls.map(([, text]) => text)).toEqual(['turns could not be marked as done; the sweeper does it']);
});
