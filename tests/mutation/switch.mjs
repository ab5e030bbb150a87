// Copied into the mutated checkout, where every file of a room imports it. One block of shared memory holds the active
// mutant and the mutants that were reached; a process shares it with its worker threads.
import { appendFileSync } from 'node:fs';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const MAX_MUTANTS = 1 << 16;
const KEY = 'mutation';

/**
 * A process starts with the mutant named in its environment, which may also name a file to record reached mutants in.
 */
function begin() {
  const memory = new SharedArrayBuffer(4 + MAX_MUTANTS);
  new Int32Array(memory, 0, 1)[0] = Number(process.env.MUTANT ?? 0);
  const shared = { memory, written: process.env.MUTANTS_REACHED };
  setEnvironmentData(KEY, shared);
  return shared;
}

const { memory, written } = getEnvironmentData(KEY) ?? begin();

/** The number of the active mutant; 0 for none. */
export const active = new Int32Array(memory, 0, 1);
/** For each mutant, the sum of the flags for when it was reached. */
export const reached = new Uint8Array(memory, 4);
export const RUNNING = 1;
export const LOADING = 2;

/** Number of modules whose top-level statements are running. */
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

/** Whether a mutant is active. */
export function __mutant(number) {
  const where = loading > 0 ? LOADING : RUNNING;
  if ((reached[number] & where) === 0) note(number, where);
  return active[0] === number;
}
