import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['bot', 'web', 'api', 'models', 'jobs', 'manifests', 'tests'];

/** Every file below a folder; none where there is no such folder. */
export function filesUnder(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

/** Every source of the product and of its tests, as paths from the root. */
export const listSources = (): string[] => FOLDERS.flatMap(filesUnder).filter((path) => /\.tsx?$/.test(path));
