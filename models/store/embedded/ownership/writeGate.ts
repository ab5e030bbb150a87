/**
 * Keeps the end of a process from catching the store's thread within a write transaction. lmdb holds a lock from the
 * beginning of one to its end; a thread that is ended in between takes that lock once more while it is cleaned up, and
 * waits for itself for ever, and the process waits for the thread. Seen with lmdb 3.5.6 on Node 20.
 */
const IDLE = 0;
const WRITING = 1;
const ENDING = 2;

/** How long an ending process waits for the transaction at hand, in milliseconds. */
const MOST_WAIT = 10_000;
/** How often it looks whether that is over, where it is not woken. */
const LOOK = 100;

/** One number that a process shares with the thread of its store. */
export type WriteGate = Int32Array<SharedArrayBuffer>;

export const makeWriteGate = (): WriteGate => new Int32Array(new SharedArrayBuffer(4));

let gate: WriteGate | undefined;

/** Lets the transactions of this thread be held back through a gate; without one they never are. */
export function setWriteGate(given: WriteGate | undefined): void {
  gate = given;
}

/** Runs one write transaction. While the process ends none begins: the thread stands still until it is ended. */
export function throughWriteGate<T>(transaction: () => T): T {
  if (!gate) return transaction();
  while (Atomics.compareExchange(gate, 0, IDLE, WRITING) !== IDLE) Atomics.wait(gate, 0, ENDING);
  try {
    return transaction();
  } finally {
    Atomics.store(gate, 0, IDLE);
    Atomics.notify(gate, 0);
  }
}

/** Waits until the other thread is in no transaction, and lets none begin any more. Blocks: for the end of a process alone. */
export function closeWriteGate(shared: WriteGate): void {
  const until = Date.now() + MOST_WAIT;
  while (Atomics.compareExchange(shared, 0, IDLE, ENDING) === WRITING && Date.now() < until)
    Atomics.wait(shared, 0, WRITING, LOOK);
}
