import { rmSync } from 'node:fs';
import { createEmptyTestResult } from '@jest/test-result';
import { buildTests } from './build.mjs';
import { openLane } from './lane.mjs';
import { deal } from './order.mjs';

/** Bytes of a process after which the next file gets another. */
const ENOUGH_MEMORY = 1_500_000_000;

/**
 * Runs test files in plain Node, one after the other in a few processes: the product is loaded once for each process,
 * not once for each file, which was half of the time. jest-circus runs the tests, so hooks, timeouts and `each` are
 * Jest's own; what is gone are the module registry and the globals of each file's own.
 */
export default class Runner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const next = deal(tests);
    const [{ context }] = tests;
    const { rootDir, setupFiles } = context.config;
    const built = await buildTests([...setupFiles, ...tests.map(({ path }) => path)]);
    const work = async () => {
      let lane;
      let standing;
      const close = async () => {
        await lane?.close();
        lane = standing = undefined;
      };
      while (!watcher.isInterrupted()) {
        const dealt = next(standing);
        if (!dealt) break;
        const { test, environment, alone } = dealt;
        if (alone || standing !== environment) await close();
        lane ??= openLane(this.globalConfig, { rootDir, setupFiles, built });
        standing = environment;
        await onStart(test);
        try {
          const { memory, ...result } = await lane.run(test.path);
          // What could not be read has no tests, for which Jest would say that it should have some.
          const unread = result.testResults.length === 0 && result.testExecError;
          if (unread) await onFailure(test, unread);
          else await onResult(test, { ...createEmptyTestResult(), ...result });
          if (alone || memory > ENOUGH_MEMORY) await close();
        } catch (error) {
          lane = standing = undefined;
          await onFailure(test, { message: error.message, stack: error.stack });
        }
      }
      await close();
    };
    await Promise.all(Array.from({ length: Math.min(this.globalConfig.maxWorkers, tests.length) }, work));
    if (built) rmSync(built, { recursive: true });
  }
}
