// Copied into the checkout that is broken on purpose; every file of a room imports it there. One block of memory says
// which mutant is active, and holds what was reached: a process shares it with its worker threads.
import { appendFileSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const MOST_MUTANTS = 1 << 16;
const KEY = 'mutation';

/** A process begins with what its environment says; it may name a file for what is reached, too. */
function begin() {
  const memory = new SharedArrayBuffer(4 + MOST_MUTANTS);
  new Int32Array(memory, 0, 1)[0] = Number(process.env.MUTANT ?? 0);
  const shared = { memory, written: process.env.MUTANTS_REACHED };
  setEnvironmentData(KEY, shared);
  return shared;
}

const { memory, written } = getEnvironmentData(KEY) ?? begin();

/** The number of the mutant that is on; 0 for none. */
export const active = new Int32Array(memory, 0, 1);
/** For each mutant where it was reached, as a sum. */
export const reached = new Uint8Array(memory, 4);
export const RUNNING = 1;
export const LOADING = 2;

/** Modules whose own statements run at the moment. */
let loading = 0;
export function __enter() {
  loading += 1;
}
export function __leave() {
  loading -= 1;
}

function note(number, where) {
  reached[number] |= where;
  if (written) appendFileSync(written, `${number}\n`);
}

/** Whether a mutant is on. */
export function __mutant(number) {
  const where = loading > 0 ? LOADING : RUNNING;
  if ((reached[number] & where) === 0) note(number, where);
  return active[0] === number;
}
