import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment } from '../factories/cleanEnvironment.ts';

type Ended = { code: number; said: string };
type Words = readonly [string, ...string[]];

const environmentOf = (DATA_DIR: string) => ({
  ...{ ...cleanEnvironment(), NODE_ENV: 'production', DATA_DIR },
  LOG_LEVEL: 'warn',
});

/** Runs a built command as an operator would, on a data directory, without input. */
export function runCommand(
  directory: string,
  [name, ...given]: Words,
  environment: Record<string, string> = {},
): Promise<Ended> {
  const env = { ...environmentOf(directory), ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [`.cache/server/${name}.js`, ...given], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

/**
 * Starts a process that runs many commands on a data directory, one after the other, each with a store of its own: for
 * commands of which {@link runCommand} has shown that they run as processes.
 */
export function openCommands(directory: string) {
  const child = fork('.cache/server/commands.js', { env: environmentOf(directory), execArgv: [] });
  const exit = once(child, 'exit');
  const early = exit.then(([code, signal]) => {
    throw new Error(`The process of the commands ended with ${signal ?? code}.`);
  });
  early.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  const run = async (words: Words): Promise<Ended> => {
    const answer = new Promise<Ended>((resolve) => child.once('message', (ended) => resolve(ended as Ended)));
    child.send(words);
    return Promise.race([answer, early]);
  };
  return {
    /** Runs a command as an operator would, without input. */
    run(words: Words): Promise<Ended> {
      const ended = last.then(() => run(words));
      last = ended.catch(() => undefined);
      return ended;
    },
    async close(): Promise<void> {
      child.disconnect();
      await exit;
    },
  };
}
