/** @environment store */
import { hostname } from 'node:os';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { writeFinished } from '../../../bot/engine/turns/finishTurns.ts';
import { waitForEarlier } from '../../../bot/engine/turns/order.ts';
import { processTurn } from '../../../bot/engine/turns/processTurn.ts';
import { sweepTurns } from '../../../bot/engine/turns/sweepTurns.ts';
import { turns } from '../../../bot/engine/turns/turnWork.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Run } from '../../../models/run.ts';
import { startSweepTimers } from '../../../models/store/dueTimers.ts';
import { Turn, type TurnRow } from '../../../models/turn.ts';
import { eventually } from '../../factories/person.ts';
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

describe('the sweep of turns', () => {
  const long = () => new Date(Date.now() - 30_000);
  const old = () => ({ createdAt: long(), dueAt: new Date(0), text: 'Hello' });
  beforeEach(() => inEveryAccount(() => Turn.updateMany({ status: 'stored' }, { $set: { status: 'failed' } })));

  test('executes the run of an unfinished turn, and counts what it claimed', async () => {
    await hireFor(accountId, 'developer');
    const left = [await keep(old()), await keep(old(), await openPlace(accountId))];
    expect(await sweepTurns()).toBe(2);
    for (const turn of left)
      await eventually(async () => (await runOfTurn(turn))?.status === 'completed', 'the run to be worked');
    await writeFinished();
    expect(await sweepTurns()).toBe(0);
  });

  test('of another process are left until their lease has expired, and freed at once where that process has ended', async () => {
    const later = new Date(Date.now() + 60_000);
    const held = await keep({ ...old(), lease: { owner: 'elsewhere:1:x', id: 'a' }, dueAt: later });
    const expired = await keep({ ...old(), lease: { owner: 'elsewhere:1:x', id: 'b' } }, await openPlace(accountId));
    const dead = { owner: `${hostname()}:4194305:x`, id: 'c' };
    const left = await keep({ ...old(), lease: dead, dueAt: later }, await openPlace(accountId));
    expect(await sweepTurns()).toBe(1);
    expect((await Promise.all([held, expired, left].map(readTurn))).map(({ status }) => status)).toEqual([
      'stored',
      'done',
      'stored',
    ]);
    await turns.freeFromDeadOwners();
    expect(await sweepTurns()).toBe(1);
    expect((await readTurn(left)).status).toBe('done');
  });

  test.each([
    [9000, 0],
    [11_000, 1],
  ])('of the release before, without a lease, are left to it for ten seconds: after %i ms %i', async (age, times) => {
    const turn = await keep({ ...old(), createdAt: new Date(Date.now() - age) });
    await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $unset: { lease: 1 } }));
    expect(await sweepTurns()).toBe(times);
  });

  test('that are handled elsewhere by now are not finished by a process that hung', async () => {
    const turn = await keep({ ...old(), text: '', files: [file], ...turns.newClaim() });
    const theirs = { owner: 'elsewhere:1:x', id: 'theirs' };
    connectChannel({
      async fetchFile() {
        await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $set: { lease: theirs } }));
        return unreadable;
      },
    });
    await processTurn(turn);
    expect(await readTurn(turn)).toMatchObject({ status: 'stored', lease: theirs });
    await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } }));
  });

  test('claims turns in the order in which they were sent', async () => {
    const later = await keep({ ...old(), text: 'Second' });
    const earlier = await keep({ ...old(), text: 'First', createdAt: new Date(Date.now() - 40_000) });
    const order: string[] = [];
    connectChannel({ identify: async (_at, id) => void order.push(id) as never });
    for (const [turn, platformId] of [
      [later, 'later'],
      [earlier, 'earlier'],
    ] as const)
      await inEveryAccount(() =>
        Turn.updateOne({ _id: turn._id }, { $set: { speaker: { userId: null, platformId, name: 'x' } } }),
      );
    await sweepTurns();
    expect(order).toEqual(['earlier', 'later']);
  });

  test('does not process a turn again that has its run', async () => {
    const turn = await keep(old());
    const row = {
      _id: new Types.ObjectId(),
      accountId,
      workflow: 'general-answer',
      status: 'completed',
      step: 'answer',
    };
    await inEveryAccount(() => Run.create({ ...row, startKey: `turn:${turn._id}` } as never));
    await sweepTurns();
    await writeFinished();
    expect((await readTurn(turn)).status).toBe('done');
    expect(await messages()).toEqual([]);
  });

  test('leaves finished turns alone, however often they were started', async () => {
    const over = [
      await keep({ ...old(), status: 'done', begun: 2 }),
      await keep({ ...old(), status: 'failed', begun: 2 }),
    ];
    expect(await sweepTurns()).toBe(0);
    expect((await Promise.all(over.map(readTurn))).map(({ status }) => status)).toEqual(['done', 'failed']);
    expect(await messages()).toEqual([]);
  });

  test('leaves alone what this process is processing', async () => {
    const turn = await keep({ ...old(), createdAt: new Date(Date.now() - 30_000) });
    turns.noteClaim(turn);
    await sweepTurns();
    expect(await messages()).toEqual([]);
    turns.letGo(turn);
    await sweepTurns();
    expect((await messages()).length).toBeGreaterThan(0);
  });

  test.each([
    ['was never started', { begun: 0 }, 1],
    ['was stored before beginnings were counted', { begun: undefined }, 1],
    ['was started once', { begun: 1 }, 2],
  ])('counts the start of a turn that %s, and of two sweeps one starts it', async (_what, more, after) => {
    const begun: unknown[] = [];
    // It was stored earlier, is not due yet, and does not change.
    const other = await keep({ ...old(), dueAt: new Date(Date.now() + 60_000), ...more } as Partial<TurnRow>);
    const turn = await keep({ ...old(), text: '', files: [file], ...more } as Partial<TurnRow>);
    if (more.begun === undefined)
      await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $unset: { begun: 1 } }));
    connectChannel({
      async fetchFile() {
        begun.push((await readTurn(turn)).begun);
        return unreadable;
      },
    });
    await Promise.all([sweepTurns(), sweepTurns()]);
    expect(begun).toEqual([after]);
    expect((await readTurn(other)).begun ?? 0).toBe(more.begun ?? 0);
  });

  test('leaves a turn that was processed elsewhere after it was found', async () => {
    const first = await keep({ ...old(), text: '', files: [file], createdAt: new Date(Date.now() - 40_000) });
    const elsewhere = await openPlace(accountId);
    const second = await keep({ ...old(), begun: 1 }, elsewhere);
    connectChannel({
      async fetchFile() {
        await inEveryAccount(() => Turn.updateOne({ _id: second._id }, { $set: { status: 'done' } }));
        return unreadable;
      },
    });
    await sweepTurns();
    expect((await readTurn(first)).status).toBe('done');
    expect(await readTurn(second)).toMatchObject({ status: 'done', begun: 1 });
    expect((await messages()).filter(({ key }) => key.includes(String(second._id)))).toEqual([]);
  });

  test('sets aside a turn that crashed the process each time, says so, and changes no other', async () => {
    const other = await keep({ ...old(), dueAt: new Date(Date.now() + 60_000) });
    const turn = await keep({ ...old(), begun: 2 });
    await sweepTurns();
    expect([(await readTurn(turn)).status, (await readTurn(other)).status]).toEqual(['failed', 'stored']);
    expect(await messages()).toMatchObject([
      { key: `turn:${turn._id}:failed`, kind: 'refused', text: expect.stringMatching(/^Arc stopped each time/) },
    ]);
  });

  test('does not set aside a turn that was finished while it was looked at', async () => {
    const turn = await keep({ ...old(), begun: 2 });
    const look = async () => {
      await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } }));
      return null;
    };
    jest.spyOn(Conversation, 'findById').mockReturnValue({ lean: look } as never);
    await sweepTurns();
    expect((await readTurn(turn)).status).toBe('done');
  });

  describe('with a failing turn', () => {
    beforeEach(() =>
      connectChannel({ fetchFile: () => Promise.reject(Object.assign(new Error('later'), { retryAfter: 1 })) }),
    );
    const failing = (more: Partial<TurnRow> = {}) => keep({ ...old(), text: '', files: [file], ...more });

    test('continues with the others, and retries it later', async () => {
      const elsewhere = await openPlace(accountId);
      const other = await keep({ ...old(), dueAt: new Date(Date.now() + 60_000) }, elsewhere);
      const turn = await failing();
      const next = await keep(old(), await openPlace(accountId));
      await sweepTurns();
      expect([(await readTurn(turn)).attempts, (await readTurn(other)).attempts]).toEqual([1, 0]);
      expect((await readTurn(next)).status).toBe('done');
    });

    test('counts from zero if it was stored before failures were counted', async () => {
      const turn = await failing();
      await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $unset: { attempts: 1 } }));
      await sweepTurns();
      expect((await readTurn(turn)).attempts).toBe(1);
    });

    test('sets a timer for the next attempt, and later messages wait for it', async () => {
      const stop = startSweepTimers({
        consequences: async () => undefined,
        runs: async () => undefined,
        turns: async () => undefined,
        deliveries: async () => undefined,
      });
      const timers = jest.spyOn(globalThis, 'setTimeout');
      const turn = await failing();
      await sweepTurns();
      const waits = timers.mock.calls.map(([, wait]) => Number(wait)).filter((wait) => wait > 10_000 && wait < 19_000);
      expect(waits).toHaveLength(1);
      stop();
      let over = false;
      const waiting = inEveryAccount(() => waitForEarlier(makeTurn(conversation), conversation));
      void waiting.then(() => {
        over = true;
      });
      await readTurn(turn);
      expect(over).toBe(false);
      await inEveryAccount(() => Turn.updateOne({ _id: turn._id }, { $set: { status: 'done' } }));
      expect(await waiting).toBe(true);
    });

    test('gives it up in the end, says so, and sets no more timers', async () => {
      const stop = startSweepTimers({
        consequences: async () => undefined,
        runs: async () => undefined,
        turns: async () => undefined,
        deliveries: async () => undefined,
      });
      const timers = jest.spyOn(globalThis, 'setTimeout');
      const turn = await failing({ attempts: 6 });
      await sweepTurns();
      expect((await readTurn(turn)).status).toBe('failed');
      expect(await messages()).toMatchObject([
        { key: `turn:${turn._id}:failed`, kind: 'refused', text: expect.stringMatching(/^I could not process/) },
      ]);
      expect(timers.mock.calls.filter(([, wait]) => Number(wait) > 100_000)).toEqual([]);
      stop();
    });

    test('continues with the others if its conversation was erased meanwhile', async () => {
      connectChannel({
        async fetchFile(at) {
          await inEveryAccount(() => Conversation.deleteOne({ _id: at._id }));
          throw Object.assign(new Error('later'), { retryAfter: 1 });
        },
      });
      const turn = await failing();
      const next = await keep(old(), await openPlace(accountId));
      await sweepTurns();
      expect(await readTurn(turn)).toMatchObject({ status: 'stored', attempts: 1 });
      expect((await readTurn(next)).status).toBe('done');
    });

    test('ends it if its conversation is gone', async () => {
      const turn = await keep({ ...old(), conversationId: new Types.ObjectId(), attempts: 6, begun: 2 });
      await sweepTurns();
      expect((await readTurn(turn)).status).toBe('failed');
      expect(await messages()).toEqual([]);
    });
  });
});
