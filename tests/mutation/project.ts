import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOMS } from './rooms.ts';

/** The code to mutate, and the tests that should notice. Paths are from the root. */
export type Project = {
  root: string;
  rooms: Record<string, RegExp>;
  /** Where the mutated copy and earlier results are kept. */
  cache: string;
  /** Patterns of the test files that are run. */
  isTest: (file: string) => boolean;
  setupFiles: string[];
  /** A test file hangs if it takes three times its normal time plus these seconds. */
  patience: number;
  /** The folder of the runner, which the copy's tests may share state with. */
  runner: (copy: string) => string;
  /** Builds what the tests need in the copy, and starts what they share. */
  prepare: (copy: string) => Promise<{ end: () => Promise<void> }>;
};

const root = process.cwd();

/** Arc itself, without the test files at the top of `tests`, which read the sources or run the suite's own tools. */
export const ARC: Project = {
  root,
  rooms: ROOMS,
  cache: join(root, '.cache/mutation'),
  isTest: (file) => /^tests\/\w+\/.*\.test\.ts$/.test(file) && !/^tests\/(runner|mutation|journeys)\//.test(file),
  setupFiles: ['tests/setup.ts'],
  patience: 3,
  runner: (copy) => join(copy, 'tests/runner'),
  async prepare(copy) {
    const read = async (file: string) => (await import(pathToFileURL(join(copy, file)).href)).default;
    const [setup, teardown] = [await read('tests/globalSetup.mjs'), await read('tests/globalTeardown.mjs')];
    await setup();
    return { end: teardown };
  },
};
