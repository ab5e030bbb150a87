import { join } from 'node:path';
import { readJson, writeJson } from './cache.ts';
import { type Equivalent, isEntryOf } from './equivalent.ts';
import type { Lanes, Verdict, Wrong } from './lanes.ts';
import type { Mutant } from './mutants.ts';
import type { Project } from './project.ts';
import type { Reach, Way } from './reached.ts';
import { hashOf } from './tests.ts';
import type { Warm } from './warm.ts';
import { runWithWorkers } from './work.ts';

/** How many test files are run for a mutant, and how long their tests may take together without it. */
export type Limits = { files: number; seconds: number };
export type Outcome = {
  outcome: 'noticed' | 'survived' | 'unreached' | 'equivalent';
  by?: Verdict;
  /** How many test files were run, and how many reach the mutant. */
  ran: number;
  of: number;
};
export type Judged = {
  mutant: Mutant;
  outcome: Outcome;
  /** Whether it was tried before, with this or another version of source and tests. */
  isSeen: boolean;
};

const LOADING_SECONDS = 5;

/** Runs the tests of one file for a mutant, in the way that suits it. */
function makeRuns({ patience }: Project, lanes: Lanes, say: (text: string) => void) {
  /** Test files that turned out to fail without a mutant during this run. */
  const unusable = new Set<string>();
  const baselines = new Map<string, Promise<Wrong | null>>();

  function runAlone({ test, wholeSeconds }: Way, mutant: number): Promise<Wrong | null> {
    const lane = lanes.open(mutant ? { MUTANT: String(mutant) } : {});
    const milliseconds = ((wholeSeconds + LOADING_SECONDS) * 3 + patience) * 1000;
    return lane.run(test, { milliseconds, mutant, endsAtFailure: true }).finally(lane.kill);
  }

  /** The failure of a test file without a mutant, in a process of its own. */
  function baselineOf(way: Way): Promise<Wrong | null> {
    const known = baselines.get(way.test) ?? runAlone(way, 0);
    if (!baselines.has(way.test)) {
      void known.then(
        (wrong) => wrong && say(`Left out, because it now fails without a mutant: ${way.test} (${wrong.title})`),
      );
      baselines.set(way.test, known);
    }
    return known;
  }

  async function inProcessOfItsOwn(way: Way, mutant: number): Promise<Wrong | null> {
    const wrong = await runAlone(way, mutant);
    return wrong && !(await baselineOf(way)) ? wrong : null;
  }

  return async function runWay(way: Way, { number }: Mutant, warm: Warm): Promise<Wrong | null> {
    if (way.isLoaded || !way.isRepeatable) return inProcessOfItsOwn(way, number);
    const whole: Way = { ...way, only: null, seconds: way.wholeSeconds };
    for (const { test, only, seconds } of way.only ? [way, whole] : [whole]) {
      const name = `${only ? 'parts of ' : ''}${test}`;
      if (unusable.has(name)) continue;
      const tried = await warm.tryMutant({ test, only, seconds }, number);
      if (tried !== 'unusable') return tried === 'survived' ? null : tried;
      unusable.add(name);
    }
    return inProcessOfItsOwn(way, number);
  };
}

/** Runs the test files that reach a mutant until one notices it. */
async function judge(ways: Way[], run: (way: Way) => Promise<Wrong | null>, limits: Limits): Promise<Outcome> {
  const of = ways.length;
  if (of === 0) return { outcome: 'unreached', ran: 0, of };
  let ran = 0;
  let seconds = 0;
  for (const way of ways) {
    if (ran === limits.files) break;
    if (ran > 0 && seconds + way.seconds > limits.seconds) continue;
    ran += 1;
    seconds += way.seconds;
    const by = await run(way);
    if (by) return { outcome: 'noticed', by: { file: way.test, ...by }, ran, of };
  }
  // A failure may be due to state that another test left, or to a value computed once per process.
  const [nearest] = ways as [Way];
  const by = nearest.isLoaded || !nearest.isRepeatable ? null : await run({ ...nearest, isLoaded: true });
  return by ? { outcome: 'noticed', by: { file: nearest.test, ...by }, ran, of } : { outcome: 'survived', ran, of };
}

/**
 * Tries the mutants of a room until the time or the sample is used up, in a fixed order that mixes the files. An
 * earlier result is reused while the mutant's source is unchanged, and so is the test file that noticed it, or each
 * test file that reaches it.
 */
export async function judgeRoom(
  project: Project,
  mutants: Mutant[],
  {
    sources,
    reach,
    waysOf,
    lanes,
    warm,
    limits,
    equivalent,
    until,
    sample,
    onlyUnseen,
    onJudged,
    say,
  }: {
    /** The hashes of the sources. */
    sources: Map<string, string>;
    reach: Map<string, Reach>;
    waysOf: (mutant: Mutant) => Way[];
    lanes: Lanes;
    warm: Warm[];
    limits: Limits;
    equivalent: Equivalent[];
    until: number;
    sample: number;
    onlyUnseen: boolean;
    onJudged: (judged: Judged, isNew: boolean) => void;
    say: (text: string) => void;
  },
): Promise<Judged[]> {
  const file = join(project.cache, 'results.json');
  const known = readJson<Record<string, Outcome & { key: string }>>(file, {});
  const keyOf = (mutant: Mutant, { by }: Outcome, ways: Way[]) => {
    const tests = by ? [by.file] : [JSON.stringify(limits), ...ways.map(({ test }) => test)];
    return hashOf(sources.get(mutant.file)!, ...tests.map((test) => test + reach.get(test)?.hash));
  };
  const runWay = makeRuns(project, lanes, say);
  const judged: Judged[] = [];
  const seen = new Set(Object.keys(known));
  const ordered = mutants
    .filter(({ id }) => !onlyUnseen || !seen.has(id))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, sample);
  await runWithWorkers(warm, ordered, async (mutant, lane) => {
    if (Date.now() > until) return;
    const ways = waysOf(mutant);
    const before = known[mutant.id];
    const isEquivalent = equivalent.some((entry) => isEntryOf(entry, mutant));
    const isKnown = isEquivalent || (before !== undefined && before.key === keyOf(mutant, before, ways));
    let outcome: Outcome;
    if (isEquivalent) outcome = { outcome: 'equivalent', ran: 0, of: ways.length };
    else if (before && isKnown) outcome = before;
    else {
      outcome = await judge(ways, (way) => runWay(way, mutant, lane), limits);
      known[mutant.id] = { ...outcome, key: keyOf(mutant, outcome, ways) };
      writeJson(file, known);
    }
    const one = { mutant, outcome, isSeen: seen.has(mutant.id) };
    judged.push(one);
    onJudged(one, !isKnown);
  });
  return judged;
}
