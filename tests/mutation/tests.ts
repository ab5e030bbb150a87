import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';

const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g;

export const hashOf = (...texts: string[]) =>
  createHash('sha256').update(texts.join('\0')).digest('base64url').slice(0, 16);

/** The hash of a test file with all that it imports of the tests' own. */
export function hashTest(root: string, file: string): string {
  const parts = new Map<string, string>();
  const read = (path: string) => {
    if (parts.has(path) || !path.startsWith('tests/') || !existsSync(join(root, path))) return;
    const text = readFileSync(join(root, path), 'utf8');
    parts.set(path, text);
    for (const [, name = ''] of text.matchAll(IMPORTED)) read(join(dirname(path), name));
  };
  read(file);
  return hashOf(...[...parts].sort().flat());
}

const wordsOf = (path: string) => new Set(path.split(/[^a-zA-Z]+|(?=[A-Z])/).map((word) => word.toLowerCase()));

/** How many words the paths of a source and of a test share: tests mirror the source tree. */
export function nearness(source: string, test: string): number {
  const words = wordsOf(source.replace(/\.ts$/, ''));
  return [...wordsOf(test.replace(/\.test\.ts$/, ''))].filter((word) => word !== '' && words.has(word)).length;
}

export type Reach = {
  hash: string;
  sources: Record<string, string>;
  reached: string[];
  seconds: number;
  green: boolean;
};

/** Test files that take longer are not run again for each mutant. */
export const LONGEST_SECONDS = 40;

/** The green test files that reach a mutant: the nearest first, then what reaches little, then what is quick. */
export function coveringTests(mutant: Mutant, reach: Map<string, Reach & { ids: Set<string> }>): string[] {
  return [...reach]
    .filter(([, it]) => it.green && it.seconds <= LONGEST_SECONDS && it.ids.has(mutant.id))
    .map(([test, it]) => ({ test, near: nearness(mutant.file, test), size: it.ids.size, seconds: it.seconds }))
    .sort((one, other) => other.near - one.near || one.size - other.size || one.seconds - other.seconds)
    .map(({ test }) => test);
}
