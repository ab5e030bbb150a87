/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import mongoose, { Types } from 'mongoose';
import { openConversation } from '../../../bot/engine/conversations/conversations.ts';
import { channelNamed, channelOf, registerChannel, surfacesFor } from '../../../bot/engine/delivery/channel.ts';
import { consentFor } from '../../../bot/engine/delivery/consent.ts';
import { deliverMessage, sendMessage } from '../../../bot/engine/delivery/deliverMessage.ts';
import { closeDeliveries, prepareQuestion, sendQuestion } from '../../../bot/engine/delivery/deliverQuestion.ts';
import { acceptTask } from '../../../bot/engine/delivery/deliverTask.ts';
import { deliveries, runInQueue } from '../../../bot/engine/delivery/outbox.ts';
import { PermanentError } from '../../../bot/engine/delivery/permanentError.ts';
import { say } from '../../../bot/engine/delivery/say.ts';
import { sweepDeliveries } from '../../../bot/engine/delivery/sweepDeliveries.ts';
import { Account } from '../../../models/account.ts';
import type { Address } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Delivery, type DeliveryRow } from '../../../models/delivery.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Message, type MessageRow } from '../../../models/message.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { makeChannel } from '../../fakes/channel.ts';

connectTestStore();
let accountId: number;
let platform: ReturnType<typeof makeChannel>;

beforeEach(() => {
  accountId = nextNumber();
  platform = makeChannel();
  registerChannel(platform.channel);
});

/** Runs work in every account; the code under test enters the account itself. */
const inEveryAccount = dangerouslyRunInEveryAccount;
const open = (more: Partial<Address> = {}) =>
  inEveryAccount(() =>
    openConversation(accountId, { channel: 'slack', conversation: `C${nextNumber()}`, thread: null, ...more }),
  );
const ask = async (conversation: ConversationRow | null, more: Partial<InterruptRow> = {}) => {
  const row = makeInterrupt({
    _id: nextNumber(),
    accountId,
    askKey: String(nextNumber()),
    conversationId: conversation?._id ?? null,
    ...more,
  });
  await inEveryAccount(() => Interrupt.create(row));
  return row;
};
const deliveriesOf = (row: InterruptRow) =>
  inEveryAccount(() => Delivery.find({ interruptId: row._id }).sort({ surface: 1 }).lean());
const statesOf = async (row: InterruptRow) =>
  Object.fromEntries((await deliveriesOf(row)).map(({ surface, status }) => [surface, status]));
const own = async () => await inEveryAccount(() => Delivery.find({ accountId }).sort({ _id: 1 }).lean());
const makeDue = () => inEveryAccount(() => Delivery.updateMany({ accountId }, { $set: { dueAt: new Date(0) } }));
const until = (status: DeliveryRow['status']) =>
  eventually(async () => {
    const all = await own();
    return all.every((it) => it.status === status) && all;
  }, `every delivery to be ${status}`);
const whats = () => platform.calls.map(({ what }) => what);

