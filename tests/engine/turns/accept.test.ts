/** @environment store */
import { describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { arcAddress } from '../../../bot/engine/conversations/conversations.ts';
import { acceptMessage } from '../../../bot/engine/turns/acceptMessage.ts';
import { acceptTurn } from '../../../bot/engine/turns/acceptTurn.ts';
import { adjustSlots, runWhenSlotFree } from '../../../bot/engine/turns/concurrency.ts';
import { inOrder, noteLeftToSweeper, waitForEarlier } from '../../../bot/engine/turns/order.ts';
import { requireAgent, startWork } from '../../../bot/engine/turns/startWork.ts';
import type { Asker } from '../../../bot/engine/workflows/supersede.ts';
import { registerWorkflow } from '../../../bot/engine/workflows/workflow.ts';
import type { Turn as Said } from '../../../models/contracts/turn.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { Run } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt, makeProposal } from '../../factories/interrupt.ts';
import { eventually } from '../../factories/person.ts';
import { keepRun, readRun } from '../../factories/runs.ts';
import {
  connectChannel,
  connectTurns,
  hireFor,
  inEveryAccount,
  keepTurn,
  makeTurn,
  openPlace,
  readMessages,
  readTurn,
  runOfTurn,
} from '../../factories/turns.ts';

let accountId = 0;
let conversation: ConversationRow;
connectTurns((made) => {
  ({ accountId, conversation } = made);
});

const makeSaid = (more: Partial<Said> = {}): Said => ({
  channel: 'slack',
  address: conversation.address,
  speaker: { userId: 7, platformId: 'U7', name: 'Ada' },
  text: 'Hello',
  manner: 'said',
  files: [],
  eventId: String(nextNumber()),
  ...more,
});
const accept = (more: Partial<Said> = {}, clientId?: string, at = conversation) =>
  runInAccount(at.accountId, () => acceptTurn(at, makeSaid(more), { clientId }));
const untilStatus = (turn: Pick<TurnRow, '_id'>, status: TurnRow['status']) =>
  eventually(async () => (await readTurn(turn)).status === status, `the turn to be ${status}`);
const messages = async () => (await readMessages(accountId)).map(({ text }) => text);

describe('a person’s message', () => {
  test('is stored unchanged, and processed in the background', async () => {
    const developer = await hireFor(accountId, 'developer');
    const said = makeSaid({ text: 'Hello there' });
    const start = Date.now();
    const { turn, first } = await runInAccount(accountId, () => acceptTurn(conversation, said, { clientId: 'c1' }));
    expect(first).toBe(true);
    expect(turn).toMatchObject({
      ...said,
      accountId,
      conversationId: conversation._id,
      clientId: 'c1',
      status: 'stored',
      attempts: 0,
    });
    expect(turn.createdAt.getTime()).toBeGreaterThanOrEqual(start);
    expect(turn.dueAt.getTime()).toBeGreaterThanOrEqual(start);
    await untilStatus(turn, 'done');
    const run = await eventually(
      async () => ((await runOfTurn(turn))?.status === 'completed' ? runOfTurn(turn) : null),
      'the run to end',
    );
    expect(run).toMatchObject({ userAgentId: developer, goal: 'Hello there', userId: 7, channel: 'slack' });
    expect(await messages()).toEqual(['Hello there', expect.stringMatching(/^Hello\. Say “help”/)]);
  });

  test('is processed once, however often the platform sends it', async () => {
    const eventId = String(nextNumber());
    const one = await accept({ eventId });
    const again = await accept({ eventId, text: 'Something else' });
    expect([one.first, again.first, String(again.turn._id)]).toEqual([true, false, String(one.turn._id)]);
    expect(again.turn.text).toBe('Hello');
    const elsewhere = await accept({ eventId, channel: 'teams' });
    expect(elsewhere.first).toBe(true);
    await Promise.all([one, elsewhere].map(({ turn }) => untilStatus(turn, 'done')));
    expect((await messages()).filter((text) => text === 'Something else')).toEqual([]);
  });

  test('is refused if it could not be stored, or belongs to another company’s event', async () => {
    const eventId = String(nextNumber());
    const { turn } = await accept({ eventId });
    const theirs = await openPlace(nextNumber());
    await expect(accept({ eventId }, undefined, theirs)).rejects.toMatchObject({ code: 11000 });
    await untilStatus(turn, 'done');
    const fault = new Error('the store is lost');
    jest.spyOn(Turn.collection, 'insertOne').mockRejectedValueOnce(fault as never);
    await expect(accept()).rejects.toBe(fault);
  });

  test('is processed after earlier ones, with their effects', async () => {
    await hireFor(accountId, 'developer');
    const marketer = await hireFor(accountId, 'marketer');
    const [one, two] = [await accept({ text: 'Mina, hello' }), await accept({ text: 'And now?' })];
    await Promise.all([one, two].map(({ turn }) => untilStatus(turn, 'done')));
    expect([(await runOfTurn(one.turn))?.userAgentId, (await runOfTurn(two.turn))?.userAgentId]).toEqual([
      marketer,
      marketer,
    ]);
  });

  test('that can’t be processed is left to the sweeper, holds back later ones, and blocks nobody for ever', async () => {
    const error = jest.spyOn(logger, 'error').mockReturnValue(undefined);
    const fetchFile = () => Promise.reject(Object.assign(new Error('later'), { retryAfter: 1 }));
    connectChannel({ fetchFile });
    const { turn } = await accept({ text: '', files: [{ fileId: 'F1', name: 'log.csv' }] });
    await eventually(async () => error.mock.calls.length > 0, 'the failure to be noted');
    expect((await readTurn(turn)).status).toBe('stored');
    const next = makeTurn(conversation);
    const waits = inEveryAccount(() => waitForEarlier(next, conversation));
    let over = false;
    void waits.then(() => {
      over = true;
    });
    await readTurn(turn);
    expect(over).toBe(false);
    await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } }));
    expect(await waits).toBe(true);
    const { turn: later } = await accept();
    await untilStatus(later, 'done');
  });

  test('waits for files that another process takes in, and sees their effect', async () => {
    await hireFor(accountId, 'developer');
    const marketer = await hireFor(accountId, 'marketer');
    noteLeftToSweeper(conversation);
    const createdAt = new Date(Date.now() - 1000);
    const earlier = await keepTurn(makeTurn(conversation, { files: [{ fileId: 'F1', name: 'log.csv' }], createdAt }));
    const looks = jest.spyOn(Turn, 'exists');
    const { turn } = await accept();
    await eventually(async () => looks.mock.calls.length > 0, 'the earlier turn to be looked for');
    await inEveryAccount(() => Conversation.updateOne({ _id: conversation._id }, { $set: { userAgentId: marketer } }));
    await inEveryAccount(() => Turn.updateOne({ _id: earlier._id }, { $set: { status: 'done' } }));
    await untilStatus(turn, 'done');
    expect((await runOfTurn(turn))?.userAgentId).toBe(marketer);
  });

  describe('in a burst', () => {
    /** Takes all places, and keeps others waiting, until released. */
    function fill(count: number) {
      const ends: (() => void)[] = [];
      const taken = Array.from({ length: count }, () =>
        runWhenSlotFree(() => new Promise<void>((end) => void ends.push(end))),
      );
      const letGo = async () => {
        let left = taken.filter(Boolean).length;
        while (left > 0) {
          const begun = ends.splice(0);
          for (const end of begun) end();
          left -= begun.length;
          await new Promise(setImmediate);
        }
      };
      return { ends, letGo };
    }

    test('beyond the limit is left to the sweeper, and blocks nobody', async () => {
      const warn = jest.spyOn(logger, 'warn').mockReturnValue(undefined);
      const { letGo } = fill(1008);
      const { turn } = await accept();
      expect(warn.mock.calls.map(([, text]) => text)).toEqual(['too many turns waiting: left to the sweeper']);
      await letGo();
      const { turn: next } = await accept();
      await untilStatus(next, 'done');
      expect((await readTurn(turn)).status).toBe('stored');
    });

    test('that is stored quickly leaves all places in use', async () => {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(5000);
      // As many as there can be places, because earlier stores may have been slow.
      const turns = [];
      for (let count = 0; count < 8; count += 1) turns.push(await accept());
      clock.mockRestore();
      for (const { turn } of turns) await untilStatus(turn, 'done');
      const { ends, letGo } = fill(9);
      await new Promise(setImmediate);
      expect(ends).toHaveLength(8);
      await letGo();
    });

    test('that is stored slowly leaves fewer places in use', async () => {
      let now = 0;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
        now += 100;
        return now;
      });
      const turns = [await accept(), await accept(), await accept(), await accept()];
      clock.mockRestore();
      for (const { turn } of turns) await untilStatus(turn, 'done');
      const { ends, letGo } = fill(8);
      await new Promise(setImmediate);
      expect(ends).toHaveLength(1);
      for (let times = 0; times < 8; times += 1) adjustSlots(1);
      await letGo();
    });
  });

  test.each([
    [4999, 'done', true],
    [4999, 'stored', true],
    [5000, 'done', false],
    [5000, 'stored', true],
  ] as const)('that waited %i ms and is %s by then is processed: %s', async (milliseconds, status, is) => {
    let release = () => {};
    inOrder(conversation, (over) => {
      release = over;
    });
    let now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const { turn } = await accept({ text: 'Slow' });
    const { turn: after } = await accept({ text: 'After it' });
    await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $set: { status } }));
    now += milliseconds;
    release();
    await untilStatus(after, 'done');
    expect((await messages()).includes('Slow')).toBe(is);
  });
});

