import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORTED = /(?:from|import\(|import)\s*'(\.[^']+)'/g;

export const hashOf = (...texts: string[]) =>
  createHash('sha256').update(texts.join('\0')).digest('base64url').slice(0, 16);

/** Reads what files import, each file once. */
export function readImports(root: string) {
  const known = new Map<string, { text: string; imports: string[] }>();
  const read = (path: string) => {
    const before = known.get(path);
    if (before) return before;
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    const imports = [...text.matchAll(IMPORTED)].map(([, name = '']) => join(dirname(path), name));
    const entry = { text, imports };
    known.set(path, entry);
    return entry;
  };
  /** A file with everything that it imports, directly or indirectly. */
  function closureOf(file: string, isFollowed = (_path: string) => true): Set<string> {
    const found = new Set([file]);
    for (const path of found) for (const next of read(path).imports) if (isFollowed(next)) found.add(next);
    return found;
  }
  return {
    closureOf,
    /** The hash of a test file with all test modules that it imports. */
    hashTest: (file: string): string =>
      hashOf(
        ...[...closureOf(file, (path) => path.startsWith('tests/'))].sort().flatMap((path) => [path, read(path).text]),
      ),
  };
}

const wordsOf = (path: string) => new Set(path.split(/[^a-zA-Z]+|(?=[A-Z])/).map((word) => word.toLowerCase()));

/** Number of words that the paths of a source and a test share: tests mirror the source tree. */
export function nearness(source: string, test: string): number {
  const words = wordsOf(source.replace(/\.ts$/, ''));
  return [...wordsOf(test.replace(/\.test\.ts$/, ''))].filter((word) => word !== '' && words.has(word)).length;
}
