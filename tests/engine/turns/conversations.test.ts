/** @environment store */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { registerChannel } from '../../../bot/engine/delivery/channel.ts';
import { onAnswered } from '../../../bot/engine/interrupts/applyConsequences.ts';
import { answerInWords } from '../../../bot/engine/turns/answerInWords.ts';
import {
  agentCalled,
  chooseAgentFor,
  describeAccount,
  listWaiting,
} from '../../../bot/engine/turns/channelCommands.ts';
import { chooseAgent } from '../../../bot/engine/turns/chooseAgent.ts';
import {
  answerable,
  arcAddress,
  conversationsInLine,
  openConversation,
  readConversation,
} from '../../../bot/engine/turns/conversations.ts';
import { finishTurn, writeFinished } from '../../../bot/engine/turns/finishTurns.ts';
import { isHeld, noteLeft, noteSwept, waitForEarlier } from '../../../bot/engine/turns/order.ts';
import { processTurn, sweepTurns } from '../../../bot/engine/turns/processTurn.ts';
import { readHistory } from '../../../bot/engine/turns/readHistory.ts';
import { requireSpokenIn } from '../../../bot/engine/turns/requireSpokenIn.ts';
import { requireAgent } from '../../../bot/engine/turns/startWork.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { AGENTS, type AgentId } from '../../../models/contracts/catalogue.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { Member } from '../../../models/member.ts';
import { Message } from '../../../models/message.ts';
import type { Who } from '../../../models/policies/who.ts';
import { announce } from '../../../models/store/revisions.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { User } from '../../../models/user.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';
import { connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import {
  everywhere,
  hireFor,
  keepTurn,
  makePlace,
  makeTurn as makeTurnIn,
  openPlace,
  readTurn,
} from '../../factories/turns.ts';
import { makeChannel } from '../../fakes/channel.ts';

connectTestStore();
let accountId: number;
let who: Who;

beforeAll(async () => {
  onAnswered(async () => undefined);
});
afterAll(async () => {
  onAnswered(() => Promise.reject(new Error('Nothing resumes runs in this process.')));
});
beforeEach(() => {
  accountId = nextNumber();
  who = makeWho({ accountId, email: `ada${nextNumber()}@example.org` });
});

const open = (address = makePlace(), direct = false, account = accountId) => openPlace(account, address, direct);
const change = ({ _id }: ConversationRow, it: object) =>
  everywhere(() => Conversation.updateOne({ _id }, { $set: it }));
const read = async ({ _id }: Pick<ConversationRow, '_id'>) =>
  (await everywhere(() => Conversation.findById(_id).lean())) as ConversationRow;
const makeTurn = (conversation: ConversationRow, more: Partial<TurnRow> = {}): TurnRow =>
  makeTurnIn(conversation, { accountId, speaker: { userId: who.userId, platformId: null, name: 'Ada' }, ...more });
const hire = (agentId: AgentId, status: UserAgentRow['status'] = 'onboarded', account = accountId) =>
  hireFor(account, agentId, status);
const refusal = (code: string) => expect.objectContaining({ code });
const file = [{ fileId: 'F1', name: 'log.csv' }];

describe('a conversation', () => {
  test('is made on first use and is the same from then on, in one account', async () => {
    const address = makePlace();
    const one = await open(address);
    expect(one).toMatchObject({
      accountId,
      address,
      key: `slack|${address.conversation}|`,
      direct: false,
      placeId: null,
      userAgentId: null,
      logFileId: null,
      ticketsFileId: null,
      createdAt: expect.any(Date),
    });
    expect((await open({ ...address }))._id).toEqual(one._id);
    expect((await everywhere(() => openConversation(accountId, address)))._id).toEqual(one._id);
    expect((await everywhere(() => openConversation(nextNumber(), address))).direct).toBe(false);
    expect((await open({ ...address, thread: 't' }))._id).not.toEqual(one._id);
    expect((await open(address, false, nextNumber()))._id).not.toEqual(one._id);
    expect(await everywhere(() => Conversation.countDocuments({ accountId }))).toBe(2);
    // What was deleted meanwhile is made again.
    await everywhere(() => Conversation.deleteOne({ _id: one._id }));
    expect((await open(address))._id).not.toEqual(one._id);
  });

  test('a thread goes on from its place, of the same account, with its agent and files', async () => {
    const address = makePlace();
    const [log, tickets] = [new Types.ObjectId(), new Types.ObjectId()];
    await open(address, false, nextNumber());
    const thread = { ...address, thread: 't' };
    expect((await open(thread)).placeId).toBeNull();
    const channel = await open(address);
    await change(channel, { userAgentId: 7, logFileId: log, ticketsFileId: tickets });
    expect(await open({ ...address, thread: 'u' })).toMatchObject({
      placeId: channel._id,
      userAgentId: 7,
      logFileId: log,
      ticketsFileId: tickets,
      direct: false,
    });
  });

  test('a thread of one’s own chat makes the chat too, and reads the files that came into it since', async () => {
    const address = makePlace({ thread: 't' });
    const thread = await open(address, true);
    const chat = await open({ ...address, thread: null });
    expect(thread).toMatchObject({ direct: true, placeId: chat._id });
    expect(chat).toMatchObject({ direct: true, placeId: null });
    const [log, tickets, own] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
    const files = async () => {
      const found = await everywhere(() => readConversation(thread._id));
      return [found?.logFileId, found?.ticketsFileId];
    };
    expect(await files()).toEqual([null, null]);
    await change(chat, { logFileId: log, ticketsFileId: tickets });
    expect(await files()).toEqual([log, tickets]);
    await change(thread, { ticketsFileId: own });
    expect(await files()).toEqual([log, own]);
    // With a log of its own the chat's files are another matter.
    await change(thread, { logFileId: own, ticketsFileId: null });
    expect(await files()).toEqual([own, null]);
    await change(thread, { logFileId: null, direct: false });
    expect(await files()).toEqual([null, null]);
    expect(await everywhere(() => readConversation(new Types.ObjectId()))).toBeNull();
  });

  test('shares its line and its questions with the threads of one’s own chat, and with nobody else’s', async () => {
    const address = makePlace();
    const chat = await open(address, true);
    const [one, two] = [await open({ ...address, thread: '1' }, true), await open({ ...address, thread: '2' }, true)];
    const stranger = await open(makePlace({ thread: '1' }), true);
    await everywhere(() =>
      Conversation.create({ accountId: nextNumber(), key: 'k', address, direct: true, placeId: chat._id }),
    );
    await everywhere(() => Conversation.create({ accountId, key: 'k', address, direct: false, placeId: chat._id }));
    const all = [chat, one, two].map(({ _id }) => String(_id)).sort();
    for (const it of [chat, one, two]) {
      const line = await everywhere(() => conversationsInLine(it));
      expect(line.map(String).sort()).toEqual(all);
      expect([...(await everywhere(() => answerable(it)))].sort()).toEqual(all);
    }
    expect((await everywhere(() => conversationsInLine(stranger))).map(String)).not.toContain(String(one._id));
    const [channelPlace] = [await open()];
    const thread = await open({ ...channelPlace.address, thread: 't' });
    await open({ ...channelPlace.address, thread: 'u' });
    expect(await everywhere(() => conversationsInLine(thread))).toEqual([thread._id]);
    const around = [String(thread._id), String(channelPlace._id)];
    expect([...(await everywhere(() => answerable(thread)))]).toEqual(around);
    expect([...(await everywhere(() => answerable(channelPlace)))]).toEqual([String(channelPlace._id)]);
  });

  test('of a channel is read by members who spoke in it themselves', async () => {
    const conversation = await open();
    const spoken = (by = who, _id = String(conversation._id)) => everywhere(() => requireSpokenIn(by, _id));
    const identity = (platformId: string, more: object = {}) =>
      everywhere(() =>
        ChannelIdentity.create({
          _id: new Types.ObjectId(),
          accountId,
          channel: 'slack',
          platformId,
          userId: who.userId,
          name: 'Ada',
          refreshedAt: new Date(),
          ...more,
        }),
      );
    const say = (platformId: string, at = conversation, account = accountId) =>
      keepTurn(makeTurn(at, { accountId: account, speaker: { userId: null, platformId, name: 'x' } }));
    await expect(spoken()).rejects.toEqual(refusal('not_found'));
    await Promise.all([
      identity('U-other', { userId: nextNumber() }),
      identity('U-guest', { stranger: true }),
      identity('U-teams', { channel: 'teams' }),
      identity('U-theirs', { accountId: nextNumber() }),
    ]);
    for (const platformId of ['U-other', 'U-guest', 'U-teams', 'U-theirs', 'U-mine']) await say(platformId);
    await expect(spoken()).rejects.toEqual(refusal('not_found'));
    await identity('U-mine');
    expect((await spoken())._id).toEqual(conversation._id);
    await expect(spoken({ ...who, userId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(spoken({ ...who, accountId: nextNumber() })).rejects.toEqual(refusal('not_found'));
    await expect(spoken(who, String(new Types.ObjectId()))).rejects.toEqual(refusal('not_found'));
    // Words in another place, or of another account, are none here.
    const silent = await open();
    await say('U-mine', await open());
    await say('U-mine', silent, nextNumber());
    await expect(spoken(who, String(silent._id))).rejects.toEqual(refusal('not_found'));
  });

  test('its history is read by pages, the newest first, with the files it would work on', async () => {
    const conversation = await open(arcAddress(who.userId));
    const other = await open();
    const say = async (text: string, at = conversation, account = accountId) => {
      const _id = new Types.ObjectId();
      const row = { _id, accountId: account, conversationId: at._id, key: String(_id), text, createdAt: new Date() };
      await everywhere(() => Message.create({ ...row, messageType: 'assistant', kind: 'text' }));
      return String(_id);
    };
    await say('one');
    const two = await say('two');
    await say('three');
    await say('elsewhere', other);
    await say('theirs', conversation, nextNumber());
    const page = (limit: number, before?: string) => everywhere(() => readHistory(conversation, { limit, before }));
    const texts = async (limit: number, before?: string) => {
      const { messages, count, hasMore } = await page(limit, before);
      return [messages.map(({ message }) => message), count, hasMore];
    };
    expect(await texts(2)).toEqual([['three', 'two'], 2, true]);
    expect(await texts(3)).toEqual([['three', 'two', 'one'], 3, false]);
    expect(await texts(2, two)).toEqual([['one'], 1, false]);
    expect(await page(1)).toMatchObject({ working: [], ready: { log: null, tickets: null }, channel: 'arc' });
  });
});

describe('an earlier turn with files', () => {
  test.each<[what: string, more: Partial<TurnRow>, holds: boolean]>([
    ['stored before', {}, true],
    ['done already', { status: 'done' }, false],
    ['without files', { files: [] }, false],
    ['stored after', { createdAt: new Date(Date.now() + 60_000) }, false],
    ['stored over a minute ago', { createdAt: new Date(Date.now() - 61_000) }, false],
    ['stored less than a minute ago', { createdAt: new Date(Date.now() - 50_000) }, true],
    ['in another conversation', { conversationId: new Types.ObjectId() }, false],
    ['in another account', { accountId: 1 }, false],
  ])('%s', async (_what, more, holds) => {
    const conversation = await open();
    await keepTurn(makeTurn(conversation, { files: file, createdAt: new Date(Date.now() - 1000), ...more }));
    const turn = makeTurn(conversation);
    expect(await everywhere(() => isHeld(turn, conversation))).toBe(holds);
    expect(await everywhere(() => isHeld(turn))).toBe(holds);
  });

  test('of the same moment comes before by its id; a turn does not hold itself, nor one without a conversation', async () => {
    const conversation = await open();
    const createdAt = new Date();
    const [one, two] = [makeTurn(conversation, { files: file, createdAt }), makeTurn(conversation, { createdAt })];
    await keepTurn(one);
    expect(await everywhere(() => isHeld(two))).toBe(true);
    expect(await everywhere(() => isHeld(one))).toBe(false);
    expect(await everywhere(() => isHeld({ ...two, conversationId: new Types.ObjectId() }))).toBe(false);
  });

  test('is waited for where the sweeper may have it, and not where this process is alone', async () => {
    noteSwept();
    const conversation = await open();
    const turn = makeTurn(conversation);
    const earlier = await keepTurn(makeTurn(conversation, { files: file, createdAt: new Date(Date.now() - 1000) }));
    const wait = () => everywhere(() => waitForEarlier(turn, conversation));
    expect(await wait()).toBe(false);
    noteLeft(conversation);
    const waited = wait();
    let over = false;
    void waited.then(() => {
      over = true;
    });
    await everywhere(() => isHeld(turn, conversation));
    expect(over).toBe(false);
    await everywhere(() => Turn.updateOne({ _id: earlier._id }, { $set: { status: 'done' } }));
    expect(await waited).toBe(true);
    expect(await wait()).toBe(false);
  });

  test('is waited for however many conversations have had trouble since', async () => {
    noteSwept();
    const conversation = await open();
    noteLeft(conversation);
    for (let count = 0; count < 1001; count += 1) noteLeft({ ...conversation, _id: new Types.ObjectId() });
    const earlier = await keepTurn(makeTurn(conversation, { files: file, createdAt: new Date(Date.now() - 1000) }));
    const turn = makeTurn(conversation);
    const waited = everywhere(() => waitForEarlier(turn, conversation));
    for (let times = 0; times < 3; times += 1) await everywhere(() => isHeld(turn, conversation));
    await everywhere(() => Turn.updateOne({ _id: earlier._id }, { $set: { status: 'done' } }));
    expect(await waited).toBe(true);
  });

  test('is noted as done with others in one go', async () => {
    const conversation = await open();
    const [one, two, other] = await Promise.all([1, 2, 3].map(() => keepTurn(makeTurn(conversation))));
    finishTurn(one!._id);
    finishTurn(two!._id);
    await writeFinished();
    const statuses = await everywhere(() => Turn.find({ accountId }).sort({ _id: 1 }).lean());
    expect(statuses.map(({ _id, status }) => [String(_id), status])).toEqual(
      [one!, two!, other!].map(({ _id }, index) => [String(_id), index < 2 ? 'done' : 'stored']).sort(),
    );
    await writeFinished();
    finishTurn(other!._id);
    await eventually(
      () => everywhere(() => Turn.exists({ _id: other!._id, status: 'done' })),
      'the turn to be noted by itself',
    );
  });
});

describe('who is spoken to', () => {
  test.each<[text: string, agent: AgentId]>([
    ['Is this safe?', 'clinical_safety'],
    ['@Devon is this safe?', 'developer'],
    ['Is this safe, @devon?', 'developer'],
    ['Devon, is this safe?', 'developer'],
    ['devon: is this safe?', 'developer'],
    ['Hi Devon, is this safe?', 'developer'],
    ['Hello devon: is this safe?', 'developer'],
    ['hey DEVON , is this safe?', 'developer'],
    ['Ask Devon, is this safe?', 'clinical_safety'],
    ['Devon is this safe?', 'clinical_safety'],
    ['mail me@devon is this safe?', 'clinical_safety'],
    ['@Mina is this safe?', 'clinical_safety'],
    ['@Rhea is this safe?', 'clinical_safety'],
  ])('%j: %s', async (text, agentId) => {
    const ids = new Map<AgentId, number>();
    for (const one of ['marketer', 'developer', 'clinical_safety'] as const)
      ids.set(one, await hire(one, one === 'marketer' ? 'hired' : 'onboarded'));
    const conversation = await open();
    expect(await everywhere(() => chooseAgent(conversation, text))).toMatchObject({ _id: ids.get(agentId), agentId });
    expect((await read(conversation)).userAgentId).toBe(ids.get(agentId));
  });

  test('is one that is at work before one in preparation, whatever their order', async () => {
    await hire('mdr');
    const clara = await hire('clinical_safety');
    expect(AGENTS.map(({ id }) => id).indexOf('mdr')).toBeLessThan(
      AGENTS.map(({ id }) => id).indexOf('clinical_safety'),
    );
    expect((await everywhere(async () => chooseAgent(await open(), 'Is this safe?')))._id).toBe(clara);
  });

  test('stays who it was, for the whole of one’s own chat; else the first of the catalogue', async () => {
    const [developer, marketer] = [await hire('developer'), await hire('marketer')];
    const address = makePlace({ thread: 't' });
    const thread = await open(address, true);
    const chat = await open({ ...address, thread: null });
    const choose = (it: ConversationRow, text = 'go on') => everywhere(() => chooseAgent(it, text));
    expect((await choose(thread))._id).toBe(developer);
    expect((await choose(thread, 'Mina, go on'))._id).toBe(marketer);
    expect([(await read(thread)).userAgentId, (await read(chat)).userAgentId]).toEqual([marketer, marketer]);
    expect((await choose(await read(thread)))._id).toBe(marketer);
    // What another conversation spoke of last is another matter.
    expect((await choose(await open()))._id).toBe(developer);
  });

  test('is somebody of the account that is onboarded', async () => {
    await hire('clinical_safety', 'hired');
    await hire('developer', 'onboarded', nextNumber());
    const conversation = await open();
    await expect(everywhere(() => chooseAgent(conversation, 'Devon, go on'))).rejects.toEqual(
      refusal('agent_not_ready'),
    );
  });

  test('by a call: the hired agent of the account, once it is onboarded', async () => {
    const [ready, hired] = [await hire('developer'), await hire('marketer', 'hired')];
    expect(await everywhere(() => requireAgent(who, ready))).toMatchObject({ _id: ready });
    await expect(everywhere(() => requireAgent(who, hired))).rejects.toEqual(refusal('agent_not_ready'));
    const stranger = { ...who, accountId: nextNumber() };
    await expect(everywhere(() => requireAgent(stranger, ready))).rejects.toEqual(refusal('not_found'));
  });

  test.each([
    ['Clara', 'clinical_safety'],
    [' clara ', 'clinical_safety'],
    ['clinical_safety', 'clinical_safety'],
    ['DEVELOPER', 'developer'],
    ['Clar', undefined],
    ['', undefined],
  ])('by a command, %j: %s', (name, agentId) => {
    expect(agentCalled(name)?.id).toBe(agentId);
  });

  test('by a command, in that conversation from now on, where it is onboarded', async () => {
    const address = makePlace();
    const [developer] = [await hire('developer'), await hire('marketer', 'hired')];
    await hire('ops', 'onboarded', nextNumber());
    const choose = (name: string) => everywhere(() => chooseAgentFor(who, address, agentCalled(name)!));
    expect(await choose('mina')).toBe(false);
    expect(await choose('opal')).toBe(false);
    expect(await choose('devon')).toBe(true);
    expect((await open(address)).userAgentId).toBe(developer);
    const told = await everywhere(() => describeAccount(who));
    expect(told.split('\n').slice(1)).toEqual([
      '• Devon, Full-stack developer: onboarded (in preparation)',
      '• Mina, Marketer: hired (in preparation)',
    ]);
    expect(told).toContain('Credits: 0.');
  });
});

describe('words that answer', () => {
  const ask = async (conversation: ConversationRow, more: Partial<InterruptRow> = {}) => {
    const row = makeInterrupt({
      _id: nextNumber(),
      accountId,
      askKey: String(nextNumber()),
      conversationId: conversation._id,
      createdAt: new Date(Date.now() - 1000),
      ...more,
    });
    await everywhere(() => Interrupt.create(row));
    announce(accountId, ['interrupts']);
    return row;
  };
  const join = async () => {
    const { userId, email } = who;
    await User.create({ _id: userId, email, firstName: 'Ada', lastName: 'Okafor', emailVerified: true });
    await Member.create({ accountId, userId, roles: ['owner'] });
  };
  const outcomeOf = async ({ _id }: InterruptRow) =>
    ((await everywhere(() => Interrupt.findOne({ _id }).lean())) as InterruptRow).resolution?.outcome ?? null;
  const hear = async (conversation: ConversationRow, more: Partial<TurnRow> = {}) => {
    const turn = await keepTurn(makeTurn(conversation, more));
    return everywhere(() => answerInWords(turn, conversation));
  };

  const options = ['Keep', { id: 'Drop', label: 'Drop it', action: 'x' }];
  test.each<[type: InterruptRow['interruptType'], text: string, outcome: string | null]>([
    ['approval', 'yes', 'approved'],
    ['approval', ' Yes! ', 'approved'],
    ['approval', 'approve', 'approved'],
    ['approval', 'Approved.', 'approved'],
    ['approval', 'accept it', 'approved'],
    ['approval', 'approve everything', 'approved'],
    ['approval', 'yes but later', null],
    ['approval', 'oh yes', null],
    ['approval', 'no', 'rejected'],
    ['approval', 'Refuse them!', 'rejected'],
    ['approval', 'decline.', 'rejected'],
    ['approval', 'reject all', 'rejected'],
    ['approval', 'no idea', null],
    ['hazard_review', 'yes', null],
    ['hazard_review', 'approve', null],
    ['hazard_review', 'approve all', 'approved'],
    ['hazard_review', 'Accept everything.', 'approved'],
    ['hazard_review', 'approve all rows', 'approved'],
    ['hazard_review', 'reject', null],
    ['hazard_review', 'reject all', 'rejected'],
    ['hazard_review', 'please reject all', null],
    ['decision', 'keep', 'answered'],
    ['decision', 'drop', null],
    ['decision', 'yes', null],
    ['input', 'yes', 'answered'],
    ['input', 'Priya Nair owns it, since March.', 'answered'],
    ['input', `Priya Nair. ${'So it says. '.repeat(40)}`, 'answered'],
    ['input', 'x'.repeat(8001), null],
    ['input', 'help', null],
    ['input', 'Cancel!', null],
    ['input', 'Who asked for that?', null],
    ['made_up', 'Seven', 'answered'],
  ])('%s: %j is %s', async (interruptType, text, outcome) => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType, options: interruptType === 'decision' ? options : [] });
    expect(await hear(conversation, { text })).toBe(outcome !== null);
    expect(await outcomeOf(row)).toBe(outcome);
  });

  test('of any form answer where one question for words waits, and nothing else', async () => {
    await join();
    const conversation = await open();
    const elsewhere = await ask(await open());
    const row = await ask(conversation, { interruptType: 'input' });
    const approval = await ask(conversation);
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    expect(await hear(conversation, { text: 'Yes please' })).toBe(true);
    expect(await outcomeOf(approval)).toBe('approved');
    announce(accountId, ['interrupts']);
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(true);
    expect(await everywhere(() => Interrupt.findOne({ _id: row._id }).lean())).toMatchObject({
      userResponse: { userInput: 'Priya Nair' },
    });
    expect(await outcomeOf(elsewhere)).toBeNull();
  });

  test('of somebody who may not answer are for the agent, where they are no answer by their form', async () => {
    await join();
    await Member.updateOne({ accountId, userId: who.userId }, { $set: { roles: ['member'] } });
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input' });
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('answer neither of two questions for words', async () => {
    await join();
    const conversation = await open();
    const rows = [
      await ask(conversation, { interruptType: 'input' }),
      await ask(conversation, { interruptType: 'input' }),
    ];
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    for (const row of rows) expect(await outcomeOf(row)).toBeNull();
  });

  test('beside files are about the files', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input' });
    const files = [{ fileId: 'F1', name: 'log.xlsx' }];
    expect(await hear(conversation, { text: 'Here is our log', files })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('that were said before a question for words answer it as little as those of another conversation', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input', createdAt: new Date(Date.now() + 60_000) });
    expect(await hear(conversation, { text: 'Priya Nair' })).toBe(false);
    expect(await hear(await open(), { text: 'Priya Nair' })).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('are confirmed where they were said, in words that may leave', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { prompt: 'Drop St Mary?' });
    const turn = await keepTurn(makeTurn(conversation));
    await everywhere(() => answerInWords(turn, conversation));
    const reference = `Recorded your answer to question ${row._id}.`;
    expect(await everywhere(() => Message.find({ accountId }).lean())).toMatchObject([
      {
        key: `turn:${turn._id}:answered`,
        messageType: 'system',
        text: 'Recorded your answer to: Drop St Mary?',
        derived: { redacted: reference, reference },
        card: { interruptId: row._id },
      },
    ]);
    expect(await everywhere(() => Turn.findById(turn._id).lean())).toMatchObject({ answers: row._id });
  });

  test.each<[what: string, more: Partial<TurnRow>]>([
    ['between people', { manner: 'overheard' }],
    ['that were passed on', { manner: 'handed-over' }],
    ['of nobody that is known', { speaker: { userId: null, platformId: 'U1', name: 'x' } }],
    ['of somebody who is no member', { speaker: { userId: 1, platformId: null, name: 'x' } }],
    ['said before it was asked', { createdAt: new Date(Date.now() - 60_000) }],
    ['that are too long', { text: `yes${'!'.repeat(198)}` }],
  ])('%s sign nothing', async (_what, more) => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    expect(await hear(conversation, more)).toBe(false);
    expect(await outcomeOf(row)).toBeNull();
  });

  test('of the moment in which it was asked answer it', async () => {
    await join();
    const conversation = await open();
    const createdAt = new Date();
    const row = await ask(conversation, { createdAt });
    expect(await hear(conversation, { createdAt })).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
    const words = await ask(conversation, { createdAt, interruptType: 'input' });
    expect(await hear(conversation, { createdAt, text: 'Priya Nair' })).toBe(true);
    expect(await outcomeOf(words)).toBe('answered');
  });

  test('that are only space answer nothing, and others are taken without it', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation, { interruptType: 'input' });
    expect(await hear(conversation, { text: '   ' })).toBe(false);
    expect(await hear(conversation, { text: '  Priya Nair ' })).toBe(true);
    expect(await everywhere(() => Interrupt.findOne({ _id: row._id }).lean())).toMatchObject({
      userResponse: { userInput: 'Priya Nair' },
    });
  });

  test('answer the newest of two in their conversation', async () => {
    await join();
    const conversation = await open();
    const [older, newer] = [await ask(conversation), await ask(conversation)];
    expect(await hear(conversation)).toBe(true);
    expect([await outcomeOf(older), await outcomeOf(newer)]).toEqual([null, 'approved']);
  });

  test('are read for the fifty newest questions of the account', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    const others = Array.from({ length: 50 }, () =>
      makeInterrupt({ _id: nextNumber(), accountId, askKey: String(nextNumber()), conversationId: null }),
    );
    await everywhere(() => Interrupt.insertMany(others.slice(1)));
    announce(accountId, ['interrupts']);
    expect(await hear(conversation)).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
    await everywhere(() => Interrupt.updateOne({ _id: row._id }, { $set: { status: 'pending', resolution: null } }));
    await everywhere(() => Interrupt.create(others[0]!));
    announce(accountId, ['interrupts']);
    expect(await hear(conversation)).toBe(false);
  });

  test('may have two hundred signs', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    expect(await hear(conversation, { text: `yes${'!'.repeat(197)}` })).toBe(true);
    expect(await outcomeOf(row)).toBe('approved');
  });

  test('mean the question of this conversation, else the one of its siblings, and never one of several', async () => {
    await join();
    const address = makePlace();
    const [here, there, third] = [
      await open({ ...address, thread: '1' }, true),
      await open({ ...address, thread: '2' }, true),
      await open({ ...address, thread: '3' }, true),
    ];
    const elsewhere = await ask(await open());
    const [mine, theirs] = [await ask(here), await ask(there)];
    await expect(hear(third)).rejects.toEqual(refusal('not_available'));
    expect(await hear(here)).toBe(true);
    expect([await outcomeOf(mine), await outcomeOf(theirs)]).toEqual(['approved', null]);
    announce(accountId, ['interrupts']);
    expect(await hear(third)).toBe(true);
    expect([await outcomeOf(theirs), await outcomeOf(elsewhere)]).toEqual(['approved', null]);
    expect(await hear(third)).toBe(false);
  });

  test('mean a question that they can answer, whatever was asked after it', async () => {
    await join();
    const conversation = await open();
    const row = await ask(conversation);
    const later = [await ask(conversation, { interruptType: 'decision', options }), await ask(await open())];
    expect(await hear(conversation)).toBe(true);
    expect(await Promise.all([row, ...later].map(outcomeOf))).toEqual(['approved', null, null]);
  });

  test('that are heard again answer what they answered before, and no other', async () => {
    await join();
    const conversation = await open();
    const [before, later] = [await ask(conversation), await ask(conversation)];
    expect(await hear(conversation, { answers: before._id })).toBe(true);
    expect([await outcomeOf(before), await outcomeOf(later)]).toEqual(['approved', null]);
    // Noted by another process after this one had read the turn.
    const next = await ask(conversation);
    const turn = await keepTurn(makeTurn(conversation, { answers: later._id }));
    expect(await everywhere(() => answerInWords({ ...turn, answers: null }, conversation))).toBe(true);
    expect([await outcomeOf(later), await outcomeOf(next)]).toEqual(['approved', null]);
    const theirs = await ask(conversation, { accountId: nextNumber() });
    expect(await hear(conversation, { answers: theirs._id })).toBe(false);
  });

  test('what waits is listed for commands, the newest first', async () => {
    const conversation = await open();
    const [one, two] = [await ask(conversation), await ask(conversation)];
    await ask(conversation, { status: 'cancelled' });
    expect((await everywhere(() => listWaiting(who))).map((it) => it.id)).toEqual([two._id, one._id]);
  });
});