describe('a member’s message in arc-chat', () => {
  const hear = (who: ReturnType<typeof makeWho>, text: string, clientId?: string) =>
    runInAccount(who.accountId, () => acceptMessage(who, text, { clientId }));

  test('is theirs, in their own chat', async () => {
    const who = makeWho({ accountId });
    const turn = await readTurn({ _id: new Types.ObjectId(await hear(who, 'Hello', 'c1')) });
    expect(turn).toMatchObject({
      channel: 'arc',
      address: arcAddress(who.userId),
      speaker: { userId: who.userId, platformId: null, name: 'Ada Okafor' },
      text: 'Hello',
      manner: 'said',
      files: [],
      clientId: 'c1',
      eventId: `${accountId}:${who.userId}:c1`,
    });
    await untilStatus(turn, 'done');
  });

  test('is the same message if the page sends it again with its client id, and another one without', async () => {
    const [who, colleague] = [makeWho({ accountId }), makeWho({ accountId })];
    const one = await hear(who, 'Hello', 'c1');
    expect(await hear(who, 'Hello', 'c1')).toBe(one);
    const others = [await hear(colleague, 'Hello', 'c1'), await hear(who, 'Hello', 'c2'), await hear(who, 'Hello')];
    others.push(await hear(who, 'Hello'));
    expect(new Set([one, ...others]).size).toBe(5);
    for (const id of [one, ...others]) await untilStatus({ _id: new Types.ObjectId(id) }, 'done');
    expect((await readTurn({ _id: new Types.ObjectId(others[3]) })).clientId).toBeNull();
  });
});

