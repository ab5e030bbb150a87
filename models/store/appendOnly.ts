import { Types } from 'mongoose';
import { runInBackground } from '../background.ts';
import { logger } from '../logger.ts';
import { isDuplicateKey } from './duplicate.ts';
import type { Entity } from './entity.ts';
import { insertRows } from './insert.ts';
import { changes } from './revisions.ts';

/** A row of a chain: numbered without gaps per account; `key` is its idempotency key. */
export type ChainRow = { accountId: number; seq: number; key: string };

type Waiting<Entry> = {
  entry: Entry & { key: string };
  settle: (row: unknown) => void;
  fail: (error: unknown) => void;
};

/**
 * Makes a per-account, append-only chain. Entries that arrive during a write are batched into the next one. Processes
 * that race for a number are decided by the unique index (accountId, seq); the loser retries with the next.
 * @param follow builds the next row from the previous one (null for the first) and the entry. If it throws, that entry
 *   is rejected with the error and the others are appended
 * @param written called with the rows of this process before their callers get them
 */
export function makeChain<Entry, Row extends ChainRow>(
  model: Entity<Row>,
  follow: (
    before: Row | null,
    entry: Entry,
    frame: { accountId: number; seq: number },
  ) => Omit<Row, keyof ChainRow | '_id'>,
  written?: (rows: readonly Row[]) => Promise<void>,
) {
  const heads = new Map<number, Row | null>();
  const queues = new Map<number, Waiting<Entry>[]>();
  const busy = new Set<number>();
  changes.on('changed', (accountId, _topics, own) => {
    if (!own) heads.delete(accountId);
  });

  async function readHead(accountId: number): Promise<Row | null> {
    return await model.findOne({ accountId }).sort({ seq: -1 }).lean();
  }

  async function tellWritten(accountId: number, rows: Row[]): Promise<void> {
    await written?.(rows).catch((error: unknown) => logger.error({ err: error, accountId }, 'after an append'));
  }

  /** Builds the rows after a head, one per entry; entries that `follow` rejects are returned in `refused`. */
  function rowsAfter(head: Row | null, accountId: number, waiting: Waiting<Entry>[]) {
    let before = head;
    const rows: Row[] = [];
    const taken: Waiting<Entry>[] = [];
    const refused: { one: Waiting<Entry>; error: unknown }[] = [];
    for (const one of waiting) {
      const seq = (before?.seq ?? 0) + 1;
      try {
        const made = follow(before, one.entry, { accountId, seq });
        const row = { ...made, _id: new Types.ObjectId(), accountId, seq, key: one.entry.key } as unknown as Row;
        rows.push(row);
        taken.push(one);
        before = row;
      } catch (error) {
        refused.push({ one, error });
      }
    }
    return { rows, taken, refused };
  }

  /**
   * Resolves the entries whose key exists already, written earlier or by another process.
   * @param tried rows of an insert that failed on one of them: the ones before it were written
   * @returns the entries that are left
   */
  async function settleStanding(
    accountId: number,
    waiting: Waiting<Entry>[],
    tried: Row[] = [],
  ): Promise<Waiting<Entry>[]> {
    const keys = waiting.map(({ entry }) => entry.key);
    const found = await model.find({ accountId, key: { $in: keys } }).lean();
    const ids = new Set(found.map(idOf));
    const own = tried.filter((row) => ids.has(idOf(row)));
    await tellWritten(accountId, own);
    const byKey = new Map(found.map((row) => [row.key, row]));
    return waiting.filter((one) => {
      const row = byKey.get(one.entry.key);
      if (row) one.settle(row);
      return !row;
    });
  }

  /**
   * Rejects the refused entries, unless their key exists.
   * @returns the entries to retry, because the head they were checked against was outdated
   */
  async function settleRefused(accountId: number, refused: { one: Waiting<Entry>; error: unknown }[], fresh: boolean) {
    const left = new Set(
      await settleStanding(
        accountId,
        refused.map(({ one }) => one),
      ),
    );
    const still = refused.filter(({ one }) => left.has(one));
    if (!fresh) return still.map(({ one }) => one);
    for (const { one, error } of still) one.fail(error);
    return [];
  }

  async function write(accountId: number, entries: Waiting<Entry>[]): Promise<void> {
    let waiting = entries;
    try {
      for (let attempt = 0; waiting.length > 0; attempt += 1) {
        const known = heads.get(accountId);
        const head = known ?? (await readHead(accountId));
        const { rows, taken, refused } = rowsAfter(head, accountId, waiting);
        const again: Waiting<Entry>[] = [];
        try {
          if (rows.length > 0) await insertRows(model, rows);
          heads.set(accountId, rows.at(-1) ?? head);
          await tellWritten(accountId, rows);
          for (const [index, one] of taken.entries()) one.settle(rows[index]);
        } catch (error) {
          heads.delete(accountId);
          if (!isDuplicateKey(error) || attempt > 20) throw error;
          again.push(...(await settleStanding(accountId, taken, rows)));
          // They were checked against an outdated head: retry them.
          again.push(...refused.splice(0).map(({ one }) => one));
        }
        waiting = again;
        if (refused.length === 0) continue;
        // The cached head may be outdated: check again against the store.
        if (known) heads.delete(accountId);
        waiting.push(...(await settleRefused(accountId, refused, !known)));
      }
    } catch (error) {
      // Has no effect on entries that are resolved already.
      for (const one of entries) one.fail(error);
    }
  }

  async function drain(accountId: number): Promise<void> {
    if (busy.has(accountId)) return;
    busy.add(accountId);
    try {
      for (let queue = queues.get(accountId); queue?.length; queue = queues.get(accountId)) {
        queues.set(accountId, []);
        await write(accountId, uniqueByKey(queue));
      }
      queues.delete(accountId);
    } finally {
      busy.delete(accountId);
    }
  }

  return {
    /** Appends one entry; an existing key returns its row. */
    append(accountId: number, entry: Entry & { key: string }): Promise<Row> {
      return new Promise((resolve, reject) => {
        const queue = queues.get(accountId) ?? [];
        queue.push({ entry, settle: (row) => resolve(row as Row), fail: reject });
        queues.set(accountId, queue);
        runInBackground('appending to a chain', drain(accountId));
      });
    },
    /**
     * The last row; null where the chain is empty. Rows of other processes are visible once they have announced the
     * change.
     */
    async head(accountId: number): Promise<Row | null> {
      return heads.get(accountId) ?? (await readHead(accountId));
    },
  };
}

const idOf = (row: object) => String((row as { _id: unknown })._id);

/** Merges entries with the same key in one batch; all callers get the one row. */
function uniqueByKey<Entry>(queue: Waiting<Entry>[]): Waiting<Entry>[] {
  const byKey = new Map<string, Waiting<Entry>>();
  for (const one of queue) {
    const first = byKey.get(one.entry.key);
    if (!first) {
      byKey.set(one.entry.key, { ...one });
      continue;
    }
    const { settle, fail } = first;
    first.settle = (row) => {
      settle(row);
      one.settle(row);
    };
    first.fail = (error) => {
      fail(error);
      one.fail(error);
    };
  }
  return [...byKey.values()];
}
