import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './cache.ts';
import type { Lanes, Wrong } from './lanes.ts';
import type { Mutant } from './mutants.ts';
import type { Project } from './project.ts';
import { type Reach, toBits } from './reached.ts';
import { hashOf, readImports } from './tests.ts';
import type { Warm } from './warm.ts';
import { inTurn } from './work.ts';

/** A test file that takes longer than this has no answer. */
const LONGEST_MILLISECONDS = 300_000;

/** What the watcher of a lane has written. */
type Notes = {
  outside: number[];
  loading: number[];
  tests: { title: string; milliseconds: number; reached: number[] }[];
};

/**
 * Which mutants each test reaches: every test file is run once, unbroken, beside those that need the same environment;
 * what is not green there is run again alone. What was found out before counts as long as the test file, what it imports
 * of the tests, and the sources that it reached are the same.
 */
export async function findReach(
  project: Project,
  mutants: Map<string, Mutant[]>,
  tests: string[],
  {
    sources,
    lanes,
    warm,
    say,
  }: { sources: Map<string, string>; lanes: Lanes; warm: Warm[]; say: (text: string) => void },
): Promise<Map<string, Reach>> {
  const folder = join(project.cache, 'reach');
  const fileFor = (test: string) => join(folder, `${hashOf(test)}.json`);
  const { closureOf, hashTest } = readImports(project.root);
  const byNumber = new Map([...mutants.values()].flat().map((mutant) => [mutant.number, mutant]));
  const found = new Map(tests.map((test) => [test, readJson<Reach | null>(fileFor(test), null)]));
  const isCurrent = (test: string) => {
    const entry = found.get(test);
    const isSame = () => Object.entries(entry!.sources).every(([path, was]) => sources.get(path) === was);
    return entry?.green && entry.hash === hashTest(test) && isSame();
  };

  /** What was noted, as it is kept. */
  function entryOf(
    test: string,
    { outside, loading, tests: ran }: Notes,
  ): Omit<Reach, 'green' | 'isRepeatable' | 'seconds'> {
    const imported = closureOf(test);
    const known = (number: number) => byNumber.has(number);
    // A process has loaded more than this file needs.
    const loaded = loading.filter((number) => imported.has(byNumber.get(number)?.file ?? ''));
    const all = [...new Set([...outside, ...loaded, ...ran.flatMap(({ reached }) => reached)])].filter(known);
    const places = new Map(all.map((number, place) => [number, place]));
    const bitsOf = (numbers: number[]) =>
      toBits(
        numbers.flatMap((number) => places.get(number) ?? []),
        all.length,
      );
    const files = new Set(all.map((number) => byNumber.get(number)!.file));
    return {
      hash: hashTest(test),
      sources: Object.fromEntries([...files].map((path) => [path, sources.get(path)!])),
      ids: all.map((number) => byNumber.get(number)!.id),
      tests: ran.map((one) => ({ ...one, reached: bitsOf(one.reached) })),
      outside: bitsOf(outside),
      loading: bitsOf(loaded),
    };
  }

  const stale = tests
    .filter((test) => !isCurrent(test))
    .sort((one, other) => (lanes.companyOf(one) < lanes.companyOf(other) ? -1 : 1));
  if (stale.length > 0)
    say(`${stale.length} of ${tests.length} test files are run once, unbroken, to see what they reach.`);
  mkdirSync(folder, { recursive: true });
  await inTurn(warm, stale, async (test, lane) => {
    const notes = join(folder, `${hashOf(test)}.notes`);
    const given = { milliseconds: LONGEST_MILLISECONDS, notes };
    const run = async (isFresh: boolean): Promise<[Wrong | null, number]> => {
      rmSync(notes, { force: true });
      const start = Date.now();
      return [await lane.runUnbroken(test, given, isFresh), (Date.now() - start) / 1000];
    };
    let [wrong, seconds] = await run(false);
    let isRepeatable = true;
    if (wrong) {
      isRepeatable = false;
      [wrong, seconds] = await run(true);
    }
    const noted: Notes = existsSync(notes)
      ? JSON.parse(readFileSync(notes, 'utf8'))
      : { outside: [], loading: [], tests: [] };
    rmSync(notes, { force: true });
    // What sets its process's environment may not do so twice.
    if (!wrong && isRepeatable && lanes.isAlone(test)) {
      const again = Date.now();
      isRepeatable = !(await lane.runUnbroken(test, { milliseconds: LONGEST_MILLISECONDS }));
      if (isRepeatable) seconds = Math.max(1, (Date.now() - again) / 1000);
    }
    const entry = { ...entryOf(test, noted), green: wrong === null, isRepeatable, seconds };
    found.set(test, entry);
    writeJson(fileFor(test), entry);
    if (wrong) say(`Left out, because it is not green unbroken: ${test} (${wrong.how}: ${wrong.title.split('\n')[0]})`);
    else if (!isRepeatable) say(`Run in a process of its own for each mutant: ${test}`);
  });
  return found as Map<string, Reach>;
}