describe('work that is started by a call', () => {
  registerWorkflow({
    name: 'test-exclusive',
    title: 'A test',
    first: 'end',
    reserve: 0,
    exclusive: { noun: 'survey', replaced: 'Its notes are gone.', keeps: 'Notes are kept.' },
    steps: { end: { label: 'End', run: async () => ({ done: { output: 'done' } }) } },
  });

  test('runs in the caller’s chat, once per key', async () => {
    const who = makeWho({ accountId });
    const _id = await hireFor(accountId, 'developer');
    const start = (startKey: string) =>
      runInAccount(accountId, async () =>
        startWork(who, await requireAgent(who, _id), startKey, {
          workflow: 'general-answer',
          goal: 'Try',
          state: { a: 1 },
        }),
      );
    const run = await start('call-1');
    const chat = await openPlace(accountId, arcAddress(who.userId));
    expect(run).toMatchObject({
      workflow: 'general-answer',
      goal: 'Try',
      userId: who.userId,
      userAgentId: _id,
      agentId: 'developer',
      startKey: 'call-1',
      state: { a: 1 },
      conversationId: chat._id,
      channel: 'arc',
    });
    expect((await start('call-1'))._id).toEqual(run._id);
    expect((await start('call-2'))._id).not.toEqual(run._id);
    await eventually(
      async () => (await inEveryAccount(() => Run.countDocuments({ accountId, status: 'completed' }))) === 2,
      'both to end',
    );
    expect(await messages()).toHaveLength(2);
  });

  test('that another process works on is left to it', async () => {
    const who = makeWho({ accountId });
    const _id = await hireFor(accountId, 'developer');
    const row = { workflow: 'general-answer', agentId: 'developer', startKey: 'theirs', step: 'answer' } as const;
    const theirs = await keepRun({ ...row, accountId, conversationId: conversation._id });
    const route = { workflow: 'general-answer', goal: 'Try', state: {} };
    const run = await runInAccount(accountId, async () =>
      startWork(who, await requireAgent(who, _id), 'theirs', route),
    );
    expect(run._id).toEqual(theirs._id);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await messages()).toEqual([]);
    expect(await readRun(theirs)).toMatchObject({ status: 'ready', version: 1 });
  });

  test('withdraws the open question that its caller names, and no other', async () => {
    const who = makeWho({ accountId });
    const userAgentId = await hireFor(accountId, 'developer');
    const chat = await openPlace(accountId, arcAddress(who.userId));
    const [runId, question] = [new Types.ObjectId(), nextNumber()];
    const waiting = {
      ...makeInterrupt({ _id: question, accountId, runId, askKey: String(question), conversationId: chat._id }),
      interruptType: 'hazard_review',
      context: { rows: [makeProposal()] },
      draft: { rows: [{ id: 'p1', outcome: 'accepted' }], version: 1, savedAt: null, savedBy: null },
    };
    await inEveryAccount(() => Interrupt.create(waiting as never));
    const row = {
      _id: runId,
      accountId,
      workflow: 'test-exclusive',
      userAgentId,
      agentId: 'developer',
      startKey: 'old',
    };
    const state = { interruptId: question };
    await inEveryAccount(() =>
      Run.create({ ...row, conversationId: chat._id, status: 'waiting', step: 'end', state, goal: 'Old' } as never),
    );
    const start = (withdraws?: number, asker: Asker = { who, withdraws }) =>
      runInAccount(accountId, async () => {
        const route = { workflow: 'test-exclusive', goal: 'New', state: {} };
        return startWork(who, await requireAgent(who, userAgentId), 'new', route, asker);
      });
    await expect(start()).rejects.toMatchObject({ code: 'review_open' });
    await expect(start(question + 1)).rejects.toMatchObject({ code: 'review_open' });
    await expect(start(question, 'schedule')).rejects.toMatchObject({ code: 'review_open' });
    const run = await start(question);
    expect((await inEveryAccount(() => Interrupt.findById(question).lean()))?.status).toBe('cancelled');
    await eventually(
      async () => (await inEveryAccount(() => Run.findById(run._id).lean()))?.status === 'completed',
      'the new run to end',
    );
  });

  test('needs an agent that exists', async () => {
    const who = makeWho({ accountId });
    const route = { workflow: 'general-answer', goal: 'Try', state: {} };
    const gone = { _id: 1, accountId, agentId: 'gone' } as never;
    await expect(runInAccount(accountId, () => startWork(who, gone, 'k', route))).rejects.toMatchObject({
      code: 'agent_not_ready',
    });
  });
});
