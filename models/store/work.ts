import { AsyncResource } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { Types } from 'mongoose';
import { env } from '../env.ts';
import { logger } from '../logger.ts';
import { backOff } from './backOff.ts';
import { cancelledElsewhere, carriesOn, tellHolder, wakeWorkers } from './carriesOn.ts';
import { type Swept, scheduleSweep } from './dueTimers.ts';
import { freeFromDeadOwners } from './findDue.ts';
import { processName } from './processName.ts';
import { makeSweep } from './sweepWork.ts';
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
type Claim = { dueAt: Date; lease: { owner: string; id: string } | null; attempts: number; begun: number; error: null };
/** Emits every change of any work: for metrics and tests. */
export const workEvents = new EventEmitter<{ work: [WorkEvent] }>();

/** The lease was lost while the row was worked on: somebody else has it, or it was cancelled. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The row was cancelled while it was worked on: its holder still has the lease and ends it. */
class WorkCancelled extends Error {
  override readonly name = 'WorkCancelled';
}

/** Characters of an error that are stored. */
const MAX_ERROR = 500;

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
  /** Rows that this process holds, by id. */
  const held = new Map<string, AbortController>();
  /** Renews the lease of each of them at once, and finds out whether it was cancelled. */
  const renewals = new Map<string, () => void>();

  const counted = (isSweep: boolean): readonly (keyof Row & string)[] => kind.counted ?? (isSweep ? ['begun'] : []);
  /** Failed attempts if this one fails too. Where claims count the attempts, this one is counted already. */
  const failedWith = ({ attempts = 0 }: Row) => attempts + Number(!kind.counted?.includes('attempts'));
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
    kind,

    /**
     * The fields of a new row, or of one with something new to do, that this process works on at once; in a process that
     * carries nothing on, of one that is due for workers. Once the write has succeeded, call `noteClaim`: a write that
     * fails leaves no claim behind.
     * @param isOwn claims it for this process whatever its role, to end it
     */
    newClaim(isOwn = carriesOn): Claim {
      const lease = isOwn ? { owner: processName, id: String(new Types.ObjectId()) } : null;
      return { dueAt: isOwn ? leaseEnd() : new Date(), lease, attempts: 0, begun: 0, error: null };
    },

    /**
     * Notes that a row was written with `newClaim`: sweeps of this process leave it alone until `hold` or `letGo`.
     * @returns false in a process that carries nothing on: workers are told
     */
    noteClaim({ _id }: Pick<Row, '_id'>): boolean {
      if (carriesOn) held.set(String(_id), new AbortController());
      else wakeWorkers(name);
      return carriesOn;
    },

    /**
     * Claims a row as it was read. Whether it is due is for the caller to know.
     * @param isSweep counts the attempt in the same write, because a row that ends the process leaves no other trace
     * @returns the claimed row; null where it was claimed or changed meanwhile, here or in another process, and in a
     *   process that carries nothing on
     */
    async claim(row: Row, isSweep = false): Promise<Row | null> {
      if (!carriesOn) wakeWorkers(name);
      if (!carriesOn || held.has(String(row._id))) return null;
      const claimed = { dueAt: leaseEnd(), lease: { owner: processName, id: String(new Types.ObjectId()) } };
      const before = Object.fromEntries(counted(isSweep).map((field) => [field, Number(row[field] ?? 0)]));
      const asRead = kind.counted ? before : {};
      const $inc = Object.fromEntries(Object.keys(before).map((field) => [field, 1]));
      const found = await rows.updateOne({ ...kind.open, ...fence(row), ...asRead, dueAt: row.dueAt ?? null }, {
        $set: claimed,
        ...(Object.keys($inc).length > 0 ? { $inc } : {}),
      } as never);
      if (found.modifiedCount !== 1) return null;
      held.set(String(row._id), new AbortController());
      trace('claimed', row);
      const after = Object.fromEntries(Object.entries(before).map(([field, count]) => [field, count + 1]));
      return { ...row, ...claimed, ...after };
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
      const known = held.get(key);
      const controller = known && !known.signal.aborted ? known : new AbortController();
      held.set(key, controller);
      const renew = async () => {
        if (!(await writeHeld(row, { dueAt: leaseEnd() }))) controller.abort(new LeaseLost(`${name} ${key}`));
        else if (kind.cancelled && (await rows.exists({ ...kind.cancelled, _id: row._id } as never)))
          controller.abort(new WorkCancelled(`${name} ${key}`));
      };
      // In the account of the row, whoever calls it.
      const renewNow = AsyncResource.bind(() => {
        renew().catch((error: unknown) => logger.warn({ err: error, work: name, row: key }, 'a lease was not renewed'));
      });
      renewals.set(key, renewNow);
      const renewal = setInterval(renewNow, leaseMs / 3);
      renewal.unref();
      try {
        return await use(controller.signal);
      } finally {
        clearInterval(renewal);
        if (renewals.get(key) === renewNow) renewals.delete(key);
        if (held.get(key) === controller) held.delete(key);
      }
    },

    /** Whether this process works on a row. */
    isHeld: (_id: unknown): boolean => held.has(String(_id)),

    /**
     * Tells the holder of a row that it was cancelled: one in another process hears that by a signal, at the latest when
     * it renews its lease. @returns false where this process does not work on it
     */
    abort(_id: unknown): boolean {
      const controller = held.get(String(_id));
      controller?.abort(new WorkCancelled(`${name} ${_id}`));
      if (!controller) tellHolder(name, String(_id));
      return controller !== undefined;
    },

    /** Saves how far a claimed row is. @throws LeaseLost where another process has it by now */
    async keep(row: Row, change: Filter): Promise<void> {
      if (!(await writeHeld(row, change))) throw new LeaseLost(`${name} ${row._id}`);
    },

    /** Completes a claimed row. @returns false where the lease was lost: then nothing was written */
    complete: (row: Row, change: Filter): Promise<boolean> =>
      conclude(row, 'completed', { error: null, begun: 0, ...change }),

    /** Puts a claimed row off without counting a failure. @returns false where the lease was lost */
    async postpone(row: Row, dueAt: Date, change: Filter = {}): Promise<boolean> {
      const isWritten = await conclude(row, 'postponed', { dueAt, begun: 0, ...change });
      scheduleSweep(name, dueAt);
      return isWritten;
    },

    /** Whether a claimed row is given up if this attempt fails. */
    isLastAttempt: (row: Row): boolean => failedWith(row) >= kind.retry.attempts,

    /**
     * Notes that an attempt failed: the row is retried with back-off, or at the time that the other side asks for, or it
     * is given up after its policy.
     */
    async fail(row: Row, error: unknown, how: Failure = {}): Promise<'retried' | 'given_up' | 'lost'> {
      const attempts = failedWith(row);
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

    /** Works on every row that is due; does not wait for what takes long. @returns how many were claimed */
    sweep: (handlers: WorkHandlers<Row>): Promise<number> => sweep(handlers),

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

  cancelledElsewhere.on(name, (row) => renewals.get(row)?.());

  const sweep = makeSweep<Row>({
    kind,
    claim: (row) => work.claim(row, true),
    letGo: work.letGo,
    giveUp: (row, error) => conclude(row, 'given_up', { error, ...giveUp(row) }),
  });
  return work;
}
