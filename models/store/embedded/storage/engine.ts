import { open } from 'lmdb';
import { bootId, recover, startCheckpoints } from './checkpoint.ts';

/** A part of a table's keys: at or above `start` and below `end`. */
export type Range = { start: Buffer; end: Buffer };

/** An ordered table of byte keys and byte values. A buffer that `peek` returns is only valid until the next read. */
export type Table = {
  peek(key: Buffer): Buffer | undefined;
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Up to `limit` keys of a range in order; with `reverse` from its end backwards, which may begin with `end` itself. */
  keys(range: Range & { limit?: number; reverse?: boolean }): Buffer[];
};

export type Engine = Tables & {
  /** The tables as they are at this moment, whatever is written later, until they are released; `allow` is asked first. */
  snapshot(allow: () => void): Tables & { release(): void };
  /** Runs `work` in one write transaction, which survives a killed process; an exception rolls all of it back. */
  write<T>(work: () => T): T;
  /** Resolves when all that is written so far survives a power cut too. */
  flushed(): Promise<void>;
  /** Write transactions begun so far. */
  transactions(): number;
  close(): Promise<void>;
};

const NAMES = ['docs', 'entries', 'meta'] as const;
type Tables = Record<(typeof NAMES)[number], Table>;

const BINARY = { encoding: 'binary', keyEncoding: 'binary' };
/** lmdb's flags for a transaction that can be rolled back and is not synchronised by itself. */
const UNSYNCED = 0x10000 | 2 | 1;

/** Milliseconds after which a write is part of a checkpoint, as MongoDB's journal has it. */
export const CHECKPOINT_PAUSE = 100;

type Reader = { done(): void };
/** The transaction that a read belongs to, where it is not the one of the moment. */
type In = { transaction: Reader } | undefined;

/** What is asked of lmdb; its own types leave some of it out. */
type Database = {
  getBinary(key: Buffer, at: In): Buffer | undefined;
  getBinaryFast(key: Buffer, at: In): Buffer | undefined;
  putSync(key: Buffer, value: Buffer): void;
  removeSync(key: Buffer): void;
  getKeys(range: object): Iterable<Uint8Array>;
};
type Root = {
  openDB(options: object): Database;
  useReadTransaction(): Reader;
  sync(done: (error?: Error) => void): void;
  getStats(): { pageSize?: number };
  transactionSync<T>(work: () => T, flags?: number): T;
  close(): Promise<void>;
};

/** A table as it is now, or as a read transaction saw it. */
function table(db: Database, moment?: () => In): Table {
  return {
    peek: (key) => db.getBinaryFast(key, moment?.()),
    get(key) {
      const bytes = db.getBinary(key, moment?.());
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    put: (key, value) => void db.putSync(key, value),
    remove: (key) => void db.removeSync(key),
    keys({ start, end, limit, reverse }) {
      const part = reverse ? { start: end, end: start, reverse: true, limit } : { start, end, limit };
      const out: Buffer[] = [];
      for (const key of db.getKeys({ ...part, ...moment?.() }))
        out.push(Buffer.from(key.buffer, key.byteOffset, key.length));
      return out;
    },
  };
}

/**
 * Opens the data file, put back to its last checkpoint when the machine went down since. Where the machine tells its
 * boots apart, commits are fast and checkpoints protect them (see checkpoint.ts); elsewhere each commit is synchronised.
 */
export async function openEngine(file: string, pause = CHECKPOINT_PAUSE): Promise<Engine> {
  const boot = bootId();
  recover(file, boot);
  const options = { ...BINARY, path: file, noSubdir: true, maxDbs: 8, overlappingSync: false };
  const root = open(options as never) as unknown as Root;
  const databases = NAMES.map((name) => [name, root.openDB({ ...BINARY, name })] as const);
  const tablesAt = (moment?: () => In) =>
    Object.fromEntries(databases.map(([name, db]) => [name, table(db, moment)])) as Tables;
  const beginReading = () => root.useReadTransaction();
  const pin = () => {
    const reader = beginReading();
    return () => reader.done();
  };
  const sync = () => new Promise<void>((resolve, reject) => root.sync((error) => (error ? reject(error) : resolve())));
  const pageSize = root.getStats().pageSize ?? 4096;
  const checkpoints = boot ? await startCheckpoints({ file, boot, pageSize, pin, sync }, pause) : undefined;
  let transactions = 0;
  return {
    ...tablesAt(),
    snapshot(allow) {
      const transaction = beginReading();
      const moment = () => {
        allow();
        return { transaction };
      };
      return { ...tablesAt(moment), release: () => transaction.done() };
    },
    write(work) {
      transactions++;
      if (!checkpoints) return root.transactionSync(work);
      const result = root.transactionSync(work, UNSYNCED);
      checkpoints.committed();
      return result;
    },
    flushed: () => checkpoints?.reached() ?? Promise.resolve(),
    transactions: () => transactions,
    async close() {
      await checkpoints?.close();
      await root.close();
    },
  };
}
