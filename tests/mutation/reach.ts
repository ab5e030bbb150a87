import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './cache.ts';
import { inLanes, type Lanes } from './lanes.ts';
import type { Mutant } from './mutants.ts';
import type { Project } from './project.ts';
import { hashOf, hashTest, type Reach } from './tests.ts';

/** A test file that takes longer than this has no answer. */
const LONGEST_MILLISECONDS = 300_000;

/**
 * Which mutants each test file reaches: every file is run once, alone and unbroken. What was found out before counts as
 * long as the test file, what it imports of the tests, and the sources that it reached are the same.
 */
export async function findReach(
  project: Project,
  mutants: Map<string, Mutant[]>,
  tests: string[],
  { lanes, processes, say }: { lanes: Lanes; processes: number; say: (text: string) => void },
): Promise<Map<string, Reach & { ids: Set<string> }>> {
  const file = join(project.cache, 'reach.json');
  const known = readJson<Record<string, Reach>>(file, {});
  const fileOf = new Map([...mutants.values()].flat().map((mutant) => [mutant.id, mutant.file]));
  const sources = new Map(
    [...mutants.keys()].map((path) => [path, hashOf(readFileSync(join(project.root, path), 'utf8'))]),
  );
  const isCurrent = (test: string, hash: string) => {
    const entry = known[test];
    return entry?.hash === hash && Object.entries(entry.sources).every(([path, was]) => sources.get(path) === was);
  };
  const hashes = new Map(tests.map((test) => [test, hashTest(project.root, test)]));
  const stale = tests.filter((test) => !isCurrent(test, hashes.get(test)!));
  if (stale.length > 0)
    say(`${stale.length} of ${tests.length} test files are run once, unbroken, to see what they reach.`);
  mkdirSync(join(project.cache, 'reached'), { recursive: true });
  await inLanes(processes, stale, async (test) => {
    const written = join(project.cache, 'reached', hashOf(test));
    rmSync(written, { force: true });
    const start = Date.now();
    const wrong = await lanes.runFile(test, {
      environment: { MUTANTS_REACHED: written },
      milliseconds: LONGEST_MILLISECONDS,
      endsAtFailure: false,
    });
    const ids = existsSync(written)
      ? new Set(readFileSync(written, 'utf8').split('\n').filter(Boolean))
      : new Set<string>();
    const reachedFiles = new Set([...ids].flatMap((id) => fileOf.get(id) ?? []));
    known[test] = {
      hash: hashes.get(test)!,
      sources: Object.fromEntries([...reachedFiles].map((path) => [path, sources.get(path)!])),
      reached: [...ids],
      seconds: (Date.now() - start) / 1000,
      green: wrong === null,
    };
    if (wrong) say(`Left out, because it is not green unbroken: ${test} (${wrong.how}: ${wrong.title.split('\n')[0]})`);
    writeJson(file, known);
  });
  return new Map(tests.map((test) => [test, { ...known[test]!, ids: new Set(known[test]!.reached) }]));
}
