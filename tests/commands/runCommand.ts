import { execFile } from 'node:child_process';
import { cleanEnvironment } from '../factories/cleanEnvironment.ts';

/** Runs a built command as an operator would, on a data directory, without input. */
export function runCommand(
  DATA_DIR: string,
  [name, ...given]: readonly [string, ...string[]],
  environment: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const env = { ...cleanEnvironment(), NODE_ENV: 'production', DATA_DIR, LOG_LEVEL: 'warn', ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [`.cache/server/${name}.js`, ...given], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
    child.stdin?.end();
  });
}
