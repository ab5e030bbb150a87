import { open, type RootDatabase } from 'lmdb';

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
  /** The transaction number of the last commit. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};

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
  const root = open({
    path: file,
    noSubdir: true,
    maxDbs: 8,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
  } as never) as unknown as RootDatabase<Buffer, Buffer>;
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
    backup: (path) => root.backup(path, true),
    close: () => root.close(),
  };
}
