import type { Given, Lanes, Opened, Wrong } from './lanes.ts';
import type { Project } from './project.ts';

/** Maximum processes that a lane keeps, each with the product loaded in another environment. */
const MAX_PROCESSES = 3;
/** Bytes after which a process is replaced. */
const MAX_PROCESS_BYTES = 1_200_000_000;
/** Extra time for a process's first file, which loads the product and starts its server. */
const LOADING_MS = 20_000;

export type Selection = { test: string; only: string[] | null; seconds: number };
export type Tried = Wrong | 'survived' | 'unusable';

/**
 * Keeps processes running, so that the product is not loaded for each mutant. A failure counts if the same test then
 * passes in that process without the mutant; otherwise a new process decides.
 */
export function keepWarm(lanes: Lanes, { patience }: Project) {
  const kept = new Map<string, Opened>();

  async function drop(company: string): Promise<void> {
    const lane = kept.get(company);
    kept.delete(company);
    await lane?.close();
  }

  /** The process for a test file; opened if there is none. */
  async function laneFor(test: string): Promise<Opened> {
    const company = lanes.companyOf(test);
    const known = kept.get(company);
    kept.delete(company);
    if (known && (!known.isOpen() || known.memory() > MAX_PROCESS_BYTES)) await known.close();
    const lane = known?.isOpen() ? known : lanes.open();
    kept.set(company, lane);
    const [oldest] = kept.keys();
    if (kept.size > MAX_PROCESSES && oldest) await drop(oldest);
    return lane;
  }

  async function run(lane: Opened, { test, only, seconds }: Selection, given: Partial<Given> = {}) {
    const milliseconds = (seconds * 3 + patience) * 1000 + (lane.runs() === 0 ? LOADING_MS : 0);
    return lane.run(test, { milliseconds, only: only ?? undefined, ...given });
  }

  /** Runs a test file without a mutant; in a new process with `isFresh`. */
  async function runUnbroken(test: string, given: Given, isFresh = false): Promise<Wrong | null> {
    if (isFresh) await drop(lanes.companyOf(test));
    return (await laneFor(test)).run(test, given);
  }

  /** Whether the failed test passes without the mutant: alone, or after those that come before it. */
  async function passesUnbroken(lane: Opened, selection: Selection, { test }: Wrong): Promise<boolean> {
    if (test && !(await run(lane, { ...selection, only: [test] }))) return true;
    return lane.isOpen() && !(await run(lane, selection));
  }

  /** Whether tests notice a mutant; `unusable` if they fail without it. */
  async function tryMutant(selection: Selection, mutant: number): Promise<Tried> {
    for (;;) {
      const lane = await laneFor(selection.test);
      const isNew = lane.runs() === 0;
      if (isNew && (await run(lane, selection))) {
        await drop(lanes.companyOf(selection.test));
        return 'unusable';
      }
      const wrong = await run(lane, selection, { mutant, endsAtFailure: true });
      if (!wrong) return 'survived';
      const isGood = wrong.how === 'failed' && (await passesUnbroken(lane, selection, wrong));
      if (!isGood) await drop(lanes.companyOf(selection.test));
      if (isGood || isNew) return wrong;
    }
  }

  return {
    runUnbroken,
    tryMutant,
    async close() {
      for (const company of [...kept.keys()]) await drop(company);
    },
  };
}
export type Warm = ReturnType<typeof keepWarm>;