describe('a turn that is carried on', () => {
  const said = async () =>
    (await everywhere(() => Message.find({ accountId }).sort({ _id: 1 }).lean())).map(({ key, kind, text }) => ({
      key,
      kind,
      text,
    }));
  const connect = (more: Parameters<typeof makeChannel>[0] = {}) => {
    const told: unknown[] = [];
    const channel = makeChannel({
      identify: async (_conversation, platformId) => ({ platformId, name: 'Guest', who: null, mayAsk: false }),
      tellPrivately: async (...given) => void told.push(given.slice(1)),
      ...more,
    });
    registerChannel(channel.channel);
    return { ...channel, told };
  };
  const byStranger = { speaker: { userId: null, platformId: 'U1', name: 'x' } };

  test.each<[what: string, more: Partial<TurnRow>, told: number]>([
    ['is told so, alone', {}, 1],
    ['is not told each time that people talk among themselves', { manner: 'overheard' }, 0],
  ])('of a stranger: who said it %s, and nothing of it is kept', async (_what, more, times) => {
    const { told } = connect();
    const turn = await keepTurn(makeTurn(await open(), { ...byStranger, files: file, ...more }));
    await processTurn(turn);
    expect(await readTurn(turn)).toMatchObject({ status: 'done', text: '', files: [] });
    expect(told).toEqual(
      Array.from({ length: times }, () => ['U1', expect.stringContaining('I only work with members')]),
    );
    expect(await said()).toEqual([]);
  });

  test('of a stranger whom the platform can’t tell is over all the same', async () => {
    connect({ tellPrivately: () => Promise.reject(new Error('channel_not_found')) });
    const turn = await keepTurn(makeTurn(await open(), byStranger));
    await processTurn(turn);
    expect(await readTurn(turn)).toMatchObject({ status: 'done', text: '' });
  });

  test('shows its words, says a refusal once, and lets the next begin', async () => {
    connect();
    const turn = await keepTurn(makeTurn(await open(), { text: '  Analyse it  ', clientId: 'c1' }));
    let over = 0;
    const count = () => {
      over += 1;
    };
    await processTurn(turn, undefined, count);
    await processTurn(turn, undefined, count);
    const messages = await said();
    expect(messages).toHaveLength(2);
    expect(messages).toEqual(
      expect.arrayContaining([
        { key: `turn:${turn._id}`, kind: 'text', text: '  Analyse it  ' },
        { key: `turn:${turn._id}:refused`, kind: 'refused', text: expect.any(String) },
      ]),
    );
    expect((await readTurn(turn)).status).toBe('done');
    expect(over).toBe(2);
    expect(await everywhere(() => Message.findById(turn._id).lean())).toMatchObject({
      messageType: 'user',
      clientId: 'c1',
    });
  });

  test('without words shows none, and its conversation may be gone', async () => {
    connect();
    const [turn, lost] = [
      await keepTurn(makeTurn(await open(), { text: '  ' })),
      await keepTurn(makeTurn(await open(), { conversationId: new Types.ObjectId() })),
    ];
    for (const it of [turn, lost]) await processTurn(it);
    expect(await said()).toEqual([]);
    expect((await readTurn(turn)).status).toBe('done');
    expect((await readTurn(lost)).status).toBe('stored');
  });

  test('with a file that can’t be fetched says so; one that can be fetched later is tried again', async () => {
    const fetch = connect({ fetchFile: () => Promise.reject(new Error('gone')) });
    const turn = await keepTurn(makeTurn(await open(), { text: '', files: file }));
    await processTurn(turn);
    expect(await said()).toEqual([
      {
        key: `turn:${turn._id}:0:unfetched`,
        kind: 'refused',
        text: expect.stringContaining('I could not fetch the file'),
      },
    ]);
    expect((await readTurn(turn)).status).toBe('done');
    fetch.channel.fetchFile = () => Promise.reject(Object.assign(new Error('later'), { retryAfter: 1 }));
    const later = await keepTurn(makeTurn(await open(), { text: '', files: file }));
    await expect(processTurn(later)).rejects.toThrow('later');
    expect((await readTurn(later)).status).toBe('stored');
  });

  describe('by the sweep', () => {
    const makeOld = () => ({ createdAt: new Date(Date.now() - 30_000), dueAt: new Date(0), text: 'Analyse it' });

    test('is one that was left, and nothing else', async () => {
      connect();
      const conversation = await open();
      const [left, fresh, later, done, refused, held] = [
        await keepTurn(makeTurn(conversation, makeOld())),
        await keepTurn(makeTurn(conversation, { ...makeOld(), createdAt: new Date() })),
        await keepTurn(makeTurn(conversation, { ...makeOld(), dueAt: new Date(Date.now() + 60_000) })),
        await keepTurn(makeTurn(conversation, { ...makeOld(), status: 'done' })),
        await keepTurn(makeTurn(await open(), makeOld())),
        await keepTurn(makeTurn(await open(), makeOld())),
      ];
      const row = {
        _id: new Types.ObjectId(),
        accountId,
        conversationId: refused.conversationId,
        createdAt: new Date(),
      };
      const key = `turn:${refused._id}:refused`;
      const say = (more: object) =>
        everywhere(() => Message.create({ ...row, messageType: 'assistant', kind: 'refused', text: 'No', ...more }));
      await say({ key });
      // What else was said in its conversation says nothing of the turn.
      await say({ _id: new Types.ObjectId(), conversationId: left.conversationId, key: 'before' });
      const first = makeTurn(await read({ _id: held.conversationId }), {
        files: file,
        dueAt: new Date(Date.now() + 60_000),
      });
      await keepTurn({ ...first, createdAt: new Date(makeOld().createdAt.getTime() - 10_000) });
      await sweepTurns();
      await writeFinished();
      const statuses = await Promise.all([left, fresh, later, done, refused, held].map(readTurn));
      expect(statuses.map(({ status }) => status)).toEqual(['done', 'stored', 'stored', 'done', 'done', 'stored']);
      expect((await said()).map((one) => one.key).sort()).toEqual(
        ['before', `turn:${left._id}`, `turn:${left._id}:refused`, key].sort(),
      );
    });

    test.each([
      [0, 'done'],
      [1, 'done'],
      [2, 'failed'],
    ])('that was begun %i times before is %s after it, and no other', async (begun, status) => {
      connect();
      const conversation = await open();
      const [turn, other] = [
        await keepTurn(makeTurn(conversation, { ...makeOld(), begun })),
        await keepTurn(makeTurn(await open(), { ...makeOld(), dueAt: new Date(Date.now() + 60_000) })),
      ];
      await sweepTurns();
      expect((await readTurn(turn)).status).toBe(status);
      expect((await readTurn(other)).status).toBe('stored');
      expect((await said()).at(-1)?.key).toBe(`turn:${turn._id}:${status === 'failed' ? 'failed' : 'refused'}`);
    });

    test.each([
      [0, 1, 'stored', 30],
      [4, 5, 'stored', 480],
      [5, 6, 'failed', 960],
    ])('that failed %i times is put off at its failure %i: %s', async (attempts, after, status, seconds) => {
      connect({ fetchFile: () => Promise.reject(Object.assign(new Error('later'), { retryAfter: 1 })) });
      const turn = await keepTurn(makeTurn(await open(), { ...makeOld(), text: '', files: file, attempts, begun: 0 }));
      const begun = Date.now();
      await sweepTurns();
      const now = await readTurn(turn);
      expect(now).toMatchObject({ status, attempts: after, begun: 0 });
      expect(Math.round((now.dueAt.getTime() - begun) / 10_000)).toBe(seconds / 10);
      expect((await said()).map((one) => one.key)).toEqual(status === 'failed' ? [`turn:${turn._id}:failed`] : []);
    });
  });
});
