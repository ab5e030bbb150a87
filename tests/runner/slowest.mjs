import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

/** Seconds that each file took when it was last run, by its path from the root. */
export const DURATIONS = '.cache/test-durations.json';

export const readDurations = () => (existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {});

/** Files that take over 15 s, and why. */
export const LONG = new Map([
  ['tests/store/durability.test.ts', 'kills a store of its own process while it writes, again and again'],
  ['tests/engine/storm.test.ts', 'kills a server of its own with everything running, and looks at all that stands'],
  ['tests/channels/teamsCrash.test.ts', 'kills a server of its own between what Teams is told and what is stored'],
  ['tests/commands/account.test.ts', 'runs the commands as a person does, each a process of its own'],
]);

/** Says at the end which files took longest, and keeps what each took. */
export default class Slowest {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults
      .map(({ testFilePath, perfStats, processor = 0 }) => ({
        file: relative(this.rootDir, testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
        processor: processor / 1000,
      }))
      .sort((one, other) => other.seconds - one.seconds);
    const taken = Object.fromEntries(files.map(({ file, seconds }) => [file, seconds]));
    mkdirSync(dirname(DURATIONS), { recursive: true });
    writeFileSync(DURATIONS, JSON.stringify({ ...readDurations(), ...taken }));
    if (files.length > 20) {
      console.log('\nThe slowest files, in seconds, and in seconds of a processor:');
      for (const { file, seconds, processor } of files.slice(0, 20)) {
        console.log(`${seconds.toFixed(1).padStart(6)} ${processor.toFixed(1).padStart(6)}  ${file}`);
      }
    }
  }
}
