import { createHash } from 'node:crypto';
import { closeSync, existsSync, fdatasyncSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';

/*
 * Commits are not synchronised one by one: what is in the page cache survives a killed process. A power cut is another
 * matter, for the system writes pages back in any order. So every so often a checkpoint is made: the file is
 * synchronised, and its two root pages (lmdb's metas) are kept in a second file with the id of this boot of the machine.
 * A reader pins the checkpoint's snapshot, so that none of its pages is written to until the next checkpoint is on disk.
 * When the store is opened after another boot, the root pages of the last checkpoint are put back: that snapshot is whole.
 */

/** Size of a slot in bytes. Two slots are written in turn, so that a torn write leaves the other one intact. */
export const SLOT = 256 * 1024;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

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

/** A checkpoint: the root pages (base64) with the boot they were kept in; the later of two has the higher sequence. */
type Slot = { boot: string; sequence: number; roots: string };

const encode = (slot: Slot): string => `${digest(JSON.stringify(slot))} ${JSON.stringify(slot)}\n`;

function decode(bytes: Buffer): Slot | undefined {
  const [sum, body = ''] = bytes.toString('latin1', 0, bytes.indexOf('\n')).split(' ');
  return digest(body) === sum ? (JSON.parse(body) as Slot) : undefined;
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
    writeSync(fd, Buffer.from(slot.roots, 'base64'), 0, null, 0);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return true;
}

/** What a checkpoint needs of the engine. */
type Checkpointed = {
  file: string;
  boot: string;
  pageSize: number;
  /** Keeps the current snapshot's pages from being written to; returns the release. */
  pin(): () => void;
  /** Synchronises the data file off this thread. */
  sync(): Promise<void>;
};

type Checkpoints = {
  /** Says that something was committed: it will be part of a checkpoint within `pause` milliseconds. */
  committed(): void;
  /** Resolves when all that is committed now is on disk for good. */
  reached(): Promise<void>;
  /** A last checkpoint; after it the data file stands for itself. */
  close(): Promise<void>;
};

/** Makes checkpoints of a data file that was just opened; the first one before anything else is written. */
export async function startCheckpoints(engine: Checkpointed, pause: number): Promise<Checkpoints> {
  const shadow = await open(shadowOf(engine.file), existsSync(shadowOf(engine.file)) ? 'r+' : 'w+', 0o600);
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
      const slot = encode({ boot: engine.boot, sequence, roots: roots.toString('base64') });
      await shadow.write(slot, (sequence % 2) * SLOT, 'latin1');
      await shadow.datasync();
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

  const later = () => {
    timer ??= setTimeout(run, pause).unref();
  };
  const run = (): void => {
    running ??= make().finally(() => {
      running = undefined;
      if (waiting.length > 0) run();
      else if (dirty) later();
    });
  };

  await make();
  return {
    committed() {
      dirty = true;
      if (!running) later();
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
      await shadow.close();
      closeSync(data);
      rmSync(shadowOf(engine.file));
    },
  };
}
