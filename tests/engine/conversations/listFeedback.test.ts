/** @environment store */
import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { listFeedback } from '../../../bot/engine/conversations/listFeedback.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { addMember, codeOf, connectTestStore } from '../../factories/account.ts';

connectTestStore();

test('judged answers are listed with what was asked before each, the latest judgement first, of one’s own companies', async () => {
  const [ada, other] = [await addMember(), await addMember()];
  const write = (accountId: number, conversationId: Types.ObjectId, text: string, more: Partial<MessageRow> = {}) =>
    runInAccount(accountId, () =>
      Message.collection.insertOne({
        ...{ _id: new Types.ObjectId(), accountId, conversationId, key: text, messageType: 'assistant', kind: 'text' },
        ...{ text, agentId: 'ops', attachments: [], card: {}, createdAt: new Date(), ...more },
      } as never),
    );
  const said = { messageType: 'user', agentId: null } as const;
  const at = (minute: number) => new Date(Date.UTC(2026, 4, 4, 9, minute));
  const [chat, next] = [new Types.ObjectId(), new Types.ObjectId()];
  await write(ada.accountId, chat, 'How many are open?', said);
  await write(ada.accountId, chat, '4 are open.', { feedback: { value: 'bad', reason: 'It is five', at: at(1) } });
  await write(ada.accountId, chat, 'And closed?', said);
  await write(ada.accountId, chat, '20 are closed.', { feedback: null });
  await write(ada.accountId, next, 'Hello.', { feedback: { value: 'good', reason: '', at: at(2) } });
  await write(other.accountId, chat, 'Not yours.', { feedback: { value: 'bad', reason: 'x', at: at(3) } });
  expect(await listFeedback(` ${ada.email.toUpperCase()} `)).toEqual([
    { value: 'good', reason: '', at: at(2), asked: null, answered: 'Hello.', agentId: 'ops' },
    {
      value: 'bad',
      reason: 'It is five',
      at: at(1),
      asked: 'How many are open?',
      answered: '4 are open.',
      agentId: 'ops',
    },
  ]);
  expect(await codeOf(listFeedback('nobody@example.org'))).toBe('not_found');
});