describe('a question’s deliveries', () => {
  test('go to the web, the channel’s own surfaces and every board', () => {
    expect(new Set(surfacesFor('slack'))).toEqual(
      new Set([...(channelNamed('arc')?.surfaces ?? ['inbox']), 'slack', 'slack-home']),
    );
    expect(surfacesFor(null)).not.toContain('slack');
    expect(surfacesFor(null)).toContain('slack-home');
    expect(surfacesFor('teams')).not.toContain('slack');
    expect([channelOf('slack'), channelOf('slack-home')]).toEqual([platform.channel, platform.channel]);
    expect(channelOf('mail')).toBeUndefined();
  });

  test('are sent after earlier messages in the conversation, and to boards at once', async () => {
    const conversation = await open();
    const row = await ask(conversation);
    const send = await inEveryAccount(() => prepareQuestion(row, conversation));
    const written = Object.fromEntries((await deliveriesOf(row)).map((it) => [it.surface, it]));
    expect(written.slack).toMatchObject({ conversationId: conversation._id, accountId, messageId: null });
    expect(written['slack-home']).toMatchObject({ conversationId: null, key: `${row._id}:slack-home` });
    expect(platform.calls).toEqual([]);
    await inEveryAccount(send);
    expect(platform.calls.map(({ what, id: asked, at }) => [what, asked, at]).sort()).toEqual([
      ['ask', row._id, 'slack'],
      ['ask', row._id, 'slack-home'],
    ]);
    expect(await statesOf(row)).toMatchObject({ slack: 'sent', 'slack-home': 'sent' });
    expect((await deliveriesOf(row)).at(-1)?.reference).toEqual({ asked: row._id });
    // Written once: preparing it again sends nothing.
    await inEveryAccount(await inEveryAccount(() => prepareQuestion(row, conversation)));
    expect(platform.calls).toHaveLength(2);
  });

  test('are shown with the conversation it was asked in, if that belongs to the channel', async () => {
    const given: (string | null)[] = [];
    platform.channel.ask = async (_question, delivery, conversation) => {
      if (delivery.surface === 'slack-home') given.push(conversation && String(conversation._id));
      return null;
    };
    const [own, elsewhere] = [await open(), await open({ channel: 'teams' })];
    const gone = { ...(await open()), _id: new Types.ObjectId() };
    for (const conversation of [own, elsewhere, null])
      await inEveryAccount(async () => (await prepareQuestion(await ask(conversation), conversation))());
    expect(given).toEqual([String(own._id), null, null]);
    // A retried delivery knows only its question.
    given.length = 0;
    for (const conversation of [own, elsewhere, gone, null]) {
      const row = await ask(conversation);
      await inEveryAccount(() => prepareQuestion(row, conversation));
      const delivery = (await deliveriesOf(row)).find(({ surface }) => surface === 'slack-home') as DeliveryRow;
      await inEveryAccount(() => sendQuestion(delivery));
    }
    expect(given).toEqual([String(own._id), null, null, null]);
  });

  test('are redrawn when it is answered or withdrawn, and no others are', async () => {
    const conversation = await open();
    const [row, other, failed] = [await ask(conversation), await ask(conversation), await ask(conversation)];
    for (const it of [row, other, failed])
      await inEveryAccount(async () => (await prepareQuestion(it, conversation))());
    await inEveryAccount(() => Delivery.updateMany({ interruptId: failed._id }, { $set: { status: 'failed' } }));
    platform.calls.length = 0;
    await inEveryAccount(() => Delivery.updateMany({ interruptId: row._id }, { $set: { attempts: 7, begun: 1 } }));
    platform.refuse({});
    await inEveryAccount(() => closeDeliveries({ ...row, status: 'cancelled' }));
    for (const delivery of await deliveriesOf(row))
      if (delivery.surface.startsWith('slack'))
        expect(delivery).toMatchObject({ status: 'closing', attempts: 1, begun: 0, reference: { asked: row._id } });
    platform.refuse(null);
    platform.calls.length = 0;
    await makeDue();
    await sweepDeliveries();
    // By then the store has the outcome.
    expect(whats()).toEqual(['redraw pending', 'redraw pending']);
    expect(await statesOf(row)).toMatchObject({ slack: 'closed', 'slack-home': 'closed' });
    expect(await statesOf(other)).toMatchObject({ slack: 'sent', 'slack-home': 'sent' });
    await inEveryAccount(() => closeDeliveries({ ...failed, status: 'cancelled' }));
    expect(await statesOf(failed)).toMatchObject({ slack: 'failed' });
    await inEveryAccount(() => closeDeliveries({ ...other, status: 'resolved' }));
    expect(whats().slice(2)).toEqual(['redraw resolved', 'redraw resolved']);
    expect(await statesOf(other)).toMatchObject({ slack: 'closed', 'slack-home': 'closed' });
  });

  test('are redrawn right away if it was answered while being sent', async () => {
    const conversation = await open();
    const row = await ask(conversation);
    platform.channel.ask = async () => {
      await inEveryAccount(() => Interrupt.updateOne({ _id: row._id }, { $set: { status: 'cancelled' } }));
      await inEveryAccount(() => Delivery.updateMany({ interruptId: row._id }, { $set: { status: 'closing' } }));
      return { late: true };
    };
    await inEveryAccount(async () => (await prepareQuestion(row, conversation))());
    expect(new Set(whats())).toEqual(new Set(['redraw cancelled']));
    expect(await statesOf(row)).toMatchObject({ slack: 'closed' });
  });

  test('are dropped if the question is gone or nobody draws their surface', async () => {
    const row = await ask(null);
    const write = async (surface: DeliveryRow['surface'], interruptId: number) => {
      const it = { _id: new Types.ObjectId(), accountId, interruptId, surface, key: String(nextNumber()) };
      await inEveryAccount(() => Delivery.create({ ...it, status: 'due', dueAt: new Date(0) }));
      return requireRow(await inEveryAccount(() => Delivery.findById(it._id).lean()));
    };
    for (const delivery of [await write('mail', row._id), await write('slack', nextNumber())]) {
      expect(await inEveryAccount(() => deliveries.claim(delivery))).not.toBeNull();
      await inEveryAccount(() => sendQuestion(delivery));
      const now = requireRow(await inEveryAccount(() => Delivery.findById(delivery._id).lean()));
      expect(await inEveryAccount(() => deliveries.claim(now))).not.toBeNull();
      deliveries.letGo(now);
    }
    expect(platform.calls).toEqual([]);
  });
});

