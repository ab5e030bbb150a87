// Copied into the checkout that is broken on purpose; every file of a room imports it there. What is active is read at
// the start of the process, so that worker threads and child processes, which take over its environment, have it too.
import { appendFileSync } from 'node:fs';

const active = process.env.MUTANT;
const written = process.env.MUTANTS_REACHED;
const reached = new Set();

function note(id) {
  if (!reached.has(id)) {
    reached.add(id);
    appendFileSync(written, `${id}\n`);
  }
  return false;
}

/** Whether a mutant is the one of this process. */
export const __mutant = written ? note : (id) => id === active;
