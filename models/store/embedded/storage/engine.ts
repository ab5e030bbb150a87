import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { open } from 'lmdb';
import { CommandError, fail } from '../errors.ts';
import { throughWriteGate } from '../ownership/writeGate.ts';
import { bootId, recover, startCheckpoints } from './checkpoint.ts';
import { LAYOUT, mayBeUnsealed, sealed, unsealed } from './digest.ts';
import { type Damage, inspect } from './inspect.ts';

/** A part of a table's keys: at or above `start` and below `end`. */
export type Range = { start: Buffer; end: Buffer };

/** Every key of a table. */
export const ALL: Range = { start: Buffer.of(0), end: Buffer.of(0xff, 0xff) };

/**
 * An ordered table of byte keys and byte values. A buffer that `peek` returns is only valid until the next read. Reading a
 * value that is not as it was written throws DataDamaged.
 */
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
  /** Runs `work` in one write transaction, which survives a killed process; an exception rolls all of it back. @throws CommandError OutOfDiskSpace */
  write<T>(work: () => T): T;
  /** Resolves when all that is written so far survives a power cut too. */
  flushed(): Promise<void>;
  /** Write transactions begun so far. */
  transactions(): number;
  /** What was damaged when the file was opened. */
  damages: readonly Damage[];
  /** Whether lmdb's pages are sound, so that it can write. */
  isWritable: boolean;
  /** Fails with DataDamaged for a collection, whose number or name is given. */
  damaged(collection: number | string): never;
  /** The namespace of a collection, for messages; the catalogue sets it. */
  nameOf(collection: number): string | undefined;
  /** The layout of the stored values, see `LAYOUT`. */
  layout: number;
  close(): Promise<void>;
};

const NAMES = ['docs', 'entries', 'meta'] as const;
type Tables = Record<(typeof NAMES)[number], Table>;

const BINARY = { encoding: 'binary', keyEncoding: 'binary' };
/** lmdb's flags for a transaction that can be rolled back and is not synchronised by itself. */
const UNSYNCED = 0x10000 | 2 | 1;

/**
 * Bytes below which nothing is removed either, and below which nothing is added: the difference is left for removals,
 * which write pages too. A transaction that lmdb can't put on the disk has been seen to damage its memory and take the
 * process along.
 */
const ROOM = { remove: 2 * 1024 * 1024, add: 8 * 1024 * 1024 };
type Change = keyof typeof ROOM;

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** What an operator can do about data that is damaged. */
const REMEDY =
  'Stop Arc, move its data folder away, start it again and read a backup back: npm run restore -- FILE. npm run doctor lists what is damaged.';

/** Milliseconds after which a write is part of a checkpoint, as MongoDB's journal has it. */
const CHECKPOINT_PAUSE = 100;

type Reader = { done(): void };
/** The transaction of a read; absent for reads of the current state. */
type In = { transaction: Reader } | undefined;

/** The used part of lmdb's interface; its own types are incomplete. */
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
  getStats(): { pageSize?: number; lastPageNumber?: number };
  transactionSync<T>(work: () => T, flags?: number): T;
  close(): Promise<void>;
};

/** What tables ask of the engine: `verified` checks and removes the digest of a value, `adding` says what a put counts as. */
type Access = {
  verified(key: Buffer, bytes: Buffer): Buffer;
  beforeChange(kind: Change): void;
  adding: Change;
  moment(): In;
};

/** A table as it is now, or in the transaction of a `moment`. */
function table(db: Database, { verified, beforeChange, adding, moment }: Access): Table {
  return {
    peek(key) {
      const bytes = db.getBinaryFast(key, moment());
      return bytes && verified(key, bytes);
    },
    get(key) {
      const bytes = db.getBinary(key, moment());
      return bytes && verified(key, bytes);
    },
    put(key, value) {
      beforeChange(adding);
      db.putSync(key, sealed(key, value));
    },
    remove(key) {
      beforeChange('remove');
      db.removeSync(key);
    },
    keys({ start, end, limit, reverse }) {
      const part = reverse ? { start: end, end: start, reverse: true, limit } : { start, end, limit };
      const out: Buffer[] = [];
      for (const key of db.getKeys({ ...part, ...moment() }))
        out.push(Buffer.from(key.buffer, key.byteOffset, key.length));
      return out;
    },
  };
}

/** lmdb's mark of a root page, behind the page's header of 24 bytes. */
const MAGIC = { at: 24, bytes: Buffer.from([0xde, 0xc0, 0xef, 0xbe]) };

/** Whether a file begins as lmdb's do; one that is empty or not there is begun by lmdb itself. */
function isDataFile(file: string): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return true;
  const fd = openSync(file, 'r');
  try {
    const mark = Buffer.alloc(MAGIC.bytes.length);
    readSync(fd, mark, 0, mark.length, MAGIC.at);
    return mark.equals(MAGIC.bytes);
  } finally {
    closeSync(fd);
  }
}

