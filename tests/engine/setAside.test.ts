import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { sweepDeliveries } from '../../bot/engine/delivery/sweepDeliveries.ts';
import { sweepConsequences } from '../../bot/engine/interrupts/applyConsequences.ts';
import { arcAddress, openConversation } from '../../bot/engine/turns/conversations.ts';
import { sweepTurns } from '../../bot/engine/turns/processTurn.ts';
import { sweepRuns } from '../../bot/engine/workflows/sweepRuns.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { Delivery } from '../../models/delivery.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Message } from '../../models/message.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { Turn } from '../../models/turn.ts';
import { Workspace } from '../../models/workspace.ts';
import { makeInterrupt } from '../factories/interrupt.ts';
import { eventually, messageOfKind, type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const inAccount = <T>({ user }: Person, work: () => Promise<T>) => runInAccount(user.accountId, work);
const said = async ({ browser }: Person) =>
  ((await browser.get('/api/arc-chat/history?limit=200')).body.messages as ChatMessage[]).map(({ message }) => message);
const conversationOf = (person: Person) =>
  inAccount(person, () => openConversation(person.user.accountId, arcAddress(person.user.id)));
const GONE = { owner: 'elsewhere:1:gone', until: new Date(0) };

describe('what was being worked each time the process died', () => {
  test('a run: ends as failed with its credits and its workspace settled, and says so', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/send').send({ message: 'Try it with a sample' }).expect(200);
    await messageOfKind(person, 'upload');
    await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log' }).expect(200);
    await messageOfKind(person, 'review-requested');
    const used = async () => (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;
    await eventually(
      () => inAccount(person, () => Run.exists({ workflow: 'hazard-analysis', status: 'waiting' })),
      'the run to wait',
    );
    await inAccount(person, () =>
      Run.updateOne(
        { workflow: 'hazard-analysis' },
        { $set: { status: 'ready', step: 'review', lease: GONE, attempts: 3 } },
      ),
    );
    await sweepRuns();
    const run = await inAccount(person, () => Run.findOne({ workflow: 'hazard-analysis' }).lean());
    expect(run).toMatchObject({ status: 'failed', error: expect.stringContaining('set the work aside') });
    expect(await inAccount(person, () => Workspace.findOne({ runId: run?._id }).lean())).toMatchObject({
      status: 'failed',
    });
    expect(await inAccount(person, () => Interrupt.countDocuments({ status: 'pending' }))).toBe(0);
    expect(await used()).toBe(run?.spent);
    expect((await said(person)).join('\n')).toContain('Arc stopped each time it worked on this');
  });

  test('a turn: is given up without being heard once more, and says so', async () => {
    const person = await signUpReady(server);
    const conversation = await conversationOf(person);
    const turn = {
      _id: new Types.ObjectId(),
      accountId: person.user.accountId,
      channel: 'arc' as const,
      address: conversation.address,
      speaker: { userId: person.user.id, platformId: null, name: 'Ada' },
      text: 'help',
      files: [],
      eventId: 'one',
      status: 'stored' as const,
      attempts: 0,
      dueAt: new Date(0),
      conversationId: conversation._id,
      clientId: null,
      createdAt: new Date(0),
    };
    await inAccount(person, () => Turn.create({ ...turn, begun: 2 }));
    await sweepTurns(0);
    expect(await inAccount(person, () => Turn.findById(turn._id).lean())).toMatchObject({ status: 'failed' });
    expect(await said(person)).toEqual([expect.stringContaining('I have set that message aside')]);
  });

  test('a delivery: is given up, and its conversation told where it can be read', async () => {
    const person = await signUpReady(server);
    const conversation = await conversationOf(person);
    const { accountId } = person.user;
    const [_id, messageId] = [new Types.ObjectId(), new Types.ObjectId()];
    await inAccount(person, async () => {
      const at = { accountId, conversationId: conversation._id, createdAt: new Date() };
      await Message.create({ ...at, _id: messageId, key: 'm', messageType: 'assistant', kind: 'text', text: 'x' });
      const open = { surface: 'slack' as const, status: 'due' as const, dueAt: new Date(0), begun: 2 };
      await Delivery.create({ _id, accountId, messageId, conversationId: conversation._id, key: 'd', ...open });
    });
    await sweepDeliveries();
    expect(await inAccount(person, () => Delivery.findById(_id).lean())).toMatchObject({ status: 'failed' });
    expect((await said(person)).join('\n')).toContain('A message could not be sent here. Read it in Arc');
  });

  test('a consequence: that one alone is set aside, the others are applied', async () => {
    const person = await signUpReady(server);
    const conversation = await conversationOf(person);
    const { accountId, id: userId } = person.user;
    const _id = 900_001;
    const row = makeInterrupt({
      _id,
      accountId,
      conversationId: conversation._id,
      status: 'resolved',
      answerDigest: 'digest',
      outbox: ['audit', 'resume', 'deliveries'],
      resolution: { outcome: 'approved', by: { userId, name: 'Ada' }, via: 'inbox', reason: null, at: new Date() },
    });
    await inAccount(person, () => Interrupt.create({ ...row, begun: 2 }));
    await sweepConsequences();
    expect(await inAccount(person, () => Interrupt.findById(_id).lean())).toMatchObject({
      outbox: [],
      setAside: ['resume'],
      begun: 0,
    });
    expect((await said(person)).join('\n')).toContain(
      `Your answer to question ${_id} is kept, but the work did not go on`,
    );
  });
});

test('a turn that was refused before the process died is not heard again', async () => {
  const person = await signUpReady(server);
  const { body } = await person.browser.post('/api/arc-chat/send').send({ message: 'merge' }).expect(200);
  await messageOfKind(person, 'refused');
  await eventually(
    () => inAccount(person, () => Turn.exists({ _id: body.messageId, status: 'done' })),
    'the turn to be done',
  );
  await inAccount(person, () => Turn.updateOne({ _id: body.messageId }, { $set: { status: 'stored', text: 'help' } }));
  await sweepTurns(0);
  expect(await inAccount(person, () => Run.countDocuments({}))).toBe(0);
  expect(await said(person)).toHaveLength(2);
});
