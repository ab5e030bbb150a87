import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Matches code that sets `process.env`, which the product reads only once, when it is loaded. */
const SETS_ENVIRONMENT = /process\.env(?:\.\w+|\[[^\]]+\]) (?:\?\?)?= |Object\.assign\(process\.env/;
/** Matches code that connects the process to a store. In a shared process the server has connected it already. */
const CONNECTS_STORE = /= await connectStore\(process\.env/;
const ENVIRONMENT_TAG = /^\/\*\* @environment (\w+) \*\/\n/;
const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const ENVIRONMENTS = resolve(FOLDER, 'environments');
const read = new Map();

/**
 * Whether a test file sets the environment or connects a store, itself or through a module of tests/ that it imports.
 */
function readFile(path) {
  if (read.has(path)) return read.get(path);
  const found = { sets: false, connects: false };
  read.set(path, found);
  const source = readFileSync(path, 'utf8');
  found.sets = SETS_ENVIRONMENT.test(source);
  found.connects = CONNECTS_STORE.test(source);
  for (const [, name] of source.matchAll(IMPORTED)) {
    const part = resolve(dirname(path), name);
    if (!part.startsWith(FOLDER) || dirname(part) === ENVIRONMENTS || !existsSync(part)) continue;
    const { sets, connects } = readFile(part);
    found.sets ||= sets;
    found.connects ||= connects;
  }
  return found;
}

/** The environment that a test file declares with `@environment NAME` in its first line; `plain` without one. */
export const environmentOf = (path) => ENVIRONMENT_TAG.exec(readFileSync(path, 'utf8'))?.[1] ?? 'plain';

/** Whether a test file needs a process of its own. */
export function isAlone(path) {
  const { sets, connects } = readFile(path);
  return sets || (connects && environmentOf(path) !== 'store');
}
