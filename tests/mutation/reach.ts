import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './cache.ts';
import type { Lanes } from './lanes.ts';
import type { Mutant } from './mutants.ts';
import type { Project } from './project.ts';
import { type Reach, toBits } from './reached.ts';
import { hashOf, readImports } from './tests.ts';
import type { Warm } from './warm.ts';
import { runWithWorkers } from './work.ts';

/** A test file that takes longer counts as hung. */
const MAX_FILE_MS = 300_000;

/** The notes that the watcher of a lane writes. */
type Notes = {
  outside: number[];
  loading: number[];
  tests: { title: string; milliseconds: number; reached: number[] }[];
};

const numbersOf = ({ outside, tests }: Notes) => new Set([...outside, ...tests.flatMap(({ reached }) => reached)]);

/**
 * Finds which mutants each test reaches. Every test file is run twice without a mutant, together with those that need
 * the same environment; if it fails there, it is run again alone. Earlier results are reused while the test file, the
 * test modules it imports and the sources it reached are unchanged.
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

  /** For each environment, the mutants reached once per process. */
  const onceIn = new Map<string, Set<number>>();

  /** Combines the notes of two runs in one process into a cache entry. */
  function entryOf(test: string, first: Notes, second: Notes) {
    const imported = closureOf(test);
    const isKnown = (number: number) => byNumber.has(number);
    // The process may have loaded, and initialised, more than this file needs.
    const isNeeded = (number: number) => imported.has(byNumber.get(number)?.file ?? '');
    const company = lanes.companyOf(test);
    const again = numbersOf(second);
    const once = new Set([...(onceIn.get(company) ?? []), ...[...numbersOf(first)].filter((it) => !again.has(it))]);
    onceIn.set(company, once);
    const loading = first.loading.filter(isNeeded);
    const onceHere = [...once].filter((number) => isNeeded(number) && !again.has(number));
    const all = [...new Set([...again, ...loading, ...onceHere])].filter(isKnown);
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
      tests: second.tests.map((one) => ({ ...one, reached: bitsOf(one.reached) })),
      loading: bitsOf(loading),
      once: bitsOf(onceHere),
    };
  }

  const stale = tests
    .filter((test) => !isCurrent(test))
    .sort((one, other) => (lanes.companyOf(one) < lanes.companyOf(other) ? -1 : 1));
  if (stale.length > 0)
    say(`${stale.length} of ${tests.length} test files are run twice without a mutant, to find what they reach.`);
  mkdirSync(folder, { recursive: true });
  await runWithWorkers(warm, stale, async (test, lane) => {
    const written = join(folder, `${hashOf(test)}.notes`);
    const run = async (isFresh = false) => {
      rmSync(written, { force: true });
      const start = Date.now();
      const given = { milliseconds: MAX_FILE_MS, notes: written };
      const wrong = await lane.runUnbroken(test, given, isFresh);
      const notes: Notes = readJson(written, { outside: [], loading: [], tests: [] });
      rmSync(written, { force: true });
      return { wrong, notes, seconds: Math.max(0.1, (Date.now() - start) / 1000) };
    };
    let first = await run();
    if (first.wrong) first = await run(true);
    const second = first.wrong ? first : await run();
    // A file that sets its process's environment, for example, may not run twice in one process.
    const isRepeatable = !second.wrong;
    const { wrong } = first;
    const { notes, seconds } = isRepeatable ? second : first;
    const entry = { ...entryOf(test, first.notes, notes), green: wrong === null, isRepeatable, seconds };
    found.set(test, entry);
    writeJson(fileFor(test), entry);
    if (wrong)
      say(`Left out, because it fails without a mutant: ${test} (${wrong.how}: ${wrong.title.split('\n')[0]})`);
    else if (!isRepeatable) say(`Needs a process of its own for each mutant: ${test}`);
  });
  return found as Map<string, Reach>;
}
