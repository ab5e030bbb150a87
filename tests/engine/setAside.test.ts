import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { arcAddress, openConversation } from '../../bot/engine/conversations/conversations.ts';
import { type Channel, channelNamed, registerChannel } from '../../bot/engine/delivery/channel.ts';
import { sweepDeliveries } from '../../bot/engine/delivery/sweepDeliveries.ts';
import { sweepConsequences } from '../../bot/engine/interrupts/applyConsequences.ts';
import { sweepTurns } from '../../bot/engine/turns/sweepTurns.ts';
import { sweepRuns } from '../../bot/engine/workflows/sweepRuns.ts';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import { nextId } from '../../models/counter.ts';
import { Delivery } from '../../models/delivery.ts';
import { Interrupt } from '../../models/interrupt.ts';
import { Message } from '../../models/message.ts';
import { Run } from '../../models/run.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
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

describe('work that crashed the process each time', () => {
  test('a run ends as failed, settles its credits and its workspace, and says so', async () => {
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

  test('a turn is given up without being processed again, and says so', async () => {
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
      eventId: randomUUID(),
      status: 'stored' as const,
      attempts: 0,
      dueAt: new Date(0),
      conversationId: conversation._id,
      clientId: null,
      createdAt: new Date(0),
    };
    await inAccount(person, () => Turn.create({ ...turn, begun: 2 }));
    await sweepTurns();
    expect(await inAccount(person, () => Turn.findById(turn._id).lean())).toMatchObject({ status: 'failed' });
    expect(await said(person)).toEqual([expect.stringContaining('I have set that message aside')]);
  });

  test('a delivery is given up, and the conversation is told where to read it', async () => {
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

  test('one consequence of an answer is set aside, and the others are applied', async () => {
    const person = await signUpReady(server);
    const conversation = await conversationOf(person);
    const { accountId, id: userId } = person.user;
    const _id = await nextId('interrupt');
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
      `Your answer to question ${_id} is kept, but the work did not continue`,
    );
  });
});

test('a turn that was refused before the crash is not processed again', async () => {
  const person = await signUpReady(server);
  const { body } = await person.browser.post('/api/arc-chat/send').send({ message: 'merge' }).expect(200);
  await messageOfKind(person, 'refused');
  await eventually(
    () => inAccount(person, () => Turn.exists({ _id: body.messageId, status: 'done' })),
    'the turn to be done',
  );
  await inAccount(person, () => Turn.updateOne({ _id: body.messageId }, { $set: { status: 'stored', text: 'help' } }));
  await sweepTurns();
  expect(await inAccount(person, () => Run.countDocuments({}))).toBe(0);
  expect(await said(person)).toHaveLength(2);
});

describe('a turn that can’t be processed', () => {
  /** A platform that never provides a file, and says when to retry. */
  const failing: Channel = {
    name: 'slack',
    surfaces: [],
    remote: false,
    say: async () => null,
    progress: () => undefined,
    ask: async () => null,
    redraw: async () => undefined,
    fetchFile: () => Promise.reject(Object.assign(new Error('ask me later'), { retryAfter: 1 })),
  };
  const registered = () => channelNamed('slack');
  let before: Channel | undefined;
  beforeAll(() => {
    before = registered();
    registerChannel(failing);
  });
  afterAll(() => {
    if (before) registerChannel(before);
  });
  afterEach(() => dangerouslyRunInEveryAccount(() => Turn.deleteMany({ status: 'stored' })));

  const store = async (person: Person, more: object = {}) => {
    const conversation = await conversationOf(person);
    const turn = {
      _id: new Types.ObjectId(),
      accountId: person.user.accountId,
      channel: 'slack' as const,
      address: conversation.address,
      speaker: { userId: person.user.id, platformId: null, name: 'Ada' },
      text: 'help',
      files: [{ fileId: 'F1', name: 'log.csv' }],
      eventId: randomUUID(),
      status: 'stored' as const,
      attempts: 0,
      dueAt: new Date(0),
      conversationId: conversation._id,
      clientId: null,
      createdAt: new Date(0),
      ...more,
    };
    await inAccount(person, () => Turn.create(turn));
    const read = () => inAccount(person, () => Turn.findById(turn._id).lean());
    const makeDue = () => inAccount(person, () => Turn.updateOne({ _id: turn._id }, { $set: { dueAt: new Date(0) } }));
    return { turn, read, makeDue };
  };

  test('is tried seven times with growing delays, then given up, and the conversation is told once', async () => {
    const person = await signUpReady(server);
    const { read, makeDue } = await store(person);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      expect(await read()).toMatchObject({ status: 'stored', attempts: attempt - 1, begun: 0 });
      const begun = Date.now();
      await sweepTurns();
      waits.push(Math.round((((await read())?.dueAt.getTime() ?? 0) - begun) / 1000));
      // Not before its time.
      await sweepTurns();
      expect((await read())?.attempts).toBe(attempt);
      await makeDue();
    }
    const seconds = [15, 30, 60, 120, 240, 480, 600];
    for (const [at, wait] of waits.entries()) expect(Math.abs(wait / (seconds[at] ?? 0) - 1)).toBeLessThan(0.35);
    expect(await read()).toMatchObject({ status: 'failed', attempts: 7 });
    await sweepTurns();
    expect((await said(person)).filter((text) => text.includes('I could not process your last message'))).toHaveLength(
      1,
    );
  });

  test('blocks no other: a later one in another conversation is answered', async () => {
    const [stuck, other] = [await signUpReady(server), await signUpReady(server)];
    const { read } = await store(stuck);
    const behind = await store(other, { files: [], createdAt: new Date(1) });
    await sweepTurns();
    expect((await read())?.attempts).toBe(1);
    await eventually(async () => (await behind.read())?.status === 'done', 'the other turn to be done');
    expect((await said(other)).join('\n')).toContain('I never set a severity');
  });

  test('that has a run already does not fetch its files or process its words again', async () => {
    const person = await signUpReady(server);
    const { turn, read } = await store(person);
    await inAccount(person, () =>
      Run.create({
        _id: new Types.ObjectId(),
        accountId: person.user.accountId,
        workflow: 'answer',
        userAgentId: 1,
        agentId: 'clinical_safety',
        startKey: `turn:${turn._id}`,
        goal: 'help',
        channel: 'slack',
        status: 'completed',
        step: 'answer',
        state: {},
      }),
    );
    await sweepTurns();
    await eventually(async () => (await read())?.status === 'done', 'the turn to be noted as done');
    expect(await read()).toMatchObject({ attempts: 0 });
    expect(await said(person)).toEqual([]);
  });
});