describe('a message', () => {
  const speak = (conversation: ConversationRow, text: string, more: object = {}) =>
    inEveryAccount(() => say(conversation, { key: text, kind: 'text', text, ...more }));

  test('is stored with its content, once per key, and delivered in order', async () => {
    const conversation = await open();
    const agent = { agentId: 'clinical_safety', displayName: 'Clara' };
    const derived = { redacted: 'r', reference: 'f' };
    const first = await speak(conversation, 'one', { agent, derived, clientId: 'c', card: { headline: 'h' } });
    await speak(conversation, 'two');
    await until('sent');
    expect(platform.calls).toEqual([
      { what: 'say', id: 'one', at: conversation.address.conversation },
      { what: 'say', id: 'two', at: conversation.address.conversation },
    ]);
    const again = await speak(conversation, 'one', { text: 'other' });
    expect(again).toMatchObject({ _id: first._id, text: 'one' });
    expect(await inEveryAccount(() => Message.find({ accountId }).sort({ _id: 1 }).lean())).toMatchObject([
      {
        messageType: 'assistant',
        agentId: 'clinical_safety',
        agentName: 'Clara',
        derived,
        clientId: 'c',
        card: { headline: 'h' },
        attachments: [],
      },
      { messageType: 'assistant', agentId: null, agentName: null, derived: null, clientId: null, card: null },
    ]);
    expect(platform.calls).toHaveLength(2);
    expect((await own()).map(({ key, surface, conversationId }) => [key, surface, conversationId])).toEqual([
      [`message:${first._id}:slack`, 'slack', conversation._id],
      [expect.stringMatching(/^message:.*:slack$/), 'slack', conversation._id],
    ]);
  });

  test('with the same key in another conversation is another message', async () => {
    const [here, there] = [await open(), await open()];
    const [one, other] = [await speak(here, 'same'), await speak(there, 'same')];
    expect(await speak(here, 'same')).toMatchObject({ _id: one._id });
    expect(await speak(there, 'same')).toMatchObject({ _id: other._id });
    await until('sent');
  });

  test('of a person is not sent back; on the web it is pushed once and may be missed without harm', async () => {
    await speak(await open(), 'mine', { messageType: 'user' });
    expect(await own()).toEqual([]);
    const home = makeChannel({ name: 'teams', surfaces: ['teams'], boards: [], remote: false });
    registerChannel(home.channel);
    const conversation = await open({ channel: 'teams' });
    const message = await speak(conversation, 'hello', { messageType: 'user' });
    await inEveryAccount(() => deliverMessage(conversation, message, false));
    expect(home.calls).toHaveLength(1);
    home.refuse({});
    await speak(conversation, 'missed');
    expect(home.calls).toHaveLength(2);
    expect(await own()).toEqual([]);
    registerChannel({ ...home.channel, remote: true });
  });

  test('whose first attempt failed is delivered by the sweep when it is due, and not before', async () => {
    const conversation = await open();
    platform.refuse({ retryAfter: 60 });
    await speak(conversation, 'later');
    await eventually(async () => (await own())[0]?.attempts === 1, 'the first try');
    platform.refuse(null);
    await sweepDeliveries();
    expect(platform.calls).toHaveLength(1);
    await makeDue();
    expect(await sweepDeliveries()).toBe(1);
    expect(platform.calls).toHaveLength(2);
    expect(await until('sent')).toMatchObject([{ attempts: 1, begun: 0, error: null }]);
    await makeDue();
    expect(await sweepDeliveries()).toBe(0);
  });

  test('without its row or its conversation has its delivery dropped', async () => {
    const conversation = await open();
    platform.refuse({ retryAfter: 60 });
    await speak(conversation, 'lost');
    await eventually(async () => (await own())[0]?.attempts === 1, 'the first try');
    await inEveryAccount(() => Conversation.deleteOne({ _id: conversation._id }));
    platform.calls.length = 0;
    for (let time = 0; time < 2; time += 1) {
      const [delivery] = await own();
      expect(await inEveryAccount(() => deliveries.claim(delivery!))).not.toBeNull();
      await inEveryAccount(() => sendMessage(delivery!));
      if (time === 0) await inEveryAccount(() => Message.deleteMany({ accountId }));
    }
    expect(platform.calls).toEqual([]);
  });

  test.each([
    ['a question', (row: InterruptRow) => ({ interruptId: row._id }), /^Question \d+ could not be shown/],
    ['a message', (_row: InterruptRow, message: MessageRow) => ({ messageId: message._id }), /\?conversation=/],
  ] as const)(
    'that crashed the process each time is set aside with a notice, like %s',
    async (_what, subjectOf, told) => {
      const conversation = await open();
      const message = await speak(conversation, 'first');
      await until('sent');
      const row = await ask(conversation);
      const write = async (begun: number) => {
        const it = { _id: new Types.ObjectId(), accountId, key: String(nextNumber()), surface: 'slack' as const };
        const due = { status: 'due' as const, dueAt: new Date(0), begun };
        await inEveryAccount(() => Delivery.create({ ...it, ...due, ...subjectOf(row, message) }));
        return () => inEveryAccount(() => Delivery.findById(it._id).lean());
      };
      const [twice, once] = [await write(2), await write(1)];
      expect(await sweepDeliveries()).toBe(2);
      expect(await twice()).toMatchObject({ status: 'failed', error: 'ended the process each time', begun: 3 });
      expect(await once()).toMatchObject({ status: 'sent', begun: 0 });
      const texts = await inEveryAccount(() => Message.find({ accountId, messageType: 'system' }).lean());
      expect(texts.map(({ text }) => text)).toEqual([expect.stringMatching(told)]);
    },
  );
});

