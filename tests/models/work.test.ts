/** @environment store */
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../models/store/context.ts';
import { startSweepTimers } from '../../models/store/dueTimers.ts';
import { entity } from '../../models/store/entity.ts';
import { requireRow } from '../../models/store/requireRow.ts';
import { defineWork, LeaseLost, workEvents } from '../../models/store/work.ts';
import { WORK_FIELDS, type WorkKind, type WorkRow } from '../../models/store/workKind.ts';
import { connectTestStore, nextNumber } from '../factories/account.ts';
import { eventually } from '../factories/person.ts';

connectTestStore();

type ErrandRow = WorkRow & {
  _id: Types.ObjectId;
  dueAt: Date;
  attempts: number;
  status: string;
  isSlow?: boolean;
  group?: string | null;
};
const Errand = entity<ErrandRow>({
  name: 'MadeUpErrand',
  collection: 'madeUpErrands',
  scope: 'customer',
  fields: { _id: 'ObjectId', status: String, isSlow: Boolean, group: String, ...WORK_FIELDS },
});

const ERRANDS: WorkKind<ErrandRow> = {
  name: 'deliveries',
  rows: Errand,
  open: { status: 'open' },
  asRead: ({ status }) => ({ status }),
  dead: { status: 'failed' },
  dropped: { status: 'dropped' },
  lanes: [{ isSlow: { $ne: true } }, { isSlow: true }],
  leaseMs: 30_000,
  retry: { attempts: 4, firstWait: 1000, longestWait: 3000, jitter: 0.5 },
  atOnce: 4,
  groupOf: ({ group }) => group ?? null,
};
/** Work as one process knows it: what it holds is its own. */
const startProcess = (more: Partial<WorkKind<ErrandRow>> = {}) => defineWork<ErrandRow>({ ...ERRANDS, ...more });

let accountId = 0;
let here = startProcess();
beforeEach(async () => {
  accountId = nextNumber();
  here = startProcess();
  await Errand.collection.deleteMany({});
});
afterEach(() => {
  jest.restoreAllMocks();
});

const inAccount = <T>(work: () => PromiseLike<T>) => runInAccount(accountId, work);
async function put(more: Partial<ErrandRow> = {}): Promise<ErrandRow> {
  const row = { accountId, _id: new Types.ObjectId(), status: 'open', attempts: 0, dueAt: new Date(0), ...more };
  await runInAccount(row.accountId, () => Errand.create(row));
  return row;
}
const read = async ({ _id }: Pick<ErrandRow, '_id'>) =>
  requireRow(await dangerouslyRunInEveryAccount(() => Errand.findById(_id).lean()));
const claim = async (row: ErrandRow, by = here) => requireRow(await inAccount(() => by.claim(row)));
const secondsUntil = (at: Date) => Math.round((at.getTime() - Date.now()) / 1000) + 0;
const expire = ({ _id }: ErrandRow) => inAccount(() => Errand.updateOne({ _id }, { $set: { dueAt: new Date(0) } }));

/** Sweeps, and notes each row that is worked on. */
async function sweepInto(seen: string[], by = here, name = (row: ErrandRow) => String(row._id)): Promise<number> {
  return by.sweep({
    async handle(row) {
      seen.push(name(row));
      await by.complete(row, { status: 'done' });
      by.letGo(row);
    },
    tellSetAside: async (row) => void seen.push(`set aside ${name(row)}`),
  });
}

