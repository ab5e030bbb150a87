import { type Model, Types } from 'mongoose';
import { runInBackground } from '../background.ts';
import { logger } from '../logger.ts';
import { isDuplicateKey } from './duplicate.ts';
import { insertRows } from './insert.ts';
import { changes } from './revisions.ts';

/** A row of a chain: numbered without gaps per account, and keyed so that the same event is there once. */
export type ChainRow = { accountId: number; seq: number; key: string };

type Waiting<Entry> = {
  entry: Entry & { key: string };
  settle: (row: unknown) => void;
  fail: (error: unknown) => void;
};

/**
 * Appends to a per-account chain. Rows that arrive while a write is under way go together in the next one; two
 * processes that race for a number settle it on the unique index (accountId, seq), and the loser takes the next.
 * @param follow makes the next row out of the one before (null for the first) and the entry.
 */
export function makeChain<Entry, Row extends ChainRow>(
  model: Model<Row>,
  follow: (
    before: Row | null,
    entry: Entry,
    frame: { accountId: number; seq: number },
  ) => Omit<Row, keyof ChainRow | '_id'>,
) {
  const heads = new Map<number, Row | null>();
  const queues = new Map<number, Waiting<Entry>[]>();
  const busy = new Set<number>();
  changes.on('changed', (accountId, _topics, own) => {
    if (!own) heads.delete(accountId);
  });

  async function readHead(accountId: number): Promise<Row | null> {
    return (await model.findOne({ accountId }).sort({ seq: -1 }).lean()) as Row | null;
  }

  function rowsAfter(head: Row | null, accountId: number, waiting: Waiting<Entry>[]): Row[] {
    let before = head;
    return waiting.map(({ entry }) => {
      const seq = (before?.seq ?? 0) + 1;
      const row = {
        ...follow(before, entry, { accountId, seq }),
        _id: new Types.ObjectId(),
        accountId,
        seq,
        key: entry.key,
      } as unknown as Row;
      before = row;
      return row;
    });
  }

  /** Writes a batch and settles each of its entries, whatever happens: nobody waits for ever. Never throws. */
  async function write(accountId: number, batch: Waiting<Entry>[]): Promise<void> {
    let waiting = batch;
    for (let attempt = 0; waiting.length > 0; attempt += 1) {
      try {
        const head = heads.get(accountId) ?? (await readHead(accountId));
        const rows = rowsAfter(head, accountId, waiting);
        await insertRows(model, rows);
        heads.set(accountId, rows.at(-1) ?? head);
        for (const [index, one] of waiting.entries()) one.settle(rows[index]);
        return;
      } catch (error) {
        heads.delete(accountId);
        // Some may stand already, written by an earlier life or by another process: leave only what is missing.
        const standing = isDuplicateKey(error) && attempt <= 20 ? await findStanding(accountId, waiting) : null;
        if (!standing) {
          for (const one of waiting) one.fail(error);
          return;
        }
        for (const one of waiting) if (standing.has(one.entry.key)) one.settle(standing.get(one.entry.key));
        waiting = waiting.filter(({ entry }) => !standing.has(entry.key));
      }
    }
  }

  /** The rows that the store has of what waits, by key; null where it can't be asked. */
  async function findStanding(accountId: number, waiting: Waiting<Entry>[]): Promise<Map<string, Row> | null> {
    try {
      const keys = waiting.map(({ entry }) => entry.key);
      const found = (await model.find({ accountId, key: { $in: keys } }).lean()) as unknown as Row[];
      return new Map(found.map((row) => [row.key, row]));
    } catch (error) {
      logger.warn({ err: error }, 'a chain could not be read');
      return null;
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
    /** Appends one entry; the same key again gives the row that stands. */
    append(accountId: number, entry: Entry & { key: string }): Promise<Row> {
      return new Promise((resolve, reject) => {
        const queue = queues.get(accountId) ?? [];
        queue.push({ entry, settle: (row) => resolve(row as Row), fail: reject });
        queues.set(accountId, queue);
        runInBackground('appending to a chain', drain(accountId));
      });
    },
    /** The last row; null where the chain is empty. What another process wrote is seen once it has told of a change. */
    async head(accountId: number): Promise<Row | null> {
      return heads.get(accountId) ?? (await readHead(accountId));
    },
  };
}

/** Two of one key in one batch become one, and both callers get its row. */
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
