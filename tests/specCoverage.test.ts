import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createApp } from '../api/app.ts';
import { bound } from '../api/middleware/bind.ts';
import { agents } from '../bot/agents/index.ts';
import { channels } from '../bot/channels/index.ts';
import { registerAgents } from '../bot/engine/agents/registry.ts';
import { findFaults, PAGE_FILE, renderPage } from './coverage/page.ts';
import { allRows, parseRows, readRows } from './coverage/rows.ts';
import { readTags, tagsOf } from './coverage/tags.ts';

const rows = readRows();
const tags = readTags();

test('every row has a test that names it, every tag names a row, and no tagged test may be skipped', () => {
  expect(findFaults(rows, tags)).toEqual([]);
});

test('the page is what `npm run spec-coverage` writes', () => {
  expect(readFileSync(PAGE_FILE, 'utf8')).toBe(renderPage(rows, tags));
});

test('every file and every decision that a row names exists', () => {
  const cells = [...allRows(rows), ...rows['The states of every page']].flatMap((row) => row.cells);
  const files = cells.filter((cell) => /^[a-z]+\/[\w/.-]+$/.test(cell));
  expect(files.length).toBeGreaterThan(250);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const decisions = readdirSync('docs/decisions').map((name) => name.slice(0, 3));
  for (const { excuse } of allRows(rows)) {
    const [number] = /\d{3}$/.exec(excuse ?? '') ?? [];
    if (number) expect(decisions).toContain(number);
  }
});

test('every address of the router has a row with its five states', () => {
  const routes = readFileSync('web/routes.tsx', 'utf8');
  const addresses = [...routes.matchAll(/path="([^"]+)"/g)].map(([, path = '']) =>
    path === '*' ? 'any other address' : `/${path}`,
  );
  const covered = rows['The states of every page'].map(({ address }) => address);
  // The Teams tab is a page of its own channel; its states are tested with Teams.
  expect(addresses.filter((address) => address !== '/teams-tab' && !covered.includes(address))).toEqual([]);
  expect(covered).toContain('/');
});

test('every call is listed, and no call that no longer exists', () => {
  registerAgents(agents);
  createApp({ session: (_request, _response, next) => next(), channels });
  const listed = rows['Every call'].map(({ id, cells: [policy] }) => `${id} ${policy}`);
  const known = [...bound.values()].map(({ method, path, policy }) => `${method.toUpperCase()} ${path} ${policy}`);
  expect(listed.sort()).toEqual(known.sort());
});

describe('coverage tags', () => {
  // Put together here, so that this file itself carries no tag.
  const tagged = (ids: string, below: string) => `/** @${'shows'} ${ids} */\n${below}`;
  const sample = parseRows('\n## S1\nA-1 | 1 | first | web\nA-2 | 1 | later | web | in preparation\n');
  const faults = (text: string) => findFaults(sample, tagsOf('a.test.ts', text));

  test.each([
    ["test('it is so', () => {});", 'it is so'],
    ["  describe('it’s so', () => {});", 'it’s so'],
    ["test.each([\n  ['x', () => f('y')],\n] as const)('%s is so', () => {});", '%s is so'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as it stands in a file.
    ['test(`${path} is so`, async () => {});', '${path} is so'],
  ])('are read with the title of the test below (%#)', (below, title) => {
    expect(tagsOf('a.test.ts', tagged('A-1,\n * GET /api/a', below))).toEqual([
      { file: 'a.test.ts', title, ids: ['A-1', 'GET /api/a'], skipped: false },
    ]);
    expect(faults(tagged('A-1', below))).toEqual([]);
  });

  test('a row without a test is a fault, unless the work is in preparation', () => {
    expect(faults('')).toEqual(['A-1: no test shows it']);
  });

  test('a tag that names no row, or is not above a test, is a fault', () => {
    expect(faults(tagged('A-1, A-3', "test('a', () => {});"))).toEqual(['a.test.ts: @shows A-3, which is no row']);
    expect(faults(tagged('A-1', "// test('a', () => {});"))).toEqual(['a.test.ts, @shows A-1: stands above no test']);
  });

  test.each(['test.skip', 'test.only', 'describe.skip', 'test.fixme', 'xtest', 'test.describe.skip'])(
    'a tag in a file with %s is a fault',
    (word) => {
      const below = `test('a', () => {});\n${word}('b', () => {});`;
      expect(faults(tagged('A-1', below))).toEqual(['a.test.ts, @shows A-1: the file skips a test']);
    },
  );
});
