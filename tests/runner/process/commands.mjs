import { load } from './run.mjs';

/** What a command ends with instead of ending the process. */
class Ended extends Error {
  constructor(code) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

/**
 * Runs commands of a script that `buildProcesses` made, one after the other in this process: starting a process takes
 * far longer than most commands. Each is a message, the command's name and arguments, and is answered with its exit code
 * and what it printed.
 */
export async function run(script) {
  const { processes } = load(script);
  let said = '';
  for (const stream of [process.stdout, process.stderr])
    stream.write = (text) => {
      said += text;
      return true;
    };
  process.exit = (code) => {
    throw new Ended(code);
  };
  const answer = async ([name, ...given]) => {
    said = '';
    process.exitCode = undefined;
    process.argv.splice(2, Number.POSITIVE_INFINITY, ...given);
    await processes[name]().catch((error) => {
      const isEnd = error instanceof Ended;
      if (!isEnd) said += error.stack;
      process.exitCode = isEnd ? error.code : 1;
    });
    process.send({ code: process.exitCode ?? 0, said });
    process.exitCode = 0;
  };
  let last = Promise.resolve();
  process.on('message', (words) => {
    last = last.then(() => answer(words));
  });
  process.on('disconnect', () => process.kill(process.pid));
}
