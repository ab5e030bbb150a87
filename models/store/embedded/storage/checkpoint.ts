import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

/*
 * Commits are not synchronised one by one: what is in the page cache survives a killed process. A power cut is another
 * matter, for the system writes pages back in any order. So every so often a checkpoint is made: the file is
 * synchronised, and its two root pages (lmdb's metas) are kept in a second file with the id of this boot of the machine.
 * A reader pins the checkpoint's snapshot, so that none of its pages is written to until the next checkpoint is on disk.
 * When the store is opened after another boot, the root pages of the last checkpoint are put back: that snapshot is whole.
 */

const MAGIC = 'arc-checkpoint-1';
/** Two slots are written in turn, so that a torn one leaves the other. */
const SLOT = 64 * 1024;
const HEAD = 80;

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

const digest = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest().subarray(0, 16);

/** The id of this boot of the machine; undefined where there is none to be relied on. */
export function bootId(): string | undefined {
  try {
    const read = () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const id = read();
    return id.length === 36 && id === read() ? id : undefined;
  } catch {
    return undefined;
  }
}

/** One slot: magic, boot id, sequence number, length of the roots, the roots, and a digest before all. */
function encode(boot: string, sequence: number, roots: Buffer): Buffer {
  const body = Buffer.alloc(HEAD - 16 + roots.length);
  body.write(MAGIC, 0, 'latin1');
  body.write(boot, 16, 'latin1');
  body.writeUInt32LE(roots.length, 52);
  body.writeDoubleLE(sequence, 56);
  roots.copy(body, 64);
  return Buffer.concat([digest(body), body]);
}

type Slot = { boot: string; sequence: number; roots: Buffer };

function decode(bytes: Buffer): Slot | undefined {
  if (bytes.length < HEAD || bytes.toString('latin1', 16, 32) !== MAGIC) return undefined;
  const length = bytes.readUInt32LE(68);
  const body = bytes.subarray(16, HEAD + length);
  if (HEAD + length > bytes.length || !digest(body).equals(bytes.subarray(0, 16))) return undefined;
  return {
    boot: bytes.toString('latin1', 32, 68),
    sequence: bytes.readDoubleLE(72),
    roots: bytes.subarray(HEAD, HEAD + length),
  };
}

const shadowOf = (file: string): string => `${file}-checkpoint`;

/** The last whole checkpoint of a data file. */
function lastSlot(file: string): Slot | undefined {
  if (!existsSync(shadowOf(file))) return undefined;
  const bytes = readFileSync(shadowOf(file));
  const slots = [decode(bytes.subarray(0, SLOT)), decode(bytes.subarray(SLOT))].filter((slot) => slot !== undefined);
  return slots.sort((a, b) => b.sequence - a.sequence)[0];
}

/** Puts a data file back to its last checkpoint when the machine has started anew since; before the file is opened. */
export function recover(file: string, boot: string | undefined): boolean {
  const slot = lastSlot(file);
  if (!slot || slot.boot === boot) return false;
  const fd = openSync(file, 'r+');
  try {
    writeSync(fd, slot.roots, 0, slot.roots.length, 0);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return true;
}

/** What a checkpoint needs of the engine. */
export type Checkpointed = {
  file: string;
  boot: string;
  pageSize: number;
  /** Keeps the current snapshot's pages from being written to; returns the release. */
  pin(): () => void;
  /** Synchronises the data file off this thread. */
  sync(): Promise<void>;
};

export type Checkpoints = {
  /** Says that something was committed: it will be part of a checkpoint within `pause` milliseconds. */
  committed(): void;
  /** Resolves when all that is committed now is on disk for good. */
  reached(): Promise<void>;
  /** A last checkpoint; after it the data file stands for itself. */
  close(): Promise<void>;
};

/** Makes checkpoints of a data file that was just opened; the first one before anything else is written. */
export async function startCheckpoints(engine: Checkpointed, pause: number): Promise<Checkpoints> {
  const fd = openSync(shadowOf(engine.file), existsSync(shadowOf(engine.file)) ? 'r+' : 'w+', 0o600);
  ftruncateSync(fd, 2 * SLOT);
  const data = openSync(engine.file, 'r');
  let sequence = (lastSlot(engine.file)?.sequence ?? 0) + 1;
  let release: () => void = () => undefined;
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let dirty = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const make = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    dirty = false;
    const served = waiting;
    waiting = [];
    // Pin and roots belong to one snapshot: nothing can be committed between these lines.
    const next = engine.pin();
    const roots = Buffer.alloc(2 * engine.pageSize);
    readSync(data, roots, 0, roots.length, 0);
    try {
      await engine.sync();
      const slot = encode(engine.boot, sequence, roots);
      await writeAsync(fd, slot, 0, slot.length, (sequence % 2) * SLOT);
      await syncAsync(fd);
    } catch (error) {
      dirty = true;
      next();
      for (const { reject } of served) reject(error);
      return;
    }
    sequence++;
    release();
    release = next;
    for (const { resolve } of served) resolve();
  };

  const run = (): void => {
    running ??= make().finally(() => {
      running = undefined;
      if (waiting.length > 0) run();
      else if (dirty) timer ??= setTimeout(run, pause).unref();
    });
  };

  await make();
  return {
    committed() {
      dirty = true;
      if (!running) timer ??= setTimeout(run, pause).unref();
    },
    reached: () =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (!running) run();
      }),
    async close() {
      await running;
      await make();
      clearTimeout(timer);
      release();
      closeSync(fd);
      closeSync(data);
      rmSync(shadowOf(engine.file));
    },
  };
}
