import { EventEmitter } from 'node:events';
import { Types } from 'mongoose';
import { LIMITS } from '../contracts/limits.ts';
import { env } from '../env.ts';
import { logger } from '../logger.ts';
import { backOff } from './backOff.ts';
import { runInAccount } from './context.ts';
import { type Swept, scheduleSweep } from './dueTimers.ts';
import { makeFairQueue } from './fairQueue.ts';
import { findDueFairly, freeFromDeadOwners } from './findDue.ts';
import { processName } from './processName.ts';
import type { Filter, WorkHandlers, WorkKind, WorkRow } from './workKind.ts';

/** What happened to a row, for the trace. */
type WorkEvent = {
  kind: Swept;
  event: 'claimed' | 'completed' | 'postponed' | 'retried' | 'given_up' | 'lost' | 'cancelled' | 'reopened' | 'dropped';
  row: string;
  accountId: number | null;
  attempts: number;
};
/** What a claim writes. */
type Claim = { dueAt: Date; lease: NonNullable<WorkRow['lease']>; attempts: number; begun: number; error: null };
/** Emits every change of any work: for metrics and tests. */
export const workEvents = new EventEmitter<{ work: [WorkEvent] }>();

/** The lease was lost while the row was worked on: somebody else has it, or it was cancelled. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Characters of an error that are stored. */
const MAX_ERROR = 500;
/** The error of a row that ended the process on every attempt. */
const ENDED_THE_PROCESS = 'ended the process each time';

type Failure = {
  /** No retry can help. */
  isFinal?: boolean;
  /** Seconds after which the other side wants to be asked again. */
  retryAfter?: number | undefined;
  /** Called before the row is given up; where it throws, the row is retried. */
  beforeGivenUp?(): Promise<void>;
};

/**
 * The one way in which work is claimed, renewed, completed, retried and given up. Every change is one conditional
 * update; those of a holder are conditional on its lease. All but `sweep` run in the row's account.
 */
