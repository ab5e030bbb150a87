import { open, type RootDatabase } from 'lmdb';
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

const OPTIONS = { noSubdir: true, maxDbs: 8, encoding: 'binary', keyEncoding: 'binary', overlappingSync: false };

type Reader = { done(): void };
/** What lmdb's own types leave out: both may read in a transaction. */
type Read = (key: Buffer, options?: { transaction: Reader }) => Buffer | undefined;
type Store = Omit<ReturnType<RootDatabase<Buffer, Buffer>['openDB']>, 'getBinary' | 'getBinaryFast'> & {
  getBinary: Read;
  getBinaryFast: Read;
};
const NAMES = ['docs', 'entries', 'meta'] as const;
type Tables = Record<(typeof NAMES)[number], Table>;

/** A table as it is now, or as a read transaction saw it. */
function table(db: Store, moment?: () => { transaction: Reader }): Table {
  return {
    peek: (key) => db.getBinaryFast(key, moment?.()),
    get(key) {
      const bytes = db.getBinary(key, moment?.());
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    put: (key, value) => {
      db.putSync(key as never, value as never);
    },
    remove: (key) => {
      db.removeSync(key as never);
    },
    keys({ start, end, limit, reverse }) {
      const part = reverse ? { start: end, end: start, reverse: true, limit } : { start, end, limit };
      const range = { ...part, ...moment?.() };
      const out: Buffer[] = [];
      for (const key of db.getKeys(range as never) as Iterable<Uint8Array>) {
        out.push(Buffer.from(key.buffer, key.byteOffset, key.length));
      }
      return out;
    },
  };
}

/** lmdb's flags for a transaction that can be rolled back and is not synchronised by itself. */
const UNSYNCED = 0x10000 | 2 | 1;

/** Milliseconds after which a write is part of a checkpoint, as MongoDB's journal has it. */
export const CHECKPOINT_PAUSE = 100;

/**
 * Opens the data file, put back to its last checkpoint when the machine went down since. Where the machine tells its
 * boots apart, commits are fast and checkpoints protect them (see checkpoint.ts); elsewhere each commit is synchronised.
 */
export async function openEngine(file: string, pause = CHECKPOINT_PAUSE): Promise<Engine> {
  const boot = bootId();
  recover(file, boot);
  const root = open({ ...OPTIONS, path: file } as never) as unknown as RootDatabase<Buffer, Buffer>;
  const openTable = (name: string) =>
    root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' }) as unknown as Store;
  const stores = NAMES.map((name) => [name, openTable(name)] as const);
  const tablesAt = (moment?: () => { transaction: Reader }) =>
    Object.fromEntries(stores.map(([name, db]) => [name, table(db, moment)])) as Tables;
  const tables = tablesAt();
  const native = root as unknown as {
    useReadTransaction(): Reader;
    sync(done: (error?: Error) => void): void;
    getStats(): { pageSize?: number; root?: { pageSize: number } };
    transactionSync<T>(work: () => T, flags?: number): T;
  };
  const beginReading = () => native.useReadTransaction();
  const checkpoints =
    boot === undefined
      ? undefined
      : await startCheckpoints(
          {
            file,
            boot,
            pageSize: native.getStats().pageSize ?? 4096,
            pin() {
              const reader = beginReading();
              return () => reader.done();
            },
            sync: () => new Promise((resolve, reject) => native.sync((error) => (error ? reject(error) : resolve()))),
          },
          pause,
        );
  let transactions = 0;
  return {
    ...tables,
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
      const result = native.transactionSync(work, UNSYNCED);
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
