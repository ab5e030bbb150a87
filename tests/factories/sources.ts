import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const FOLDERS = ['bot', 'web', 'api', 'models', 'jobs', 'manifests', 'tests'];

/** Every file below a folder; empty if the folder does not exist. */
export function filesUnder(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

/** Every source file of the product and its tests, as paths from the root. */
export const listSources = (): string[] => FOLDERS.flatMap(filesUnder).filter((path) => /\.tsx?$/.test(path));

/** What is loaded with a file: its imports except type-only ones, which don't exist at run time. */
export function loadedWith(path: string): string[] {
  const statements = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm);
  return [...statements].map(([, name = '']) =>
    name.startsWith('.') ? relative(process.cwd(), resolve(dirname(path), name)) : name,
  );
}

/** Everything that a thread loads at once when it loads a file: its imports, theirs, and so on. */
export function loadedByThread(path: string, found = new Set<string>()): string[] {
  if (!found.has(path) && path.endsWith('.ts')) {
    found.add(path);
    for (const next of loadedWith(path)) loadedByThread(next, found);
  }
  return [...found];
}
