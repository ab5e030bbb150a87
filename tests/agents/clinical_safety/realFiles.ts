import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { digestOf } from '../../factories/hazardLog.ts';

const folder = join(import.meta.dirname, '../../../../shared/data');
const there = existsSync(folder);

/** A published file that is not part of the repository. */
export function realFile(path: string): { bytes: Uint8Array<ArrayBuffer>; fileName: string; digest: string } {
  const bytes = new Uint8Array(readFileSync(join(folder, path)));
  return { bytes, fileName: path.split('/').at(-1) ?? path, digest: digestOf(bytes) };
}

/** Tests with published files. Without these files a line says so; the factories' files cover the same rules. */
export function describeReal(name: string, body: () => void): void {
  if (there) {
    describe(name, body);
    return;
  }
  describe(name, () => {
    test('is skipped', () => {
      console.log(`Skipped: ${name}. The published files (../shared/data) are not at hand.`);
    });
  });
}
