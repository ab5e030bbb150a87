import { chmodSync, existsSync } from 'node:fs';
import { open, type RootDatabase } from 'lmdb';
import { CommandError } from '../errors.ts';

/** An ordered table of byte keys and byte values. A buffer that `peek` returns is only valid until the next read. */
export type Table = {
  peek(key: Buffer): Buffer | undefined;
  get(key: Buffer): Buffer | undefined;
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
  /** Up to `limit` keys at or above `start` and below `end`, in order; backwards from below `end` with `reverse`. */
  keys(range: { start: Buffer; end: Buffer; limit?: number; reverse?: boolean }): Buffer[];
  count(range: { start: Buffer; end: Buffer }): number;
};

export type Engine = {
  docs: Table;
  entries: Table;
  meta: Table;
  /** Runs `work` in one write transaction and returns when it is on disk; an exception rolls all of it back. */
  write<T>(work: () => T): T;
  /** Write transactions begun so far. */
  transactions(): number;
  /** Writes a compact copy of the whole file. */
  backup(file: string): Promise<void>;
  /** Replaces all tables by those of a copy; runs inside `write`. */
  restore(file: string): void;
  close(): Promise<void>;
};

const TABLES = ['docs', 'entries', 'meta'] as const;
const OPTIONS = { noSubdir: true, maxDbs: 8, encoding: 'binary', keyEncoding: 'binary', overlappingSync: false };

type Store = ReturnType<RootDatabase<Buffer, Buffer>['openDB']>;

function table(root: RootDatabase<Buffer, Buffer>, name: string): Table {
  const db = root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' }) as Store;
  return {
    peek: (key) => db.getBinaryFast(key as never),
    get(key) {
      const bytes = db.getBinary(key as never);
      return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    put: (key, value) => {
      db.putSync(key as never, value as never);
    },
    remove: (key) => {
      db.removeSync(key as never);
    },
    keys({ start, end, limit, reverse }) {
      const range = reverse ? { start: end, end: start, reverse: true, limit } : { start, end, limit };
      const out: Buffer[] = [];
      for (const key of db.getKeys(range as never) as Iterable<Uint8Array>) {
        out.push(Buffer.from(key.buffer, key.byteOffset, key.length));
      }
      return out;
    },
    count: (range) => db.getKeysCount(range as never),
  };
}

/**
 * Opens the data file. Every commit is synchronised to the disk before it is acknowledged, so that neither a killed
 * process nor a power cut loses it; many small writes share one commit (see commands/queue.ts).
 */
export function openEngine(file: string): Engine {
  const root = open({ ...OPTIONS, path: file } as never) as unknown as RootDatabase<Buffer, Buffer>;
  let transactions = 0;
  return {
    docs: table(root, 'docs'),
    entries: table(root, 'entries'),
    meta: table(root, 'meta'),
    write(work) {
      transactions++;
      return root.transactionSync(work);
    },
    transactions: () => transactions,
    async backup(path) {
      await root.backup(path, true);
      chmodSync(path, 0o600);
    },
    restore(path) {
      if (!existsSync(path)) throw new CommandError('OperationFailed', `there is no file ${path}`);
      const copy = open({ ...OPTIONS, path, readOnly: true } as never) as unknown as RootDatabase<Buffer, Buffer>;
      try {
        for (const name of TABLES) {
          const from = copy.openDB({ name, encoding: 'binary', keyEncoding: 'binary' }) as Store;
          const to = root.openDB({ name, encoding: 'binary', keyEncoding: 'binary' }) as Store;
          to.clearSync();
          for (const { key, value } of from.getRange()) to.putSync(key as never, value as never);
        }
      } finally {
        copy.close();
      }
    },
    close: () => root.close(),
  };
}
