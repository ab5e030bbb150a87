// Copied into the checkout that is broken on purpose; a lane is given it. It switches the mutants of the lane's process
// and notes what each test reaches.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { jestExpect as expect } from '@jest/expect';
import { addEventHandler } from 'jest-circus';
import { active, LOADING, RUNNING, reached } from './switch.mjs';

let noted;
let startedAt = 0;

/** The numbers of what was reached in a way. */
const reachedBy = (where) => [...reached.keys()].filter((number) => reached[number] & where);

/** What was reached since this was asked last. */
function take() {
  const numbers = reachedBy(RUNNING);
  for (const number of numbers) reached[number] &= LOADING;
  return numbers;
}

addEventHandler(({ name, test }) => {
  if (!noted) return;
  if (name === 'test_start') {
    noted.outside.push(...take());
    startedAt = Date.now();
  } else if (name === 'test_done') {
    const title = expect.getState().currentTestName;
    noted.tests.push({ title, milliseconds: Date.now() - startedAt, reached: take(), failed: test.errors.length > 0 });
  }
});

/**
 * Switches to a mutant, for this process with its threads, and for those that it starts from now on.
 * @param given `mutant`: its number, 0 for none; `notes`: the file for what is reached
 */
export function before({ mutant = 0, notes }) {
  if (mutant) process.env.MUTANT = String(mutant);
  else delete process.env.MUTANT;
  if (notes) process.env.MUTANTS_REACHED = `${notes}.children`;
  take();
  noted = notes && { outside: [], tests: [] };
  active[0] = mutant;
}

/** Switches the mutant off, and writes what was noted. */
export function after({ notes }) {
  active[0] = 0;
  delete process.env.MUTANT;
  delete process.env.MUTANTS_REACHED;
  if (!noted) return;
  const children = `${notes}.children`;
  const byChildren = existsSync(children) ? readFileSync(children, 'utf8').trim().split('\n').map(Number) : [];
  rmSync(children, { force: true });
  const outside = [...new Set([...noted.outside, ...take(), ...byChildren])];
  writeFileSync(notes, JSON.stringify({ ...noted, outside, loading: reachedBy(LOADING) }));
  noted = undefined;
}
