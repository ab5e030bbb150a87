import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { LONG, readDurations } from './slowest.mjs';

/** Seconds of a file that was never run here: before the short ones, behind those that are known to be long. */
const UNKNOWN = 5;

/** The files that take long first, so that none of them is what the others' process waits for at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const durations = readDurations();
    const takes = ({ path, context }) => {
      const file = relative(context.config.rootDir, path);
      return durations[file] ?? (LONG.has(file) ? 60 : UNKNOWN);
    };
    return super.sort(tests).sort((one, other) => takes(other) - takes(one));
  }
}
