import { describe, expect, test } from '@jest/globals';
import { patchSheet } from '../../../bot/agents/clinical_safety/merge/patchSheet.ts';
import { countRoomBelow } from '../../../bot/agents/clinical_safety/merge/roomBelow.ts';
import { rowsFor } from '../../../bot/agents/clinical_safety/merge/rowValues.ts';
import type { PlannedHazard } from '../../../bot/agents/clinical_safety/merge/settled.ts';
import {
  listRows,
  prefixOf,
  readFormulaCells,
  readRowStyle,
  writeRow,
} from '../../../bot/agents/clinical_safety/merge/sheetRows.ts';
import { isAllowedByList } from '../../../bot/agents/clinical_safety/merge/statusList.ts';
import { openFile } from '../../../bot/agents/clinical_safety/reading/openFile.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import type { ProposedValues } from '../../../models/contracts/clinical_safety/proposals.ts';
import { hazardRow, MATRIX_SHEET, makePackage, makeWideLog, type SheetCell } from '../../factories/hazardLog.ts';

const VALUES: ProposedValues = {
  name: 'Wrong dose',
  description: 'The dose is shown wrong.',
  cause: 'Unit is lost',
  clinicalImpact: 'Overdose',
  controlDesign: 'Show the unit',
  controlTest: 'Dose pack',
  controlTraining: 'Guide',
  controlBusiness: 'Second check',
};
const planned = (values: Partial<ProposedValues> = {}, tickets = ['EPS-1', 'EPS-2']): PlannedHazard =>
  ({
    hazardId: 'HAZ07',
    values: { ...VALUES, ...values },
    proposal: { evidence: tickets.map((ticketKey) => ({ ticketKey })) },
  }) as PlannedHazard;
const rowsIn = async (bytes: Uint8Array, hazard = planned(), statusAllowed = true) =>
  rowsFor(await readLog(bytes, 'log.xlsx'), hazard, statusAllowed).map((row) => Object.fromEntries(row));
const table = (...rows: SheetCell[][]) => makePackage({ sheets: [{ name: 'Hazard Log', rows }, MATRIX_SHEET] });

