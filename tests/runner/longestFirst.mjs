import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { LONG, readDurations } from './slowest.mjs';

/** Assumed seconds of a file without a measured duration: before the short files, after those known to be long. */
const DEFAULT_SECONDS = 5;

/** Orders files by duration, longest first, so that no process is left with a long file at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const durations = readDurations();
    const takes = ({ path, context }) => {
      const file = relative(context.config.rootDir, path);
      return durations[file] ?? (LONG.has(file) ? 60 : DEFAULT_SECONDS);
    };
    return super.sort(tests).sort((one, other) => takes(other) - takes(one));
  }
}
