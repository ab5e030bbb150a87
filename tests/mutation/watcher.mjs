// Copied into the mutated checkout and passed to a lane. It switches the mutants of the lane's process and records
// which mutants each test reaches.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { jestExpect as expect } from '@jest/expect';
import { addEventHandler } from 'jest-circus';
import { active, LOADING, RUNNING, reached } from './switch.mjs';

let noted;
let startedAt = 0;

/** The numbers of the mutants reached in one way. */
const reachedBy = (where) => [...reached.keys()].filter((number) => reached[number] & where);

/** The mutants reached since the last call. */
function takeReached() {
  const numbers = reachedBy(RUNNING);
  for (const number of numbers) reached[number] &= LOADING;
  return numbers;
}

addEventHandler(({ name, test }) => {
  if (!noted) return;
  if (name === 'test_start') {
    noted.outside.push(...takeReached());
    startedAt = Date.now();
  } else if (name === 'test_done') {
    const title = expect.getState().currentTestName;
    noted.tests.push({
      title,
      milliseconds: Date.now() - startedAt,
      reached: takeReached(),
      failed: test.errors.length > 0,
    });
  }
});

/**
 * Activates a mutant for this process with its threads, and for processes that it starts from now on.
 * @param given `mutant`: its number, 0 for none; `notes`: the file to record reached mutants in
 */
export function before({ mutant = 0, notes }) {
  if (mutant) process.env.MUTANT = String(mutant);
  else delete process.env.MUTANT;
  if (notes) process.env.MUTANTS_REACHED = `${notes}.children`;
  takeReached();
  noted = notes && { outside: [], tests: [] };
  active[0] = mutant;
}

/** Deactivates the mutant, and writes the notes. */
export function after({ notes }) {
  active[0] = 0;
  delete process.env.MUTANT;
  delete process.env.MUTANTS_REACHED;
  if (!noted) return;
  const children = `${notes}.children`;
  const byChildren = existsSync(children) ? readFileSync(children, 'utf8').trim().split('\n').map(Number) : [];
  rmSync(children, { force: true });
  const outside = [...new Set([...noted.outside, ...takeReached(), ...byChildren])];
  writeFileSync(notes, JSON.stringify({ ...noted, outside, loading: reachedBy(LOADING) }));
  noted = undefined;
}
