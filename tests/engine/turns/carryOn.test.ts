/** @environment store */
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { grantCredits } from '../../../bot/engine/credits/credits.ts';
import { writeFinished } from '../../../bot/engine/turns/finishTurns.ts';
import { processTurn } from '../../../bot/engine/turns/processTurn.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { Message } from '../../../models/message.ts';
import { Run } from '../../../models/run.ts';
import type { TurnRow } from '../../../models/turn.ts';
import { addMember, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { keepRun, makeRun, readRun } from '../../factories/runs.ts';
import {
  connectChannel,
  connectTurns,
  file,
  hireFor,
  inEveryAccount,
  keepTurn,
  makeTurn,
  openPlace,
  readMessages,
  readTurn,
  runOfTurn,
  unreadable,
} from '../../factories/turns.ts';

let accountId = 0;
let conversation: ConversationRow;
connectTurns((made) => {
  ({ accountId, conversation } = made);
});
const keep = (more: Partial<TurnRow> = {}, at = conversation) => keepTurn(makeTurn(at, more));
const messages = () => readMessages(accountId);

describe('the author of a message', () => {
  const guest = { userId: null, platformId: 'U1', name: 'x' };
  beforeEach(() => hireFor(accountId, 'developer'));

  test.each([
    ['a member', makeWho({ userId: 77 }), 77],
    ['an admitted guest', null, null],
  ])('is looked up on the platform: %s may start work', async (_what, who, userId) => {
    const asked: unknown[] = [];
    connectChannel({
      async identify(at, platformId) {
        asked.push([String(at._id), platformId]);
        return { platformId, name: 'Grace', who, mayAsk: true };
      },
    });
    const turn = await keep({ speaker: guest, text: 'Hello' });
    await processTurn(turn);
    expect(asked).toEqual([[String(conversation._id), 'U1']]);
    expect(await runOfTurn(turn)).toMatchObject({ userId, status: 'completed' });
  });

  test.each([
    ['who is already identified', { userId: 7, platformId: 'U1', name: 'x' }],
    ['without a platform id', { userId: null, platformId: null, name: 'x' }],
  ])('is not looked up for one %s', async (_what, speaker) => {
    connectChannel({ identify: () => Promise.reject(new Error('asked')) });
    const turn = await keep({ speaker, text: 'Hello' });
    await processTurn(turn);
    expect(await runOfTurn(turn)).toMatchObject({ userId: speaker.userId });
  });

  test('is nobody if the platform can’t be asked', async () => {
    const turn = await keep({ speaker: guest, text: 'Hello' });
    await processTurn(turn);
    expect(await runOfTurn(turn)).toMatchObject({ userId: null });
    // A channel that this process does not have.
    const elsewhere = await keep({ speaker: guest, text: 'Hello', channel: 'teams' });
    await processTurn(elsewhere);
    expect(await runOfTurn(elsewhere)).toMatchObject({ userId: null });
  });
});

describe('a request', () => {
  test('starts one run, with the agent and the words; the next may start before it is worked on', async () => {
    const userAgentId = await hireFor(accountId, 'developer');
    const turn = await keep({ text: '  Hello  ' });
    const order: string[] = [];
    connectChannel({ progress: () => undefined, say: async (_at, { text }) => void order.push(text) as never });
    await processTurn(turn, undefined, () => order.push('next'));
    await writeFinished();
    expect(await runOfTurn(turn)).toMatchObject({
      userAgentId,
      agentId: 'developer',
      goal: '  Hello  ',
      status: 'completed',
    });
    expect((await readTurn(turn)).status).toBe('done');
    await processTurn(turn, conversation);
    expect(await inEveryAccount(() => Run.countDocuments({ accountId }))).toBe(1);
    expect((await messages()).map(({ key }) => key)).toEqual([`turn:${turn._id}`, expect.stringMatching(/^run:/)]);
  });

  test('to stop starts no run where something of theirs is in progress, and is answered where nothing is', async () => {
    const { userId } = await addMember(['member'], { accountId });
    const userAgentId = await hireFor(accountId, 'developer');
    const at = { conversationId: conversation._id, userId, userAgentId, agentId: 'developer' as const };
    const going = await keepRun(makeRun({ accountId, workflow: 'hazard-analysis', ...at }));
    const speaker = { userId, platformId: null, name: 'Ada' };
    const stop = await keep({ text: 'Stop', speaker });
    await processTurn(stop);
    expect(await inEveryAccount(() => Run.exists({ startKey: `turn:${stop._id}` }))).toBeNull();
    expect([(await readRun(going)).cancelRequested, (await readTurn(stop)).status]).toEqual([true, 'done']);
    await inEveryAccount(() => Run.deleteOne({ _id: going._id }));
    const again = await keep({ text: 'Stop', speaker });
    await processTurn(again);
    expect(await runOfTurn(again)).toMatchObject({ status: 'completed' });
    expect((await messages()).at(-1)?.text).toMatch(/^Nothing was stopped by this message/);
  });

  test('whose run another process works on is left to it', async () => {
    await hireFor(accountId, 'developer');
    const turn = await keep({ text: 'Hello' });
    const row = { _id: new Types.ObjectId(), accountId, workflow: 'general-answer', status: 'ready', step: 'answer' };
    await inEveryAccount(() => Run.create({ ...row, agentId: 'developer', startKey: `turn:${turn._id}` } as never));
    await processTurn(turn);
    expect(await runOfTurn(turn)).toMatchObject({ status: 'ready' });
    expect((await readTurn(turn)).status).toBe('done');
  });

  test('needs an onboarded agent', async () => {
    await hireFor(accountId, 'developer', 'hired');
    const turn = await keep({ text: 'Hello' });
    await processTurn(turn);
    expect((await messages()).at(-1)).toMatchObject({ key: `turn:${turn._id}:refused`, kind: 'refused', card: null });
    expect((await readTurn(turn)).status).toBe('done');
  });

  test('needs an agent of the catalogue', async () => {
    const userAgentId = await hireFor(accountId, 'retired' as never);
    await inEveryAccount(() => Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId } }));
    const turn = await keep({ text: 'Hello' });
    await processTurn(turn);
    expect((await messages()).at(-1)).toMatchObject({ key: `turn:${turn._id}:refused`, kind: 'refused' });
  });

  test('that fails through our fault is retried without a notice', async () => {
    await hireFor(accountId, 'developer');
    const fault = new Error('the store is lost');
    const turn = await keep({ text: 'Hello' });
    jest.spyOn(Run.collection, 'insertOne').mockRejectedValueOnce(fault as never);
    await expect(processTurn(turn)).rejects.toBe(fault);
    expect((await readTurn(turn)).status).toBe('stored');
    expect((await messages()).map(({ key }) => key)).toEqual([`turn:${turn._id}`]);
    jest.spyOn(Message.collection, 'insertOne').mockRejectedValueOnce(fault as never);
    await expect(processTurn(turn)).rejects.toBe(fault);
  });

  test('to the safety agent without a log gets a list of options', async () => {
    await hireFor(accountId, 'clinical_safety');
    const turn = await keep({ text: 'Analyse' });
    await processTurn(turn);
    expect((await messages()).at(-1)).toMatchObject({ key: `turn:${turn._id}:refused`, kind: 'log-missing' });
  });

  describe('during an open review', () => {
    const logFileId = new Types.ObjectId();
    let question = 0;
    let who = { userId: 0 };
    beforeEach(async () => {
      await hireFor(accountId, 'clinical_safety');
      who = await addMember(['owner'], { accountId });
      question = nextNumber();
      await inEveryAccount(() => grantCredits(accountId, 1000, 'gift', 'A gift'));
      const runId = new Types.ObjectId();
      await inEveryAccount(() =>
        Conversation.updateOne({ _id: conversation._id }, { $set: { files: { 'hazard-log': logFileId } } }),
      );
      const proposals = [makeProposal(), makeProposal({ id: 'p2' })];
      const draft = { rows: [{ id: 'p1', outcome: 'accepted' }], version: 1, savedAt: null, savedBy: null };
      const row = makeInterrupt({
        _id: question,
        accountId,
        runId,
        askKey: String(question),
        interruptType: 'hazard_review',
        conversationId: conversation._id,
        context: { rows: proposals },
        draft: draft as never,
      });
      await inEveryAccount(() => Interrupt.create(row));
      const waiting = {
        _id: runId,
        accountId,
        workflow: 'hazard-analysis',
        userAgentId: 1,
        agentId: 'clinical_safety',
      };
      await inEveryAccount(() =>
        Run.create({
          ...waiting,
          startKey: String(question),
          conversationId: conversation._id,
          status: 'waiting',
          step: 'ask',
          state: { interruptId: question },
        } as never),
      );
    });
    const confirmation = () => `Start a new analysis and withdraw question ${question}`;
    const ask = async (text: string, more: Partial<TurnRow> = {}) => {
      const turn = await keep({ text, speaker: { userId: who.userId, platformId: null, name: 'Ada' }, ...more });
      await processTurn(turn);
      return (await messages()).filter(({ key }) => key.startsWith(`turn:${turn._id}:`));
    };
    const statusOf = async () => (await inEveryAccount(() => Interrupt.findById(question).lean()))?.status;

    test('gets the number of decided rows, with a button to start again', async () => {
      expect(await ask('Analyse')).toEqual([
        {
          key: expect.any(String),
          kind: 'refused',
          text: expect.stringMatching(/^1 of 2 proposals is decided in the open review/),
          card: { actions: [{ label: 'Start a new analysis', action: 'send', value: confirmation() }] },
        },
      ]);
      expect(await statusOf()).toBe('pending');
    });

    test.each(['handed-over', 'overheard'] as const)('does not withdraw the review if it is %s', async (manner) => {
      expect(await ask(confirmation(), { manner })).toMatchObject([{ kind: 'refused' }]);
      expect(await statusOf()).toBe('pending');
    });

    test('does not withdraw it if its author may not answer', async () => {
      const member = await addMember(['member'], { accountId });
      for (const userId of [member.userId, null])
        expect(await ask(confirmation(), { speaker: { userId, platformId: null, name: 'x' } })).toMatchObject([
          { kind: 'refused', card: null },
        ]);
      expect(await statusOf()).toBe('pending');
    });

    test('withdraws it in the author’s own words', async () => {
      expect(await ask(confirmation())).toEqual([]);
      expect(await statusOf()).toBe('cancelled');
    });
  });
});

