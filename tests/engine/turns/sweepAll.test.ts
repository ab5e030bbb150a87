/** @environment store */
import { beforeEach, expect, jest, test } from '@jest/globals';
import { sweepAll } from '../../../bot/engine/turns/sweepAll.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { Run } from '../../../models/run.ts';
import { connectTurns, keepTurn, makeTurn, readTurn } from '../../factories/turns.ts';

let conversation: ConversationRow;
connectTurns((made) => {
  ({ conversation } = made);
});
beforeEach(() => {
  jest.spyOn(logger, 'error').mockReturnValue(undefined);
});
const left = () => keepTurn(makeTurn(conversation, { text: '', dueAt: new Date(0) }));

test('turns that nobody works on are handled', async () => {
  const turn = await left();
  await sweepAll();
  expect((await readTurn(turn)).status).toBe('done');
});

test('a failing part of the sweep does not block the others', async () => {
  const fault = new Error('the store is lost');
  jest.spyOn(Run, 'find').mockImplementation(() => {
    throw fault;
  });
  const turn = await left();
  await sweepAll();
  expect((await readTurn(turn)).status).toBe('done');
  const failed = (logger.error as jest.Mock).mock.calls.map(([told]) => (told as { sweep?: string }).sweep);
  expect(failed).toEqual(['runs', 'waiting runs']);
});
