import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmptyTestResult } from '@jest/test-result';
import { openLane } from './lane.mjs';

/** Sets the process's environment, which the product reads once, when it is loaded. */
const SETS_ENVIRONMENT =
  /process\.env(?:\.\w+|\[[^\]]+\]) (?:\?\?)?= |Object\.assign\(process\.env|= await connectStore\(process\.env/;
const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const known = new Map();

/** Whether a test file, or what it imports of the tests' own, sets its environment: it has a process to itself then. */
function isAlone(path) {
  if (known.has(path)) return known.get(path);
  known.set(path, false);
  const source = readFileSync(path, 'utf8');
  const parts = [...source.matchAll(IMPORTED)].map(([, name]) => resolve(dirname(path), name));
  const alone =
    SETS_ENVIRONMENT.test(source) || parts.some((part) => part.startsWith(FOLDER) && existsSync(part) && isAlone(part));
  known.set(path, alone);
  return alone;
}
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
    const waiting = [...tests];
    const work = async () => {
      let lane;
      for (let test = waiting.shift(); test && !watcher.isInterrupted(); test = waiting.shift()) {
        const alone = isAlone(test.path);
        if (alone) {
          await lane?.close();
          lane = undefined;
        }
        lane ??= openLane(this.globalConfig, test.context.config);
        await onStart(test);
        try {
          const { memory, ...result } = await lane.run(test.path);
          // What could not be read has no tests, for which Jest would say that it should have some.
          const unread = result.testResults.length === 0 && result.testExecError;
          if (unread) await onFailure(test, unread);
          else await onResult(test, { ...createEmptyTestResult(), ...result });
          if (alone || memory > ENOUGH_MEMORY) {
            await lane.close();
            lane = undefined;
          }
        } catch (error) {
          lane = undefined;
          await onFailure(test, { message: error.message, stack: error.stack });
        }
      }
      await lane?.close();
    };
    await Promise.all(Array.from({ length: Math.min(this.globalConfig.maxWorkers, tests.length) }, work));
  }
}
