import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/** The code that an earlier process compiled; `undefined` if there is none yet. */
function readCode(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Loads a script that `buildProcesses` made. @returns its functions by the name of the process, and its code */
export function load(script) {
  const file = fileURLToPath(script);
  const kept = `${file}.code`;
  const cachedData = readCode(kept);
  const compiled = new Script(`${HEAD}${readFileSync(file, 'latin1')}\n})`, { filename: file, cachedData });
  const module = { exports: {} };
  compiled.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { processes: module.exports.processes, compiled, kept, cachedData };
}

/**
 * Runs one of the processes of a script that `buildProcesses` made. The first server that serves keeps its compiled code
 * beside the script for all later processes: not as it ends, because those that start first are killed again and again.
 */
export async function run(script, name) {
  const { processes, compiled, kept, cachedData } = load(script);
  await processes[name]();
  if (name !== 'start' || cachedData) return;
  const own = `${kept}.${process.pid}`;
  writeFileSync(own, compiled.createCachedData());
  renameSync(own, kept);
}