describe('the cells of a new row', () => {
  test('have every value in its own column, trimmed, without a rating', async () => {
    const [row, ...more] = await rowsIn(makeWideLog([{}]), planned({ controlTest: '  Dose pack \n' }));
    expect(more).toEqual([]);
    expect(row).toEqual({
      id: 'HAZ07',
      name: 'Wrong dose',
      description: 'The dose is shown wrong.',
      clinical_impact: 'Overdose',
      cause: 'Unit is lost',
      notes: 'Proposed from EPS-1, EPS-2; see the Change log.',
      status: 'Proposed – CSO review',
      control_design: 'Show the unit',
      control_test: 'Dose pack',
      control_training: 'Guide',
      control_business: 'Second check',
    });
  });

  test('have no status if its list forbids it, and nothing for empty values', async () => {
    const [row] = await rowsIn(makeWideLog([{}]), planned({ controlTraining: ' ', clinicalImpact: '' }), false);
    expect(Object.keys(row ?? {})).toEqual([
      'id',
      'name',
      'description',
      'cause',
      'notes',
      'control_design',
      'control_test',
      'control_business',
    ]);
  });

  test('name ten tickets at most in the notes', async () => {
    const tickets = Array.from({ length: 11 }, (_, at) => `T-${at + 1}`);
    const [row] = await rowsIn(makeWideLog([{}]), planned({}, tickets));
    expect(row?.notes).toBe(`Proposed from ${tickets.slice(0, 10).join(', ')}; see the Change log.`);
  });

  test('start the description with the name if the log has no column for names', async () => {
    const bytes = table(
      ['Hazard ID', 'Hazard Description', 'Possible Causes', 'Severity', 'Likelihood', 'Risk'],
      ['H1', 'List is out of date', 'Filter', 'Major', 'Low', 3],
    );
    const [row] = await rowsIn(bytes);
    expect(row).toMatchObject({ id: 'HAZ07', description: 'Wrong dose. The dose is shown wrong.' });
    expect(row).not.toHaveProperty('name');
  });

  test('join controls without a column of their own, each with its kind, and only those', async () => {
    const bytes = table(
      ['Hazard ID', 'Hazard Name', 'Possible Causes', 'Severity', 'Likelihood', 'Risk', 'Additional controls', 'Test'],
      ['H1', 'List is out of date', 'Filter', 'Major', 'Low', 3, 'Check', 'Pack'],
    );
    const [row, ...more] = await rowsIn(bytes, planned({ controlTraining: '' }));
    expect(more).toEqual([]);
    expect(row?.control_text).toBe('Design: Show the unit\nBusiness process: Second check');
    expect(row?.control_test).toBe('Dose pack');
  });

  const LONG = ['Num', 'Hazard Name', 'Possible Causes', 'Initial Consequence', 'Initial Likelihood'];
  const long = (...types: string[]) =>
    table(
      [...LONG, 'Additional controls', 'Control type', 'Status'],
      ...types.map((type) => ['H1', 'No triage', 'a', 'Major', 'Medium', 'Retry', type, 'Open']),
    );

  test('in a long log fill a row per control: the first completely, the others with the hazard’s identity', async () => {
    const rows = await rowsIn(long('Design', 'Testing', 'User training', 'Process'), planned({ controlTest: '' }));
    expect(rows).toEqual([
      {
        id: 'HAZ07',
        name: 'Wrong dose',
        cause: 'Unit is lost',
        status: 'Proposed – CSO review',
        control_text: 'Show the unit',
        control_type: 'Design',
      },
      {
        id: 'HAZ07',
        name: 'Wrong dose',
        cause: 'Unit is lost',
        status: 'Proposed – CSO review',
        control_text: 'Guide',
        control_type: 'User training',
      },
      {
        id: 'HAZ07',
        name: 'Wrong dose',
        cause: 'Unit is lost',
        status: 'Proposed – CSO review',
        control_text: 'Second check',
        control_type: 'Process',
      },
    ]);
  });

  test('use the log’s exact word for a kind rather than one that contains it, and ours for a missing one', async () => {
    const kinds = async (...types: string[]) =>
      (await rowsIn(long(...types), planned(), false)).map(({ control_type }) => control_type);
    expect(await kinds('Test strategy', 'TEST', 'Design')).toEqual(['Design', 'TEST', 'Training', 'Business process']);
    expect(await kinds('Business rule', 'Design')).toEqual(['Design', 'Test', 'Training', 'Business rule']);
    for (const row of await rowsIn(long('Design', 'Test'), planned(), false)) expect(row).not.toHaveProperty('status');
  });
});