describe('a claim', () => {
  test('of eight processes that find a row due, one gets it, under a lease', async () => {
    const row = await put();
    const claims = await inAccount(() => Promise.all(Array.from({ length: 8 }, () => startProcess().claim(row))));
    const won = claims.filter((it) => it !== null);
    expect(won).toHaveLength(1);
    const standing = await read(row);
    expect(standing.lease).toEqual(won[0]?.lease);
    expect(secondsUntil(standing.dueAt)).toBe(30);
  });

  test('is taken over when its lease has expired, and every write under the lost one is refused', async () => {
    const mine = await claim(await put());
    await expire(mine);
    const other = startProcess();
    const theirs = await claim(await read(mine), other);
    const lost = await inAccount(() =>
      Promise.all([
        here.complete(mine, { status: 'done' }),
        here.postpone(mine, new Date(1)),
        here.fail(mine, new Error('late')),
        here.keep(mine, { group: 'late' }).catch((error: unknown) => error instanceof LeaseLost),
      ]),
    );
    expect(lost).toEqual([false, false, 'lost', true]);
    expect(await read(mine)).toMatchObject({ status: 'open', attempts: 0, lease: theirs.lease });
    expect((await read(mine)).group ?? null).toBeNull();
    expect(await inAccount(() => other.complete(theirs, { status: 'done' }))).toBe(true);
    expect(await read(mine)).toMatchObject({ status: 'done', lease: null });
  });

  test('is refused for a row that has something else to do by now', async () => {
    const row = await put();
    await inAccount(() => Errand.updateOne({ _id: row._id }, { $set: { status: 'done' } }));
    expect(await inAccount(() => here.claim(row))).toBeNull();
  });

  test('of a process of this host that has ended is free at once, of another host when it expires', async () => {
    const later = new Date(Date.now() + 20_000);
    const dead = await put({ lease: { owner: `${hostname()}:4194305:x`, id: 'a' }, dueAt: later });
    const elsewhere = await put({ lease: { owner: 'elsewhere:1:x', id: 'b' }, dueAt: later });
    expect(await here.freeFromDeadOwners()).toBe(1);
    const seen: string[] = [];
    expect(await sweepInto(seen)).toBe(1);
    expect(seen).toEqual([String(dead._id)]);
    expect(await read(elsewhere)).toMatchObject({ lease: { id: 'b' }, dueAt: later });
  });

  test('is renewed while it is held, and a holder whose lease is lost is told', async () => {
    const [kept, lost] = [await claim(await put()), await claim(await put())];
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });
    try {
      let finish = () => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const signals: AbortSignal[] = [];
      const holding = inAccount(() =>
        Promise.all(
          [kept, lost].map((row) =>
            here.hold(row, (signal) => {
              signals.push(signal);
              return finished;
            }),
          ),
        ),
      );
      await Promise.all([expire(kept), expire(lost)]);
      await claim(await read(lost), startProcess());
      await eventually(async () => {
        // A faked timer runs in the context of whoever advances it.
        await inAccount(async () => jest.advanceTimersByTime(10_000));
        return (await read(kept)).dueAt.getTime() > Date.now() && signals[1]?.aborted;
      }, 'the renewal');
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
      finish();
      await holding;
    } finally {
      jest.useRealTimers();
    }
  });
});

test('a row that was never written is not taken for one that is worked on here', async () => {
  const row = { ...(await put()), ...here.newClaim() };
  expect(await inAccount(() => here.claim(row))).toBeNull();
  // Its write failed, e.g. on its key; the row that stands is claimed like any other.
  expect(await sweepInto([])).toBe(1);
  const written = await put(here.newClaim());
  here.noteClaim(written);
  await expire(written);
  expect(await sweepInto([])).toBe(0);
});

test('a row without the fields of work, as the release before writes it, is claimed, retried and completed', async () => {
  const _id = new Types.ObjectId();
  await Errand.collection.insertOne({ _id, accountId, status: 'open' } as never);
  const lenient = startProcess({ due: (now) => ({ dueAt: { $not: { $gt: now } } }) });
  expect(await sweepInto([], startProcess())).toBe(0);
  const handlers = {
    handle: (it: ErrandRow) => lenient.fail(it, new Error('busy')),
    tellSetAside: async () => undefined,
  };
  expect(await lenient.sweep(handlers)).toBe(1);
  expect(await read({ _id })).toMatchObject({ status: 'open', attempts: 1, lease: null });
  await expire({ _id } as ErrandRow);
  expect(await sweepInto([], startProcess())).toBe(1);
  expect(await read({ _id })).toMatchObject({ status: 'done' });
});