export function defineWork<Row extends WorkRow>(kind: WorkKind<Row>) {
  const { rows, name } = kind;
  const leaseMs = kind.leaseMs * env.PATIENCE_FACTOR;
  const enqueue = makeFairQueue(kind.atOnce);
  /** Rows that this process holds, by id. */
  const held = new Map<string, AbortController>();

  const giveUp = (row: Row) => kind.giveUp?.(row) ?? kind.dead;
  const leaseEnd = () => new Date(Date.now() + leaseMs);
  const fence = (row: Row) => ({ _id: row._id, ...kind.asRead(row), 'lease.id': row.lease?.id ?? null });
  function trace(event: WorkEvent['event'], row: Pick<WorkRow, '_id' | 'attempts'> & { accountId: number | null }) {
    const { accountId, attempts } = row;
    const it = { kind: name, event, row: String(row._id), accountId, attempts: attempts ?? 0 };
    logger.debug(it, 'work');
    workEvents.emit('work', it);
  }

  /** Changes a row under the lease with which it was read. @returns false where that is lost */
  async function writeHeld(row: Row, change: Filter): Promise<boolean> {
    return (await rows.updateOne(fence(row), { $set: change } as never)).matchedCount === 1;
  }

  /** Ends a claim with an outcome. @returns false where the lease was lost: then nothing was written */
  async function conclude(row: Row, event: WorkEvent['event'], change: Filter): Promise<boolean> {
    const isWritten = await writeHeld(row, { lease: null, ...change });
    trace(isWritten ? event : 'lost', row);
    return isWritten;
  }

  const work = {
    name,

    /**
     * The fields of a new row, or of one with something new to do, that this process works on at once. Once the write has
     * succeeded, call `hold`, or `noteClaim` where that is later: a write that fails leaves no claim behind.
     */
    newClaim(): Claim {
      const lease = { owner: processName, id: String(new Types.ObjectId()) };
      return { dueAt: leaseEnd(), lease, attempts: 0, begun: 0, error: null };
    },

    /** Notes that a row was written with `newClaim`: sweeps of this process leave it alone until `hold` or `letGo`. */
    noteClaim({ _id }: Pick<Row, '_id'>): void {
      held.set(String(_id), new AbortController());
    },

    /**
     * Claims a row as it was read. Whether it is due is for the caller to know.
     * @param isSweep counts the attempt in the same write, because a row that ends the process leaves no other trace
     * @returns the claimed row; null where it was claimed or changed meanwhile, here or in another process
     */
    async claim(row: Row, isSweep = false): Promise<Row | null> {
      if (held.has(String(row._id))) return null;
      const claimed = { dueAt: leaseEnd(), lease: { owner: processName, id: String(new Types.ObjectId()) } };
      const found = await rows.updateOne({ ...kind.open, ...fence(row), dueAt: row.dueAt ?? null }, {
        $set: claimed,
        ...(isSweep ? { $inc: { begun: 1 } } : {}),
      } as never);
      if (found.modifiedCount !== 1) return null;
      held.set(String(row._id), new AbortController());
      trace('claimed', row);
      return { ...row, ...claimed, begun: (row.begun ?? 0) + Number(isSweep) };
    },

    /** Lets go of a claimed row without an outcome: it may be claimed again once its lease has expired. */
    letGo({ _id }: Pick<Row, '_id'>): void {
      held.delete(String(_id));
    },

    /**
     * Renews the lease of a claimed row while something is done with it.
     * @param use gets a signal that is aborted when the lease is lost or the row is cancelled
     */
    async hold<T>(row: Row, use: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const key = String(row._id);
      const controller = held.get(key) ?? new AbortController();
      held.set(key, controller);
      const renew = async () => {
        if (!(await writeHeld(row, { dueAt: leaseEnd() }))) controller.abort(new LeaseLost(`${name} ${key}`));
      };
      const renewal = setInterval(() => {
        renew().catch((error: unknown) => logger.warn({ err: error, work: name, row: key }, 'a lease was not renewed'));
      }, leaseMs / 3);
      renewal.unref();
      try {
        return await use(controller.signal);
      } finally {
        clearInterval(renewal);
        if (held.get(key) === controller) held.delete(key);
      }
    },

    /** Saves how far a claimed row is. @throws LeaseLost where another process has it by now */
    async keep(row: Row, change: Filter): Promise<void> {
      if (!(await writeHeld(row, change))) throw new LeaseLost(`${name} ${row._id}`);
    },

    /** Completes a claimed row. @returns false where the lease was lost: then nothing was written */
    complete: (row: Row, change: Filter): Promise<boolean> =>
      conclude(row, 'completed', { error: null, begun: 0, ...change }),

    /** Puts a claimed row off without counting a failure. @returns false where the lease was lost */
    async postpone(row: Row, dueAt: Date): Promise<boolean> {
      const isWritten = await conclude(row, 'postponed', { dueAt, begun: 0 });
      scheduleSweep(name, dueAt);
      return isWritten;
    },

    /**
     * Notes that an attempt failed: the row is retried with back-off, or at the time that the other side asks for, or it
     * is given up after its policy.
     */
    async fail(row: Row, error: unknown, how: Failure = {}): Promise<'retried' | 'given_up' | 'lost'> {
      const attempts = (row.attempts ?? 0) + 1;
      const wait = how.retryAfter ? how.retryAfter * 1000 : backOff(kind.retry, attempts - 1);
      const dueAt = new Date(Date.now() + wait);
      const isOver = how.isFinal === true || attempts >= kind.retry.attempts;
      const isGivenUp = isOver && (await isTold(row, how));
      const reason = String((error as Error | undefined)?.message ?? error).slice(0, MAX_ERROR);
      const outcome = isGivenUp ? 'given_up' : 'retried';
      const change = { attempts, dueAt, begun: 0, error: reason, ...(isGivenUp ? giveUp(row) : {}) };
      if (!(await conclude(row, outcome, change))) return 'lost';
      if (!isGivenUp) scheduleSweep(name, dueAt);
      return outcome;
    },

    /** Ends open rows, whoever works on them: their holders' writes are refused from now on. @returns how many */
    async cancel(filter: Filter, change: Filter): Promise<number> {
      const found = await rows.find({ ...kind.open, ...filter }, { _id: 1 }).lean();
      let count = 0;
      for (const { _id } of found) {
        const done = await rows.updateOne({ ...kind.open, _id }, { $set: { lease: null, ...change } } as never);
        if (done.modifiedCount !== 1) continue;
        count += 1;
        held.get(String(_id))?.abort(new LeaseLost(`${name} ${_id}`));
        trace('cancelled', { _id, accountId: null, attempts: 0 });
      }
      return count;
    },

    /**
     * Opens a row that was given up, with all of its attempts.
     * @param where the row's id, and fields that have to be as they were read
     * @returns false where it is none
     */
    async reopen(where: Filter & { _id: unknown }, change: Filter): Promise<boolean> {
      const anew = { attempts: 0, begun: 0, error: null, dueAt: new Date(), lease: null };
      const done = await rows.updateOne({ ...kind.dead, ...where }, { $set: { ...anew, ...change } } as never);
      if (done.modifiedCount !== 1) return false;
      trace('reopened', { _id: where._id, accountId: null, attempts: 0 });
      scheduleSweep(name, new Date());
      return true;
    },

    /**
     * Drops a row that was given up: it is not listed any more.
     * @param where as of `reopen`
     * @returns false where it is none
     */
    async drop(where: Filter & { _id: unknown }): Promise<boolean> {
      const done = await rows.updateOne({ ...kind.dead, ...where }, { $set: kind.dropped } as never);
      if (done.modifiedCount === 1) trace('dropped', { _id: where._id, accountId: null, attempts: 0 });
      return done.modifiedCount === 1;
    },

    /** Works on every row that is due. @returns how many were claimed */
    async sweep(handlers: WorkHandlers<Row>): Promise<number> {
      const { due, isAll } = await findDueFairly<Row>(kind);
      let claimed = 0;
      const one = async (row: Row) => {
        if (await runInAccount(row.accountId, () => takeUp(row, handlers))) claimed += 1;
      };
      await Promise.all(
        due.map(({ row, lane }) =>
          enqueue({
            key: String(row._id),
            accountId: row.accountId,
            lane,
            group: kind.groupOf(row),
            // It may have been what ended the process.
            isAlone: (row.begun ?? 0) > 0,
            run: () => one(row),
          }),
        ),
      );
      if (!isAll && claimed > 0) scheduleSweep(name, new Date());
      return claimed;
    },

    /** Lets rows be claimed at once whose holder is a process of this host that has ended. @returns how many */
    freeFromDeadOwners: (): Promise<number> => freeFromDeadOwners(kind),
  };

  async function isTold(row: Row, { beforeGivenUp }: Failure): Promise<boolean> {
    try {
      await beforeGivenUp?.();
      return true;
    } catch (fault) {
      logger.error(
        { err: fault, work: name, row: String(row._id) },
        'the person could not be told that work was given up',
      );
      return false;
    }
  }

  /** Claims a row and works on it. @returns false where somebody else has it */
  async function takeUp(row: Row, handlers: WorkHandlers<Row>): Promise<boolean> {
    const claimed = await work.claim(row, true);
    if (!claimed) return false;
    try {
      // The attempt made when it was written counts too.
      if ((claimed.begun ?? 0) < LIMITS.crashes) await handlers.handle(claimed);
      else await setAside(claimed, handlers);
    } catch (error) {
      work.letGo(row);
      logger.error({ err: error, work: name, row: String(row._id) }, 'work has no outcome and is tried again');
    }
    return true;
  }

  /** Gives up a row that ended the process on every attempt. */
  async function setAside(row: Row, handlers: WorkHandlers<Row>): Promise<void> {
    logger.error(
      { work: name, row: String(row._id), account: row.accountId },
      'work given up: it ended the process on every attempt',
    );
    if ('setAsidePart' in handlers) return handlers.setAsidePart({ ...row, error: ENDED_THE_PROCESS });
    // Before the row is marked: after a crash in between it is told again, once by its key, rather than never.
    await handlers.tellSetAside(row);
    await conclude(row, 'given_up', { error: ENDED_THE_PROCESS, ...giveUp(row) });
    work.letGo(row);
  }

  return work;
}