test('a message in a conversation waits for earlier ones, whatever fails; without a conversation it is sent at once', async () => {
  const order: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const [here, there] = [new Types.ObjectId(), new Types.ObjectId()];
  const note = (name: string) => async () => void order.push(name);
  const first = runInQueue(here, () => held.then(() => Promise.reject(new Error('lost'))));
  const second = runInQueue(here, note('second'));
  await runInQueue(there, note('there'));
  await runInQueue(null, note('at once'));
  expect(order).toEqual(['there', 'at once']);
  release();
  await expect(first).rejects.toThrow('lost');
  await second;
  expect(order).toEqual(['there', 'at once', 'second']);
  expect(await runInQueue(here, async () => 'its value')).toBe('its value');
});

describe('a channel’s task', () => {
  const accept = (conversation: ConversationRow, name = 'file', given: object = { name: 'log.csv' }) =>
    inEveryAccount(() => acceptTask(conversation, name, given));
  const systemTexts = async () =>
    (await inEveryAccount(() => Message.find({ accountId, messageType: 'system' }).sort({ _id: 1 }).lean())).map(
      ({ text }) => text,
    );
  const performed = () => platform.calls.filter(({ what }) => what === 'perform');

  test('is done once per name, with its data, which is stored sealed', async () => {
    const conversation = await open();
    await accept(conversation);
    const [delivery] = await until('sent');
    expect(performed()).toEqual([{ what: 'perform', id: { name: 'log.csv' }, at: conversation.address.conversation }]);
    expect(JSON.stringify(delivery)).not.toContain('log.csv');
    expect(delivery).toMatchObject({ key: `${conversation._id}:file:slack`, surface: 'slack' });
    await accept(conversation);
    await accept(conversation, 'another');
    await until('sent');
    expect(performed()).toHaveLength(2);
  });

  test('that was given up is reported with its progress, and starts again when submitted again', async () => {
    const conversation = await open();
    platform.refuse(new PermanentError('refused'));
    await accept(conversation);
    await eventually(async () => (await own()).some(({ status }) => status === 'failed'), 'the task to be given up');
    const told = 'Given up {"name":"log.csv"} at {"begun":true}';
    await eventually(async () => (await systemTexts()).length === 1, 'the failure to be told');
    expect(await systemTexts()).toEqual([told]);
    platform.refuse(new PermanentError('refused', { told: 'It is too large.' }));
    await accept(conversation);
    await eventually(async () => (await systemTexts()).length === 2, 'the second failure to be told');
    expect(await systemTexts()).toEqual([told, 'It is too large.']);
    await eventually(
      async () => (await own()).find(({ task }) => task)?.status === 'failed',
      'the task to be given up again',
    );
    platform.refuse(null);
    await accept(conversation, 'file', { name: 'smaller.csv' });
    await eventually(async () => (await own()).find(({ task }) => task)?.status === 'sent', 'the task to be done');
    expect(performed().at(-1)?.id).toEqual({ name: 'smaller.csv' });
    expect((await own()).find(({ task }) => task)).toMatchObject({ attempts: 0, error: null });
  });

  test('in an erased conversation is given up without a notice', async () => {
    const conversation = await open();
    platform.refuse({ retryAfter: 60 });
    await accept(conversation);
    await eventually(async () => (await own())[0]?.attempts === 1, 'the first try');
    await inEveryAccount(() => Conversation.deleteOne({ _id: conversation._id }));
    platform.refuse(null);
    await makeDue();
    await sweepDeliveries();
    expect(await own()).toMatchObject([{ status: 'failed' }]);
    expect(performed()).toHaveLength(1);
    expect(await systemTexts()).toEqual([]);
  });
});

test.each([
  ['arc', undefined, 'full'],
  ['slack', undefined, 'reference-only'],
  ['slack', { slack: 'redacted', teams: 'full' }, 'redacted'],
  ['teams', { slack: 'redacted', teams: 'full' }, 'full'],
  ['teams', { slack: 'redacted' }, 'reference-only'],
] as const)('the consent for %s of %j is %s', async (channel, channelConsent, mode) => {
  if (channelConsent) await Account.create({ _id: accountId, name: 'A', channelConsent });
  expect(await consentFor(accountId, channel)).toBe(mode);
});

test('due deliveries are read in batches, oldest first: what a person waits for, then webhooks and mails', async () => {
  const reads: unknown[] = [];
  mongoose.set('debug', (collection: string, method: string, ...given: unknown[]) => {
    if (collection === 'deliveries' && method === 'find') reads.push(given[1]);
  });
  try {
    await sweepDeliveries();
  } finally {
    mongoose.set('debug', false);
  }
  const batch = { limit: 200, sort: { _id: 1 } };
  expect(reads).toMatchObject([batch, batch]);
});