describe('a failure', () => {
  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('after %i others waits %i seconds, plus or minus half', async (attempts, seconds) => {
    for (const chance of [0, 0.5, 0.999]) {
      const row = await claim(await put({ attempts }));
      jest.spyOn(Math, 'random').mockReturnValue(chance);
      const begun = Date.now();
      expect(await inAccount(() => here.fail(row, new Error('busy')))).toBe('retried');
      const failed = await read(row);
      expect(failed).toMatchObject({ status: 'open', attempts: attempts + 1, error: 'busy', lease: null });
      const waits = (failed.dueAt.getTime() - begun) / 1000;
      expect(waits).toBeGreaterThanOrEqual(seconds * (0.5 + chance) - 0.01);
      expect(waits).toBeLessThan(seconds * (0.5 + chance) + 0.5);
    }
  });

  test('is retried when the other side says', async () => {
    const row = await claim(await put());
    await inAccount(() => here.fail(row, new Error('slow down'), { retryAfter: 77 }));
    expect(secondsUntil((await read(row)).dueAt)).toBe(77);
  });

  test('is given up exactly after its policy, or at once where no retry helps, and then it rests', async () => {
    const row = await put();
    const outcomes: string[] = [];
    const told: number[] = [];
    const fail = () =>
      here.sweep({
        handle: async (it) => {
          const beforeGivenUp = async () => void told.push(it.attempts);
          outcomes.push(await here.fail(it, new Error('busy'), { beforeGivenUp }));
          here.letGo(it);
        },
        tellSetAside: async () => undefined,
      });
    for (let time = 0; time < 6; time += 1) {
      await fail();
      await expire(row);
    }
    expect(outcomes).toEqual(['retried', 'retried', 'retried', 'given_up']);
    expect(told).toEqual([3]);
    expect(await read(row)).toMatchObject({ status: 'failed', attempts: 4, error: 'busy' });
    const final = await claim(await put());
    expect(await inAccount(() => here.fail(final, new Error('gone'), { isFinal: true }))).toBe('given_up');
  });

  test('that can’t be told is retried instead of given up', async () => {
    const row = await claim(await put({ attempts: 9 }));
    const beforeGivenUp = () => Promise.reject(new Error('the store is lost'));
    expect(await inAccount(() => here.fail(row, new Error('busy'), { beforeGivenUp }))).toBe('retried');
    expect(await read(row)).toMatchObject({ status: 'open', attempts: 10 });
  });

  test('that ended the process each time is set aside the third time, and said', async () => {
    const row = await put({ begun: 1 });
    const seen: string[] = [];
    const crash = { handle: async (it: ErrandRow) => here.letGo(it), tellSetAside: async () => void seen.push('told') };
    await here.sweep(crash);
    expect(await read(row)).toMatchObject({ status: 'open', begun: 2 });
    await expire(row);
    await here.sweep(crash);
    expect(seen).toEqual(['told']);
    expect(await read(row)).toMatchObject({ status: 'failed', begun: 3, error: 'ended the process each time' });
  });
});

describe('a sweep', () => {
  test('lets one account with 1,000 rows not delay another’s one', async () => {
    const flooding = accountId;
    await Errand.collection.insertMany(
      Array.from({ length: 1000 }, () => ({
        ...{ _id: new Types.ObjectId(), accountId: flooding, status: 'open', attempts: 0, dueAt: new Date(0) },
      })) as never[],
    );
    const other = await put({ accountId: nextNumber() });
    const seen: string[] = [];
    await sweepInto(seen, here, (row) => (String(row._id) === String(other._id) ? 'other' : 'flood'));
    expect(seen.indexOf('other')).toBeGreaterThanOrEqual(0);
    expect(seen.indexOf('other')).toBeLessThanOrEqual(ERRANDS.atOnce);
  });

  test('works first on what a person waits for, whatever is older', async () => {
    for (const isSlow of [true, true, true, false, false]) await put({ isSlow });
    const seen: string[] = [];
    await sweepInto(seen, startProcess({ atOnce: 1 }), ({ isSlow }) => (isSlow ? 'schedule' : 'person'));
    expect(seen).toEqual(['person', 'person', 'schedule', 'schedule', 'schedule']);
  });

  test('works on so many at once as the process may, on half of them for one account, and in order in a group', async () => {
    const others = nextNumber();
    for (let index = 0; index < 6; index += 1) await put();
    for (let index = 0; index < 3; index += 1) await put({ accountId: others, group: 'thread' });
    const running = new Map<number, number>();
    const most = new Map<number, number>();
    let atOnce = 0;
    const order: string[] = [];
    await here.sweep({
      async handle(row) {
        const now = (running.get(row.accountId) ?? 0) + 1;
        running.set(row.accountId, now);
        most.set(row.accountId, Math.max(most.get(row.accountId) ?? 0, now));
        atOnce = Math.max(
          atOnce,
          [...running.values()].reduce((sum, it) => sum + it),
        );
        if (row.group) order.push(String(row._id));
        await here.complete(row, { status: 'done' });
        running.set(row.accountId, (running.get(row.accountId) ?? 0) - 1);
        here.letGo(row);
      },
      tellSetAside: async () => undefined,
    });
    expect(most.get(accountId)).toBe(2);
    expect(most.get(others)).toBe(1);
    expect(atOnce).toBe(3);
    expect(order).toEqual(order.toSorted());
  });

  test('works alone on what was under way when the process ended, so that the next end can be attributed', async () => {
    for (let index = 0; index < 3; index += 1) await put({ begun: 1 });
    let [running, most] = [0, 0];
    await here.sweep({
      async handle(row) {
        running += 1;
        most = Math.max(most, running);
        await here.complete(row, { status: 'done' });
        running -= 1;
        here.letGo(row);
      },
      tellSetAside: async () => undefined,
    });
    expect(most).toBe(1);
  });

  test('leaves what is not due, and a row that fails without an outcome to its lease', async () => {
    await put({ dueAt: new Date(Date.now() + 60_000) });
    const row = await put();
    const broken = { handle: () => Promise.reject(new Error('a defect')), tellSetAside: async () => undefined };
    expect(await here.sweep(broken)).toBe(1);
    expect(await here.sweep(broken)).toBe(0);
    expect(await read(row)).toMatchObject({ status: 'open', begun: 1, attempts: 0 });
  });

  test('sets a timer for what is put off', async () => {
    const none = async () => undefined;
    const stop = startSweepTimers({ consequences: none, runs: none, turns: none, deliveries: none });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const row = await claim(await put());
    await inAccount(() => here.postpone(row, new Date(Date.now() + 50_000)));
    stop();
    expect(timers.mock.calls.filter(([, wait]) => Number(wait) > 45_000)).toHaveLength(1);
    expect(await read(row)).toMatchObject({ attempts: 0, lease: null });
  });
});

