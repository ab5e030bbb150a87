import Sequencer from '@jest/test-sequencer';
import { LONG } from './slowest.mjs';

/** The files that are known to take long first, so that none of them is what the others' process waits for at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => [...LONG.keys()].some((file) => path.endsWith(file));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
