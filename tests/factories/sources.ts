import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

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
