import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root, which test files and what they import are named from. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where a source stands in what was built. */
export const builtFile = (directory, path) => join(directory, relative(ROOT, path)).replace(/\.(ts|mjs)$/, '.js');