describe('files that come with words', () => {
  beforeEach(() => hireFor(accountId, 'clinical_safety'));

  test.each([
    ['Here is our log', false],
    ['Here is our log. What can you do with it?', true],
  ])('are commented by words that only describe them: %j asks for something: %s', async (text, asks) => {
    connectChannel({ fetchFile: async () => unreadable });
    const turn = await keep({ text, files: [file] });
    await processTurn(turn);
    await writeFinished();
    expect((await runOfTurn(turn)) !== null).toBe(asks);
    expect((await readTurn(turn)).status).toBe('done');
  });

  test('matter: without any, the same words are a question', async () => {
    const turn = await keep({ text: 'Here is our log' });
    await processTurn(turn);
    expect(await runOfTurn(turn)).not.toBeNull();
  });

  test('for an agent that takes none leave all words as a request', async () => {
    const at = await openPlace(accountId);
    const userAgentId = await hireFor(accountId, 'developer');
    await inEveryAccount(() => Conversation.updateOne({ _id: at._id }, { $set: { userAgentId } }));
    connectChannel({ fetchFile: async () => unreadable });
    const turn = await keep({ text: 'Here is our log', files: [file] }, at);
    await processTurn(turn);
    expect(await runOfTurn(turn)).toMatchObject({ agentId: 'developer' });
  });

  test('are fetched one by one; a faulty one is reported, and the others are taken in', async () => {
    const asked: unknown[] = [];
    connectChannel({
      async fetchFile(at, it) {
        asked.push([String(at._id), it.fileId]);
        if (it.fileId === 'F1') throw new AppError('too_large');
        return unreadable;
      },
    });
    const turn = await keep({ text: '', files: [file, { fileId: 'F2', name: 'b.csv' }] });
    await processTurn(turn);
    expect(asked).toEqual([
      [String(conversation._id), 'F1'],
      [String(conversation._id), 'F2'],
    ]);
    const said = await messages();
    expect(said).toHaveLength(3);
    expect(said[0]).toMatchObject({
      key: `turn:${turn._id}:0:unfetched`,
      kind: 'refused',
      text: 'Please select a file smaller than 10MB.',
    });
    expect(said.slice(1).map(({ key }) => key)).toEqual([`drop:${turn._id}:1:file`, `drop:${turn._id}:1:refused`]);
  });

  test('are not taken in if that fails through our fault', async () => {
    const fault = new Error('the store is lost');
    connectChannel({ fetchFile: async () => unreadable });
    const turn = await keep({ text: '', files: [file] });
    jest.spyOn(Message.collection, 'insertOne').mockRejectedValueOnce(fault as never);
    await expect(processTurn(turn)).rejects.toBe(fault);
  });

  test('are taken in, and the words processed, even if the conversation was erased meanwhile', async () => {
    connectChannel({
      async fetchFile(at) {
        await inEveryAccount(() => Conversation.deleteOne({ _id: at._id }));
        return unreadable;
      },
    });
    const turn = await keep({ text: 'help', files: [file] });
    await processTurn(turn);
    expect(await runOfTurn(turn)).toMatchObject({ status: 'completed' });
  });

  test('on a channel without file access are skipped, and the words processed', async () => {
    const turn = await keep({ text: 'help', files: [file], channel: 'teams' });
    await processTurn(turn);
    expect(await runOfTurn(turn)).toMatchObject({ status: 'completed' });
  });
});
