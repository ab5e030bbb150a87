import { readdirSync, readFileSync } from 'node:fs';

/** The rows that a test shows: a doc comment with `@shows` and the rows' ids, directly above the test. */
export interface Tag {
  file: string;
  /** Title of the test or suite below the comment; `null` if there is none. */
  title: string | null;
  ids: string[];
  /** Whether the file skips any test, so that this one may not run. */
  skipped: boolean;
}

const TAG = /\/\*\*[\s*]*@shows\s([\s\S]*?)\*\//g;
const TEST = /^\s*(?:test|it|describe)((?:\.\w+)*)\(/;
const TITLE = /^\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/;
const TITLE_AFTER_TABLE = /\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/;
const SKIPS =
  /\b(?:(?:test|it|describe)(?:\.(?:describe|each|concurrent|serial|parallel))*\.(?:skip|only|todo|fixme|failing|fail)|testInfo\.(?:skip|fixme|fail)|x(?:test|it|describe)|f(?:it|describe))\(/;

function titleOf(code: string): string | null {
  const [head, more] = TEST.exec(code) ?? [];
  if (head === undefined) return null;
  const title = more?.includes('.each') ? TITLE_AFTER_TABLE.exec(code) : TITLE.exec(code.slice(head.length));
  return title?.[2] ?? null;
}

/** Reads the tags of one file from its text, without running it. */
export function tagsOf(file: string, text: string): Tag[] {
  const skipped = SKIPS.test(text);
  return [...text.matchAll(TAG)].map((found) => ({
    file,
    title: titleOf(text.slice(found.index + found[0].length)),
    ids: (found[1] ?? '').split(',').map((id) => id.replace(/\s*\n\s*\*?\s*/g, ' ').trim()),
    skipped,
  }));
}

/** The tags of all tests, journeys included, by file and position. */
export function readTags(): Tag[] {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .map((name) => `tests/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(test|spec)\.ts$/.test(name));
  return files.sort().flatMap((file) => tagsOf(file, readFileSync(file, 'utf8')));
}
