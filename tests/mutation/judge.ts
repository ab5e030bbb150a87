import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './cache.ts';
import { type Equivalent, isEntryOf } from './equivalent.ts';
import { inLanes, type Lanes, type Verdict } from './lanes.ts';
import type { Mutant } from './mutants.ts';
import type { Project } from './project.ts';
import { coveringTests, hashOf, type Reach } from './tests.ts';

export type Limits = { files: number; seconds: number };
export type Outcome = {
  outcome: 'noticed' | 'survived' | 'unreached' | 'equivalent';
  by?: Verdict;
  /** Test files that were run, and that reach it. */
  ran: number;
  of: number;
};
export type Judged = { mutant: Mutant; outcome: Outcome };
type Reached = Map<string, Reach & { ids: Set<string> }>;

/** A test file hangs when it takes three times as long as unbroken, and some. */
const patience = ({ seconds }: Reach) => seconds * 3000 + 5000;

async function judge(mutant: Mutant, reach: Reached, lanes: Lanes, limits: Limits): Promise<Outcome> {
  const tests = coveringTests(mutant, reach);
  const of = tests.length;
  if (of === 0) return { outcome: 'unreached', ran: 0, of };
  const start = Date.now();
  let ran = 0;
  for (const test of tests.slice(0, limits.files)) {
    if (ran > 0 && Date.now() - start > limits.seconds * 1000) break;
    ran += 1;
    const by = await lanes.runFile(test, {
      environment: { MUTANT: mutant.id },
      milliseconds: patience(reach.get(test)!),
      endsAtFailure: true,
    });
    if (by) return { outcome: 'noticed', by, ran, of };
  }
  return { outcome: 'survived', ran, of };
}

/**
 * Tries the mutants of a room, in an order that is the same each time and mixes the files, until the time or the sample
 * is used up. What was tried before is taken over as long as its source and the tests that reach it are the same.
 */
export async function judgeRoom(
  project: Project,
  mutants: Mutant[],
  reach: Reached,
  {
    lanes,
    limits,
    processes,
    equivalent,
    until,
    sample,
    onJudged,
  }: {
    lanes: Lanes;
    limits: Limits;
    processes: number;
    equivalent: Equivalent[];
    until: number;
    sample: number;
    onJudged: (judged: Judged, isNew: boolean) => void;
  },
): Promise<Judged[]> {
  const file = join(project.cache, 'results.json');
  const known = readJson<Record<string, Outcome & { key: string }>>(file, {});
  const sources = new Map<string, string>();
  const sourceOf = (path: string) => {
    if (!sources.has(path)) sources.set(path, readFileSync(join(project.root, path), 'utf8'));
    return sources.get(path)!;
  };
  const judged: Judged[] = [];
  const ordered = [...mutants].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, sample);
  await inLanes(processes, ordered, async (mutant) => {
    if (Date.now() > until) return;
    const tests = coveringTests(mutant, reach).map((test) => test + reach.get(test)!.hash);
    const key = hashOf(sourceOf(mutant.file), JSON.stringify(limits), ...tests);
    const before = known[mutant.id];
    const isEquivalent = equivalent.some((entry) => isEntryOf(entry, mutant));
    const isKnown = isEquivalent || before?.key === key;
    let outcome: Outcome;
    if (isEquivalent) outcome = { outcome: 'equivalent', ran: 0, of: tests.length };
    else if (before && isKnown) outcome = before;
    else {
      outcome = await judge(mutant, reach, lanes, limits);
      known[mutant.id] = { ...outcome, key };
      writeJson(file, known);
    }
    judged.push({ mutant, outcome });
    onJudged({ mutant, outcome }, !isKnown);
  });
  return judged;
}
