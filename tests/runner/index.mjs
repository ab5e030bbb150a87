import { rmSync } from 'node:fs';
import { createEmptyTestResult } from '@jest/test-result';
import { buildTests } from './build.mjs';
import { openLane } from './lane.mjs';
import { deal } from './order.mjs';
import { isToRepeat, watchStandstill } from './standstill.mjs';

/** A process that holds more than this is replaced before the next file. */
const MAX_PROCESS_BYTES = 1_500_000_000;

/**
 * Runs test files in plain Node, one after the other in a few processes. The product is loaded once per process instead
 * of once per file, which saves half of the time. jest-circus runs the tests, so hooks, timeouts and `each` are Jest's
 * own. The files of a process share one module registry and one set of globals.
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
    const standstill = watchStandstill();
    const work = async () => {
      let lane;
      let laneEnvironment;
      const close = async () => {
        await lane?.close();
        lane = laneEnvironment = undefined;
      };
      while (!watcher.isInterrupted()) {
        const dealt = next(laneEnvironment);
        if (!dealt) break;
        const { test, environment, alone } = dealt;
        if (alone || laneEnvironment !== environment) await close();
        lane ??= openLane(this.globalConfig, { rootDir, setupFiles, built });
        laneEnvironment = environment;
        await onStart(test);
        try {
          const begin = performance.now();
          let { memory, ...result } = await lane.run(test.path);
          standstill.check();
          const stoodStill = standstill.since(begin);
          if (isToRepeat(result, stoodStill)) {
            console.warn(`The machine stood still for ${Math.round(stoodStill / 1000)} s: ${test.path} runs again.`);
            await close();
            lane = openLane(this.globalConfig, { rootDir, setupFiles, built });
            laneEnvironment = environment;
            ({ memory, ...result } = await lane.run(test.path));
          }
          // A file that could not be loaded has no tests, and Jest would report that it should contain at least one.
          const loadError = result.testResults.length === 0 && result.testExecError;
          if (loadError) await onFailure(test, loadError);
          else await onResult(test, { ...createEmptyTestResult(), ...result });
          if (alone || memory > MAX_PROCESS_BYTES) await close();
        } catch (error) {
          lane = laneEnvironment = undefined;
          await onFailure(test, { message: error.message, stack: error.stack });
        }
      }
      await close();
    };
    await Promise.all(Array.from({ length: Math.min(this.globalConfig.maxWorkers, tests.length) }, work));
    standstill.stop();
    if (built) rmSync(built, { recursive: true });
  }
}
