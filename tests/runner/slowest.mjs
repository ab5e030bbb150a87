import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** Seconds that each file took when it was last run, by its path from the root. */
export const DURATIONS = '.cache/test-durations.json';

export const readDurations = (file = DURATIONS) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});

/**
 * Seconds of a processor that a file may take. Seconds of the clock depend on what else runs on the machine, so they
 * are only listed.
 */
const MAX_SECONDS = 15;

/** Files that take more, and why. */
export const LONG = new Map([
  ['tests/store/durability.test.ts', 'kills a store of its own process while it writes, again and again'],
  ['tests/engine/storm.test.ts', 'kills a server of its own with everything running, and looks at all that stands'],
  ['tests/engine/crash.test.ts', 'kills a server of its own in the middle of eleven analyses'],
  ['tests/api/hazardAnalysis.test.ts', 'thirty analyses: 10 s on a quiet machine'],
  ['tests/api/dataDirectory.test.ts', 'starts a server on twelve kinds of broken directories'],
  ['tests/channels/slackLimits.test.ts', 'every limit of Slack at one more than it takes: 10 s on a quiet machine'],
  ['tests/channels/slackTalk.test.ts', 'fifty conversations in Slack: 11 s on a quiet machine'],
  ['tests/channels/teamsQuestions.test.ts', 'every kind of question on cards: 10 s on a quiet machine'],
  ['tests/channels/slackBurst.test.ts', 'two hundred events at once: 10 s on a quiet machine'],
  ['tests/agents/clinical_safety/hostileFiles.test.ts', 'files that are made to take long: 12 s on a quiet machine'],
  ['tests/commands/account.test.ts', 'runs thirty commands as a person does, each a process of its own'],
]);

/** Says at the end which files took longest, keeps what each took, and fails the run for one that takes too much. */
export default class Slowest {
  /** @param options of the configuration: `durations`, where what each file took is kept */
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
    this.tooLong = files.filter(({ file, processor }) => processor > MAX_SECONDS && !LONG.has(file));
    if (files.length > 1) console.log('\nThe slowest files, in seconds of a processor, and in seconds:');
    for (const { file, seconds, processor } of files.length > 1 ? files.slice(0, 20) : []) {
      console.log(`${processor.toFixed(1).padStart(6)} ${seconds.toFixed(1).padStart(6)}  ${file}`);
    }
    // Jest ends with 1 for it, and does not say why.
    const error = this.getLastError();
    if (error) console.error(`\n${error.message}`);
  }

  /** @returns what Jest fails the run with */
  getLastError() {
    const said = this.tooLong?.map(({ file, processor }) => `${file} (${processor.toFixed(1)} s)`);
    if (!said?.length) return undefined;
    return new Error(
      `More than ${MAX_SECONDS} s of a processor: ${said.join(', ')}. Make it faster, or name it with its reason in LONG of tests/runner/slowest.mjs.`,
    );
  }
}
