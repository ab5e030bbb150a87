import { loadavg } from 'node:os';
import { relative } from 'node:path';

/** Seconds that a test file may take on a machine with nothing beside it. */
const LIMIT = 15;

/** Files that may take longer, and why. */
export const LONG = new Map([
  ['tests/store/durability.test.ts', 'kills a store of its own process while it writes, again and again'],
  ['tests/engine/storm.test.ts', 'kills a server of its own with everything running, and looks at all that stands'],
  ['tests/channels/teamsCrash.test.ts', 'kills a server of its own between what Teams is told and what is stored'],
  ['tests/commands/account.test.ts', 'runs the commands as a person does, each a process of its own'],
]);

/** Says at the end which files took longest, and fails the run where one that is not named took too long. */
export default class Slowest {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults
      .map(({ testFilePath, perfStats }) => ({
        file: relative(this.rootDir, testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
      }))
      .sort((one, other) => other.seconds - one.seconds);
    if (files.length > 20) {
      console.log('\nThe slowest files, in seconds:');
      for (const { file, seconds } of files.slice(0, 20)) console.log(`${seconds.toFixed(1).padStart(6)}  ${file}`);
    }
    // On a machine with more to do than this run everything takes longer, and that is no file's fault.
    const busy = Math.max(1, (loadavg()[0] ?? 0) / 3);
    this.tooLong = files.filter(({ file, seconds }) => seconds > LIMIT * busy && !LONG.has(file));
  }

  getLastError() {
    if (!this.tooLong?.length) return undefined;
    const names = this.tooLong.map(({ file, seconds }) => `${file} (${seconds.toFixed(1)} s)`).join(', ');
    return new Error(
      `Over ${LIMIT} s: ${names}. Make it shorter, or name it with its reason in tests/runner/slowest.mjs.`,
    );
  }
}
