import { rmSync } from 'node:fs';
import { createEmptyTestResult } from '@jest/test-result';
import { buildTests } from './build.mjs';
import { openLane } from './lane.mjs';
import { deal } from './order.mjs';
import { isToRepeat, repeat, runIn } from './repeat.mjs';

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
    const open = () => openLane(this.globalConfig, { rootDir, setupFiles, built });
    const failed = [];
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
        lane ??= open();
        laneEnvironment = environment;
        await onStart(test);
        const outcome = await runIn(lane, test);
        if (outcome.lost) lane = laneEnvironment = undefined;
        if (outcome.passed) await report(outcome);
        else failed.push(outcome);
        if (lane && (alone || outcome.memory > MAX_PROCESS_BYTES)) await close();
      }
      await close();
    };
    await Promise.all(Array.from({ length: Math.min(this.globalConfig.maxWorkers, tests.length) }, work));
    for (const first of failed) {
      await report(isToRepeat(failed, this.globalConfig) ? await repeat(first, open) : first);
    }

    /** A file that could not be loaded has no tests, and Jest would report that it should contain at least one. */
    function report({ test, result, error }) {
      return error ? onFailure(test, error) : onResult(test, { ...createEmptyTestResult(), ...result });
    }
    if (built) rmSync(built, { recursive: true });
  }
}