/** Opens lmdb's file and checks its pages, because lmdb trusts them: a missing or damaged one can end the process. */
function openData(file: string, options: object): { root: Root; damages: Damage[] } {
  const unreadable = (why: string) =>
    new Error(
      `The data file ${file} is damaged (${why}). Nothing was changed. Put it back from a copy, or move it away and read a backup back: npm run restore -- FILE.`,
    );
  // lmdb itself would end the process on what only looks like its file.
  if (!isDataFile(file)) throw unreadable('it does not begin as a data file does');
  let damages: Damage[] = [];
  try {
    if (existsSync(file) && statSync(file).size > 0) damages = inspect(file);
  } catch (error) {
    throw unreadable((error as Error).message);
  }
  let root: Root;
  try {
    root = open(options as never) as unknown as Root;
  } catch (error) {
    const { message } = error as Error;
    throw /MDB_|not an LMDB|invalid/i.test(message) ? unreadable(message) : error;
  }
  const { pageSize = 4096, lastPageNumber = 0 } = root.getStats();
  const missing = (lastPageNumber + 1) * pageSize - statSync(file).size;
  // lmdb reserves pages before it writes them: the last ones may be missing where none of them is in use.
  if (missing > 0 && lastPageNumber > 1) throw unreadable(`it ends ${missing} bytes too early`);
  return { root, damages };
}

/**
 * Opens the data file, put back to its last checkpoint when the machine went down since. Where the machine tells its
 * boots apart, commits are fast and checkpoints protect them (see checkpoint.ts); elsewhere each commit is synchronised.
 */
export async function openEngine(file: string, pause = CHECKPOINT_PAUSE, free = freeBytes): Promise<Engine> {
  const boot = bootId();
  recover(file, boot);
  const options = { ...BINARY, path: file, noSubdir: true, maxDbs: 8, overlappingSync: false };
  const { root, damages } = openData(file, options);
  const databases = NAMES.map((name) => [name, root.openDB({ ...BINARY, name })] as const);
  // Looked at once per transaction, on its first write.
  let room: number | undefined;
  const beforeChange = (kind: Change) => {
    room ??= free(dirname(file));
    if (room < ROOM[kind]) throw new CommandError('OutOfDiskSpace', 'No space left on device');
  };
  // A request that goes on in turns may still read when the file was closed, which lmdb does not survive.
  let isOpen = true;
  const requireOpen = () => {
    if (!isOpen) throw new CommandError('ShutdownInProgress', 'The store is closed');
  };
  const tablesAt = (transactionOf?: () => In) => {
    const moment = () => {
      requireOpen();
      return transactionOf?.();
    };
    const made = databases.map(([name, db]) => {
      const verified = (key: Buffer, bytes: Buffer): Buffer =>
        unsealed(key, bytes) ??
        (mayBeUnsealed(engine.layout, name, bytes) ? bytes : engine.damaged(key.readUInt32BE(0)));
      return [name, table(db, { verified, beforeChange, adding: name === 'meta' ? 'remove' : 'add', moment })];
    });
    return Object.fromEntries(made) as Tables;
  };
  const beginReading = () => root.useReadTransaction();
  const pin = () => {
    const reader = beginReading();
    return () => reader.done();
  };
  const sync = () => new Promise<void>((resolve, reject) => root.sync((error) => (error ? reject(error) : resolve())));
  const pageSize = root.getStats().pageSize ?? 4096;
  const checkpoints = boot ? await startCheckpoints({ file, boot, pageSize, pin, sync }, pause) : undefined;
  let transactions = 0;
  const isWritable = damages.every(({ isStructural }) => !isStructural);
  const engine: Engine = {
    ...tablesAt(),
    damages,
    isWritable,
    nameOf: () => undefined,
    damaged(collection) {
      const name = typeof collection === 'string' ? collection : engine.nameOf(collection);
      fail('DataDamaged', `${name ? `Data of ${name}` : 'Data'} is damaged on the disk. ${REMEDY}`);
    },
    layout: LAYOUT.unsealed,
    snapshot(allow) {
      const transaction = beginReading();
      const moment = () => {
        allow();
        return { transaction };
      };
      return { ...tablesAt(moment), release: () => transaction.done() };
    },
    write(work) {
      requireOpen();
      if (!isWritable) engine.damaged('');
      room = undefined;
      transactions++;
      if (!checkpoints) return throughWriteGate(() => root.transactionSync(work));
      const result = throughWriteGate(() => root.transactionSync(work, UNSYNCED));
      checkpoints.committed();
      return result;
    },
    flushed: () => checkpoints?.reached() ?? Promise.resolve(),
    transactions: () => transactions,
    async close() {
      isOpen = false;
      await checkpoints?.close();
      await root.close();
    },
  };
  beginUpgrade(engine);
  return engine;
}

/** Gives the catalogue of a file from before there were digests its own, at once; what else lacks them is noted. */
function beginUpgrade(engine: Engine): void {
  const { meta, docs, entries } = engine;
  const stored = meta.get(LAYOUT.key)?.[0] ?? LAYOUT.unsealed;
  if (stored === LAYOUT.unsealed) {
    const isEmpty = [docs, entries].every((table) => table.keys({ ...ALL, limit: 1 }).length === 0);
    const begun = isEmpty ? LAYOUT.sealed : LAYOUT.upgrading;
    engine.write(() => {
      for (const key of meta.keys(ALL)) meta.put(key, meta.get(key)!);
      meta.put(LAYOUT.key, Buffer.of(begun));
    });
    engine.layout = begun;
  } else engine.layout = stored;
}
