import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtFile } from './built.mjs';

/**
 * A process that runs test files one after the other, all of the environment that the first of them needs.
 * @param built the directory of `buildTests`; without it modules are translated as they are met
 * @param options `environment` of the process, besides this one's; `watcher`: a module that is told before and after
 * each file; and options of `fork`
 */
export function openLane(
  { testNamePattern, testTimeout },
  { setupFiles, rootDir, built },
  { environment, watcher, ...options } = {},
) {
  const lane = { testNamePattern, testTimeout, setupFiles, rootDir, watcher, built };
  const file = fileURLToPath(new URL('./process.mjs', import.meta.url));
  const child = fork(built ? builtFile(built, file) : file, {
    cwd: rootDir,
    env: { ...process.env, ...environment, TEST_LANE: JSON.stringify(lane) },
    execArgv: [...(built ? [] : ['--import', 'tsx']), '--enable-source-maps', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    ...options,
  });
  const ended = once(child, 'exit');
  return {
    pid: child.pid,
    ended,
    /**
     * Runs one file.
     * @param given which of its tests, and when it ends (see `runFile`), and what the watcher is told
     * @returns a part of Jest's TestResult, and the bytes of memory that the process holds
     */
    async run(path, given = {}) {
      // A process that has ended meanwhile is told by its exit.
      child.send({ ...given, path }, () => undefined);
      const answer = await Promise.race([
        once(child, 'message').then(([message]) => message),
        ended.then(([code, signal]) => {
          throw new Error(`The process of the test file ended with ${signal ?? code}.`);
        }),
      ]);
      return answer;
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.send({ end: true });
      await ended;
    },
  };
}
