import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { describeUnread } from '../../../../bot/agents/clinical_safety/reading/unread.ts';
import type { Unread } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { MATRIX_SHEET, makePackage, type SheetSpec } from '../../../factories/hazardLog.ts';

const HEADINGS = ['Hazard ID', 'Hazard name', 'Cause', 'Effect'];
const hazard = (id: string, name = `Name of ${id}`) => [id, name, 'A cause', 'An effect'];
const log = (rows: SheetSpec['rows'], more: Partial<SheetSpec> = {}): SheetSpec => ({ name: 'Log', rows, ...more });
const unreadOf = async (...sheets: SheetSpec[]) => (await readLog(makePackage({ sheets }), 'log.xlsx')).findUnread();
const kind = async (what: Unread['what'], ...sheets: SheetSpec[]) =>
  (await unreadOf(...sheets))
    ?.filter((it) => it.what === what)
    .map(({ label, note, place }) => [label, note, place.cell]);

test('a log with nothing but hazards leaves nothing unread', async () => {
  expect(await unreadOf(log([HEADINGS, hazard('HAZ-1'), hazard('HAZ-2')]))).toEqual([]);
});

describe('unread sheets', () => {
  const own = log([HEADINGS, hazard('HAZ-1')], { name: 'Hazard log' });

  test('are named with their content and their use', async () => {
    const sheets: SheetSpec[] = [
      { name: 'Cover', rows: [['Clinical safety'], [], ['Version', '1.2']] },
      { name: 'Blank', rows: [[], ['  ']] },
      MATRIX_SHEET,
      { name: 'Lists', rows: [['Open'], ['Closed']], hidden: true },
      { name: 'Second', rows: [HEADINGS, hazard('HAZ-1')] },
      own,
    ];
    expect(await kind('sheet', ...sheets)).toEqual([
      ['Cover', '2 rows, read for the version alone', 'A1'],
      [MATRIX_SHEET.name, expect.stringMatching(/^\d+ rows, read for the risk matrix alone$/), 'A1'],
      ['Lists', '2 rows, hidden', 'A1'],
      ['Second', '2 rows, looks like a hazard log too', 'A1'],
    ]);
  });
});

describe('unread columns', () => {
  test('are those with an unknown heading and those without one, in order', async () => {
    const rows = [
      ['Sprint colour', ...HEADINGS, '', 'Sprint colour'],
      ['red', ...hazard('HAZ-1'), 'a remark', ''],
      ['', ...hazard('HAZ-2'), 'another', ''],
    ];
    expect(await kind('column', log(rows))).toEqual([
      ['Sprint colour', 'column A, 1 filled cell', 'A1'],
      ['no heading', 'column F, 2 filled cells', 'F1'],
      ['Sprint colour', 'column G, 0 filled cells', 'G1'],
    ]);
  });
});

describe('unread rows', () => {
  test('above, between and below the hazards are listed, neighbours together', async () => {
    const rows = [
      ['Hazard log of the product'],
      [],
      ['', 'Owner: the team'],
      HEADINGS,
      hazard('HAZ-1'),
      ['Section B'],
      hazard('HAZ-2'),
      ['HAZ-3'],
      ['HAZ-4'],
      [],
      ['Notes: see the plan'],
    ];
    expect(await kind('rows', log(rows))).toEqual([
      ['Hazard log of the product', 'rows 1 to 3', 'A1'],
      ['Section B', 'row 6', 'A6'],
      ['HAZ-3', 'rows 8 to 11', 'A8'],
    ]);
  });

  test('are named by their first words', async () => {
    const [[label = '']] = (await kind(
      'rows',
      log([HEADINGS, hazard('HAZ-1'), [], [`Notes\n${'x'.repeat(100)}`]]),
    )) as [string[]];
    expect(label).toBe(`Notes ${'x'.repeat(74)}`);
  });
});

describe('ids without a hazard', () => {
  test('are found anywhere, in the log’s own form', async () => {
    const found = await kind(
      'id',
      log([HEADINGS, hazard('HAZ-1'), ['HAZ-2', 'See haz-7 and HAZ-1, not XHAZ-8 or HAZ-9x9', 'HAZ-7', 'e']]),
      { name: 'Old', rows: [['Closed in 2024'], ['', 'HAZ-12']] },
    );
    expect(found).toEqual([
      ['haz-7', 'named 2 times', 'B3'],
      ['HAZ-12', 'named once', 'B2'],
    ]);
  });

  test('of a single letter count if they are alone in a cell', async () => {
    const rows = [HEADINGS, hazard('H1'), hazard('H2', 'An H2 blocker is not H3'), [], ['H17']];
    expect(await kind('id', log(rows))).toEqual([['H17', 'named once', 'A5']]);
  });

  test.each([
    ['bare numbers', ['1', '2', '7']],
    ['none', ['', '', 'HAZ-7']],
  ])('are not looked for if the log’s own are %s', async (_what, [first = '', second = '', third = '']) => {
    expect(await kind('id', log([HEADINGS, hazard(first, 'A'), hazard(second, 'B'), [], [third]]))).toEqual([]);
  });
});

describe('the summary of unread parts', () => {
  const of = (what: Unread['what'], label: string, note = 'n', cell = 'A1'): Unread => ({
    what,
    label,
    note,
    place: { sheet: 'Old', cell },
  });

  test('has a sentence for each kind, or is empty', () => {
    expect(describeUnread([])).toEqual([]);
    expect(
      describeUnread([
        of('id', 'HAZ-7', 'named once', 'B3'),
        of('sheet', 'Cover', '2 rows'),
        of('rows', 'Notes', 'row 9'),
      ]),
    ).toEqual([
      'Not read: 1 sheet: “Cover” (2 rows).',
      'Not read: 1 part of the file: “Notes” (row 9).',
      'Not read: 1 id that no hazard has: “HAZ-7” (Old B3).',
    ]);
  });

  test('names four of a kind and counts the rest', () => {
    const columns = Array.from({ length: 5 }, (_, at) => of('column', `C${at}`));
    expect(describeUnread(columns.slice(1))).toEqual(['Not read: 4 columns: “C1” (n), “C2” (n), “C3” (n), “C4” (n).']);
    expect(describeUnread(columns)).toEqual([
      'Not read: 5 columns: “C0” (n), “C1” (n), “C2” (n), “C3” (n) and 1 more.',
    ]);
    const many = Array.from({ length: 200 }, () => of('rows', 'r'));
    expect(describeUnread(many)[0]).toMatch(/^Not read: 200 or more parts of the file: .* and 196 more\.$/);
  });
});