test('a cancelled row is ended at once, and its holder is told and can write nothing', async () => {
  const [held, free, done] = [await claim(await put()), await put(), await put({ status: 'done' })];
  let signal: AbortSignal | undefined;
  let finish = () => {};
  const holding = inAccount(() =>
    here.hold(held, (given) => {
      signal = given;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    }),
  );
  const ids = [held, free, done].map(({ _id }) => _id);
  expect(await inAccount(() => here.cancel({ _id: { $in: ids } }, { status: 'cancelled' }))).toBe(2);
  expect(signal?.aborted).toBe(true);
  expect(await inAccount(() => here.complete(held, { status: 'done' }))).toBe(false);
  finish();
  await holding;
  expect(await Promise.all([held, free, done].map(async (row) => (await read(row)).status))).toEqual([
    'cancelled',
    'cancelled',
    'done',
  ]);
});

test('what was given up is tried again with all of its attempts, or dropped, once', async () => {
  const [again, over, open] = [
    await put({ status: 'failed', attempts: 4, begun: 2, error: 'busy' }),
    await put({ status: 'failed' }),
    await put(),
  ];
  const results = await inAccount(async () => [
    await Promise.all([
      here.reopen({ _id: again._id }, { status: 'open' }),
      here.reopen({ _id: again._id }, { status: 'open' }),
    ]),
    await Promise.all([here.drop({ _id: over._id }), here.drop({ _id: over._id })]),
    [await here.reopen({ _id: open._id }, {}), await here.drop({ _id: open._id })],
  ]);
  expect(results.map((both) => both.filter(Boolean).length)).toEqual([1, 1, 0]);
  expect(await read(again)).toMatchObject({ status: 'open', attempts: 0, begun: 0, error: null });
  expect(secondsUntil((await read(again)).dueAt)).toBe(0);
  expect(await read(over)).toMatchObject({ status: 'dropped' });
});

test('every change is traced, without content', async () => {
  const traced: string[] = [];
  const listen = ({ kind, event, row }: { kind: string; event: string; row: string }) =>
    traced.push(`${kind} ${event} ${row}`);
  workEvents.on('work', listen);
  const row = await put();
  const mine = await claim(row);
  await inAccount(() => here.fail(mine, new Error('busy')));
  await inAccount(() => here.complete(mine, { status: 'done' }));
  workEvents.off('work', listen);
  expect(traced).toEqual(['claimed', 'retried', 'lost'].map((event) => `deliveries ${event} ${row._id}`));
});
