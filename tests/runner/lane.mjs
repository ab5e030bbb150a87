import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtFile } from './built.mjs';

/**
 * Starts a process that runs test files one after the other, all of the environment of the first one.
 * @param built output directory of `buildTests`; without it modules are translated on import
 * @param options `environment`: variables added to this process's own; `watcher`: a module that is called before and
 * after each file; and options of `fork`
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
     * @param given options of `runFile`, also passed to the watcher
     * @returns part of Jest's TestResult, and the bytes of memory that the process holds
     */
    async run(path, given = {}) {
      // Sending to a process that has ended fails; its exit is reported below.
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
