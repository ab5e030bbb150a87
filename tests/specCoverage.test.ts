import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createApp } from '../api/app.ts';
import { bound } from '../api/middleware/bind.ts';

const page = readFileSync('docs/spec-coverage.md', 'utf8');
const NAMED = /`((?:api|bot|jobs|models|tests|web)\/[\w/.-]+\.(?:ts|tsx|css))`(?: › “([^”]+)”)?/g;
const named = [...page.matchAll(NAMED)].map(([, file = '', title]) => ({ file, title }));

/** The titles of the tests and suites of a file, as they are written. */
function titlesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [
    ...text.matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)?\(|\](?:\s*as const)?,?\s*\)\()\s*(['"`])([\s\S]*?)\1,/gm),
  ].map(([, , title = '']) => title);
}

test('every file and every test that is named exists', () => {
  expect(named.length).toBeGreaterThan(150);
  const gone = named.filter(({ file }) => !existsSync(file)).map(({ file }) => file);
  expect(gone).toEqual([]);
  const titles = new Map([...new Set(named.map(({ file }) => file))].map((file) => [file, titlesOf(file)]));
  const missing = named
    .filter(({ file, title }) => title && !titles.get(file)?.includes(title))
    .map(({ file, title }) => `${file} › ${title}`);
  expect(missing).toEqual([]);
});

test('every address of the router has a row with its five states', () => {
  const routes = readFileSync('web/routes.tsx', 'utf8');
  const addresses = [...routes.matchAll(/path="([^"]+)"/g)].map(([, path = '']) => (path === '*' ? '*' : `/${path}`));
  const [, table = ''] = page.split('## The states of every page');
  const rows =
    table
      .split('## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? [];
  for (const row of rows) {
    const cells = row.split(' | ');
    expect({ row: cells[0], cells: cells.length }).toEqual({ row: cells[0], cells: 8 });
    for (const cell of cells) expect(cell.replace(/\|/g, '').trim()).not.toBe('');
  }
  const covered = new Set(rows.map((row) => /`([^`]+)`/.exec(row)?.[1]));
  // The tab of Teams is a page of its own channel; its states are told with Teams.
  const left = addresses.filter((address) => address !== '/teams-tab' && !covered.has(address));
  expect(left).toEqual([]);
  expect(covered).toContain('/');
});

test('every call is listed, and none that is gone', () => {
  createApp({ session: (_request, _response, next) => next() });
  const [, table = ''] = page.split('## Every call');
  const listed = [...table.matchAll(/^\| `(\w+) ([^`]+)` \| ([\w-]+) \|/gm)].map(
    ([, method = '', path = '', policy = '']) => `${method.toLowerCase()} ${path} ${policy}`,
  );
  const known = [...bound.values()].map(({ method, path, policy }) => `${method} ${path} ${policy}`);
  expect(listed.sort()).toEqual(known.sort());
});
