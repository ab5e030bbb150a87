import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** Where the seconds that each file took in its last run are kept, by path from the root. */
export const DURATIONS = '.cache/test-durations.json';

export const readDurations = (file = DURATIONS) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/**
 * Processor time that a file may take, in seconds. Elapsed time depends on what else runs on the machine, so it is only
 * listed. Processor time grows on a slow or shared machine too, so on such a one a file may take this share of the run:
 * 15 s of the 440 s that a whole run takes on a quiet machine.
 */
const MAX_SECONDS = 15;
const MAX_SHARE = MAX_SECONDS / 440;

/** Files that may take longer, with the reason. */
export const LONG = new Map([
  ['tests/store/durability.test.ts', 'kills a store process again and again while it writes'],
  [
    'tests/engine/storm.test.ts',
    'kills a server again and again with everything running, and checks everything that was stored',
  ],
  ['tests/channels/everyWork.test.ts', 'does the work of nine agents three times, over two kills of the server'],
  ['tests/jobs/dueAtOnce.test.ts', 'kills a worker while scheduled work is due, a thousand jobs in its long form'],
  ['tests/engine/roles.test.ts', 'runs processes of both roles, with an analysis and a worker that is killed'],
  ['tests/engine/crash.test.ts', 'kills a server in the middle of eleven analyses'],
  ['tests/engine/thinking/thinkingCrash.test.ts', 'kills a server at twenty points of ten companies’ thinking'],
  ['tests/api/hazardAnalysis.test.ts', 'thirty analyses: 10 s on a quiet machine'],
  ['tests/api/dataDirectory.test.ts', 'starts a server on twelve kinds of broken directories'],
  ['tests/channels/slackTalk.test.ts', 'fifty conversations in Slack: 11 s on a quiet machine'],
  ['tests/channels/teamsQuestions.test.ts', 'every kind of question on cards: 10 s on a quiet machine'],
  ['tests/channels/slackBurst.test.ts', 'two hundred events at once: 10 s on a quiet machine'],
  [
    'tests/agents/clinical_safety/hostileFiles.test.ts',
    'files that are built to be slow to read: 12 s on a quiet machine',
  ],
  ['tests/api/injections.test.ts', 'a hundred texts that try to have something done: 8 s on a quiet machine'],
  [
    'tests/agents/clinical_safety/choices/choosing.test.ts',
    'kills a server while a model chooses among hazards: 12 s on a quiet machine',
  ],
  ['tests/commands/doctor.test.ts', 'runs commands in processes of their own: 10 s on a quiet machine'],
  ['tests/store/damage.test.ts', 'opens sixty damaged files, and reads all of each in four ways'],
  ['tests/commands/account.test.ts', 'runs every command in a process of its own, beside a server'],
]);

/** Lists the slowest files after a run, stores their durations, and fails the run if a file took too long. */
export default class Slowest {
  /**
   * @param options reporter options: `durations`, the file that durations are stored in
   */
  constructor({ rootDir }, { durations = DURATIONS } = {}) {
    this.rootDir = rootDir;
    this.durations = durations;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults
      .map(({ testFilePath, perfStats, processor = 0 }) => ({
        file: relative(this.rootDir, testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
        processor: processor / 1000,
      }))
      .sort((one, other) => other.processor - one.processor);
    const taken = Object.fromEntries(files.map(({ file, seconds }) => [file, seconds]));
    mkdirSync(dirname(this.durations), { recursive: true });
    writeFileSync(this.durations, JSON.stringify({ ...readDurations(this.durations), ...taken }));
    const total = files.reduce((sum, { processor }) => sum + processor, 0);
    this.limit = Math.max(MAX_SECONDS, MAX_SHARE * total);
    this.tooLong = files.filter(({ file, processor }) => processor > this.limit && !LONG.has(file));
    if (files.length > 1) console.log('\nThe slowest files, in seconds of processor time, and in elapsed seconds:');
    for (const { file, seconds, processor } of files.length > 1 ? files.slice(0, 20) : []) {
      console.log(`${processor.toFixed(1).padStart(6)} ${seconds.toFixed(1).padStart(6)}  ${file}`);
    }
    // Jest exits with 1 because of getLastError, without printing it.
    const error = this.getLastError();
    if (error) console.error(`\n${error.message}`);
  }

  /** @returns the error that fails the run, if any */
  getLastError() {
    const said = this.tooLong?.map(({ file, processor }) => `${file} (${processor.toFixed(1)} s)`);
    if (!said?.length) return undefined;
    return new Error(
      `More than ${Math.round(this.limit)} s of processor time: ${said.join(', ')}. Make it faster, or add it with its reason to LONG in tests/runner/slowest.mjs.`,
    );
  }
}
