import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sets the process's environment, which the product reads once, when it is loaded. */
const SETS_ENVIRONMENT = /process\.env(?:\.\w+|\[[^\]]+\]) (?:\?\?)?= |Object\.assign\(process\.env/;
/** Connects the process to a store by itself, where a server has connected it already. */
const CONNECTS = /= await connectStore\(process\.env/;
const SAYS = /^\/\*\* @environment (\w+) \*\/\n/;
const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const ENVIRONMENTS = resolve(FOLDER, 'environments');
const read = new Map();

/** What a file of the tests does to its process, itself or by what it imports of the tests' own. */
function readFile(path) {
  if (read.has(path)) return read.get(path);
  const found = { sets: false, connects: false };
  read.set(path, found);
  const source = readFileSync(path, 'utf8');
  found.sets = SETS_ENVIRONMENT.test(source);
  found.connects = CONNECTS.test(source);
  for (const [, name] of source.matchAll(IMPORTED)) {
    const part = resolve(dirname(path), name);
    if (!part.startsWith(FOLDER) || dirname(part) === ENVIRONMENTS || !existsSync(part)) continue;
    const { sets, connects } = readFile(part);
    found.sets ||= sets;
    found.connects ||= connects;
  }
  return found;
}

/** What a test file's process must be started with: `@environment NAME` in its first line, else nothing. */
export const environmentOf = (path) => SAYS.exec(readFileSync(path, 'utf8'))?.[1] ?? 'plain';

/** Whether a test file must have a process to itself. */
export function isAlone(path) {
  const { sets, connects } = readFile(path);
  return sets || (connects && environmentOf(path) !== 'store');
}