describe('a list of allowed values', () => {
  const WORKBOOK =
    '<workbook><definedNames><definedName name="Other">Lists!$B$1:$B$9</definedName><definedName name="States">\'My lists\'!$A$2:$A$3</definedName></definedNames></workbook>';
  const grids = async () =>
    (
      await openFile(
        makePackage({
          sheets: [
            { name: 'Log', rows: [['a'], ['b']] },
            { name: 'My lists', rows: [['Head'], ['Open'], ['Proposed', 'Beside']] },
          ],
        }),
        'lists.xlsx',
      )
    ).grids;
  const allows = async (validation: string, value = 'Proposed', cell = { row: 4, column: 19 }) =>
    isAllowedByList(
      `<worksheet><sheetData></sheetData><dataValidations>${validation}</dataValidations></worksheet>`,
      WORKBOOK,
      await grids(),
      cell,
      value,
    );
  const list = (formula: string, sqref = 'S2:S4', type = 'list') =>
    `<dataValidation type="${type}" sqref="${sqref}"><formula1>${formula}</formula1></dataValidation>`;

  test.each([
    ['a list that has the word', list('"Open,Proposed"'), true],
    ['a list that begins with it', list('"Proposed,Open"'), true],
    ['a list for no cells', '<dataValidation type="list"><formula1>"Open"</formula1></dataValidation>', true],
    ['one that has it in other letters and with spaces', list('"Open, PROPOSED "'), true],
    ['one that has not', list('"Open,Closed"'), false],
    ['one that has a longer word', list('"Open,Proposed again"'), false],
    ['one for other rows', list('"Open"', 'S2:S3'), true],
    ['one that begins below', list('"Open"', 'S5:S9'), true],
    ['one for the column before', list('"Open"', 'A1:R9'), true],
    ['one for the column behind', list('"Open"', 'T1:Z9'), true],
    ['one for exactly this cell', list('"Open"', 'S4'), false],
    ['one of several ranges', list('"Open"', 'A1:A9 S4:S4'), false],
    ['no list but a number', list('"Open"', 'S2:S4', 'whole'), true],
    ['several, of which one forbids', list('"Proposed"') + list('"Open"'), false],
    ['a range of another sheet', list("'My lists'!$A$2:$A$3"), true],
    ['a range that ends before it', list("'My lists'!$A$1:$A$2"), false],
    ['a range of the next column', list("'My lists'!$B$1:$B$3"), false],
    ['a name', list('States'), true],
    ['a name of another range', list('Other'), false],
    ['an unknown name', list('Unknown'), false],
    ['a sheet that is not there', list('Gone!$A$1:$A$3'), false],
    ['a formula that can not be read', list('INDIRECT(&quot;x&quot;)'), false],
    [
      'the extension’s own list',
      '<x14:dataValidation type="list"><x14:formula1><xm:f>"Open"</xm:f></x14:formula1><xm:sqref>S2:S4</xm:sqref></x14:dataValidation>',
      false,
    ],
    ['nothing', '', true],
  ])('%s', async (_, validation, expected) => {
    expect(await allows(validation)).toBe(expected);
  });
});

describe('the rows of a sheet', () => {
  test('are found with their numbers, with and without a prefix, self-closing or not', () => {
    const xml = '<sheetData><row r="2"><c r="A2"/></row><row r="5"/><row><c/></row></sheetData><rowBreaks count="1"/>';
    expect(listRows(xml, '').map(({ number, start, end }) => [number, xml.slice(start, end)])).toEqual([
      [2, '<row r="2"><c r="A2"/></row>'],
      [5, '<row r="5"/>'],
      [6, '<row><c/></row>'],
    ]);
    const prefixed = xml.replaceAll('<', '<x:').replaceAll('<x:/', '</x:');
    expect(listRows(prefixed, 'x:').map(({ number }) => number)).toEqual([2, 5, 6]);
    expect(prefixOf('<?xml version="1.0"?><x:worksheet xmlns:x="y">')).toBe('x:');
    expect(prefixOf('<worksheet>')).toBe('');
  });

  test('end with the data, even if other elements start with the same letters', () => {
    expect(listRows('<sheetData/><rowBreaks><row r="9"/></rowBreaks>', '')).toEqual([]);
    expect(listRows('<sheetData><row\tr="1"/><row\nr="2"/></sheetData>', '').map(({ number }) => number)).toEqual([
      1, 2,
    ]);
    // A truncated row does not count.
    expect(listRows('<sheetData><row r="1"><c/>', '')).toEqual([]);
  });

  test('give the next row their style, but not their number, extent or hidden state', () => {
    const xml =
      '<row r="7" spans="1:3" ht="45" customHeight="1" hidden="1" collapsed="1"><c r="A7" s="3"><v>1</v></c><c r="C7"/></row>';
    expect(readRowStyle(xml, '')).toEqual({
      attributes: 'ht="45" customHeight="1"',
      cells: [
        { column: 1, style: '3' },
        { column: 3, style: null },
      ],
    });
    expect(readRowStyle('<row r="7"/>', '')).toEqual({ attributes: '', cells: [] });
  });

  test('keep prefilled formulas', () => {
    const xml = '<row r="7"><c r="A7"><v>1</v></c><c r="B7" s="2"><f>A7*2</f><v>2</v></c></row>';
    expect([...readFormulaCells(xml, '')]).toEqual([[2, '<c r="B7" s="2"><f>A7*2</f><v>2</v></c>']]);
  });

  test('are written in column order: content, kept formulas and styles', () => {
    const cells = [
      { column: 3, style: '4' },
      { column: 1, style: null },
      { column: 2, style: '5' },
    ];
    const contents = new Map([
      [28, { text: 'a < b ' }],
      [2, { number: 12 }],
    ]);
    expect(writeRow(8, '', 'ht="45"', cells, contents, new Map([[4, '<c r="D8"><f>A8</f></c>']]))).toBe(
      '<row r="8" ht="45"><c r="B8" s="5"><v>12</v></c><c r="C8" s="4"/><c r="D8"><f>A8</f></c><c r="AB8" t="inlineStr"><is><t xml:space="preserve">a &lt; b </t></is></c></row>',
    );
    expect(writeRow(8, 'x:', '', [], new Map([[1, { number: 0 }]]))).toBe(
      '<x:row r="8"><x:c r="A8"><x:v>0</x:v></x:c></x:row>',
    );
  });

  test('have no text longer than Excel keeps', () => {
    const row = writeRow(1, '', '', [], new Map([[1, { text: 'x'.repeat(32_768) }]]));
    expect(/>(x+)</.exec(row)?.[1]).toHaveLength(32_767);
  });
});

