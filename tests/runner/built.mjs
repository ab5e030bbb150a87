import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root; test files and their imports are named relative to it. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where the built form of a source file is. */
export const builtFile = (directory, path) => join(directory, relative(ROOT, path)).replace(/\.(ts|mjs)$/, '.js');