describe('the room below a log', () => {
  const room = async (below: SheetCell[][], ids: (string | undefined)[] = ['HAZ02', 'HAZ03']) => {
    const log = await readLog(makeWideLog([{}], { belowRows: below }), 'log.xlsx');
    return countRoomBelow(log, 2, ids);
  };
  const blank = () => hazardRow().map((): SheetCell => null);

  test('is unlimited if nothing follows', async () => {
    expect(await room([])).toBe(Number.POSITIVE_INFINITY);
    expect(await room([blank(), blank()])).toBe(Number.POSITIVE_INFINITY);
  });

  test('ends at the next row with content', async () => {
    const note: SheetCell[] = [...blank().slice(0, 6), 'Note'];
    expect(await room([blank(), blank(), note])).toBe(2);
    expect(await room([blank(), note, note])).toBe(1);
  });

  test('includes rows prenumbered with the next ids, and formulas without a value yet', async () => {
    const numbered = (id: string) => [id, ...blank().slice(1)];
    expect(await room([numbered('haz02'), numbered(' HAZ03')])).toBe(Number.POSITIVE_INFINITY);
    expect(await room([numbered('HAZ02'), numbered('HAZ09')])).toBe(1);
    expect(await room([numbered('HAZ02'), numbered('HAZ03')], ['HAZ02'])).toBe(1);
    for (const result of ['', '0', '#N/A'])
      expect(await room([[...blank().slice(0, 8), { formula: 'G3*H3', result }]])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the end of a sheet', () => {
  const END = 1_048_576;
  const place = (lastRow: number) => ({ sheet: 'Log', lastRow, columns: { first: 1, last: 1 } });
  const patch = (lastRow: number, count: number) =>
    patchSheet(
      `<worksheet><sheetData><row r="${lastRow}"><c r="A${lastRow}"><v>1</v></c></row></sheetData></worksheet>`,
      place(lastRow),
      true,
      Array.from({ length: count }, () => new Map([[1, { number: 2 }]])),
      Number.POSITIVE_INFINITY,
    );

  test('takes new rows up to its last one, and refuses a merge with one more', () => {
    expect(patch(END - 2, 2).xml).toContain(`<row r="${END}"><c r="A${END}"><v>2</v></c></row></sheetData>`);
    expect(() => patch(END - 2, 3)).toThrow(expect.objectContaining({ code: 'no_room_below' }));
    expect(() => patch(END, 1)).toThrow('row 1,048,576 is at the end of the sheet');
  });
});
