import { describe, expect, test } from '@jest/globals';
import { cellAddress } from '../../../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import {
  type ScanContext,
  scanSheet,
  stringItemText,
  withoutPrefix,
} from '../../../../bot/agents/clinical_safety/ooxml/sheetScanner.ts';
import {
  CELL_LIMIT,
  LONGEST_CELL,
  ReadingBudget,
} from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';

const contextOf = (more: Partial<ScanContext> = {}): ScanContext => ({
  sharedStrings: ['first', '', 'third'],
  dateStyles: [false, true],
  date1904: false,
  budget: new ReadingBudget('workbook', null),
  ...more,
});
const sheet = (data: string, after = '') => `<worksheet><sheetData>${data}</sheetData>${after}</worksheet>`;
const scan = (xml: string, more?: Partial<ScanContext>) => scanSheet(xml, 'Log', false, contextOf(more));
/** Text, number and formula of each cell, by address. */
function cellsOf(xml: string, more?: Partial<ScanContext>) {
  const found: Record<string, [string, number | null, string | null]> = {};
  for (const [row, cells] of scan(xml, more).rows.entries())
    for (const [column, cell] of (cells ?? []).entries())
      if (cell) found[cellAddress(row, column)] = [cell.text, cell.number, cell.formula];
  return found;
}
/** The cell A1 with these attributes and this content. */
const cellOf = (attributes: string, inside: string, more?: Partial<ScanContext>) =>
  cellsOf(sheet(`<row r="1"><c r="A1"${attributes}>${inside}</c></row>`), more).A1;

describe('a cell', () => {
  test.each<[string, string, [string, number | null] | undefined]>([
    ['', '<v>3</v>', ['3', 3]],
    [' t="n"', '<v>-2.50</v>', ['-2.5', -2.5]],
    ['', '<v>0</v>', ['0', 0]],
    ['', '<v>0.30000000000000004</v>', ['0.3', 0.30000000000000004]],
    ['', '<v>123456789012345680</v>', ['123456789012345680', 123456789012345680]],
    ['', '<v>1E3</v>', ['1000', 1000]],
    ['', '<v>a &amp; b</v>', ['a & b', null]],
    ['', '<v>Infinity</v>', ['Infinity', null]],
    ['', '<v></v>', undefined],
    ['', '<v/>', undefined],
    ['', '', undefined],
    ['', '<v>3', undefined],
    ['', '<v xml:space="preserve">3</v>', ['3', 3]],
    [' t="s"', '<v>0</v>', ['first', null]],
    [' t="s"', '<v>2</v>', ['third', null]],
    [' t="s"', '<v>1</v>', undefined],
    [' t="s"', '<v>3</v>', undefined],
    [' t="inlineStr"', '<is><t>a &lt; b</t></is>', ['a < b', null]],
    [' t="inlineStr"', '<is><t></t></is>', undefined],
    [' t="inlineStr"', '<v>3</v>', undefined],
    [' t="b"', '<v>1</v>', ['TRUE', null]],
    [' t="b"', '<v>0</v>', ['FALSE', null]],
    [' t="str"', '<v>3 &amp; 4</v>', ['3 & 4', null]],
    [' t="str"', '<v>3</v>', ['3', null]],
    [' t="e"', '<v>#N/A</v>', ['#N/A', null]],
    [' t="d"', '<v>2026-05-03</v>', ['2026-05-03', null]],
    [' t="d"', '<v>2026</v>', ['2026', null]],
    [' t="e"', '<v>3</v>', ['3', null]],
    [" t='b'", '<v>1</v>', ['TRUE', null]],
  ])('with%s %s', (attributes, inside, cell) => {
    expect(cellOf(attributes, inside)).toEqual(cell && [...cell, null]);
  });

  test.each<[string, string, boolean, string, number | null]>([
    ['1', '25569', false, '1970-01-01', null],
    ['1', '45000', false, '2023-03-15', null],
    ['1', '45000.5', false, '2023-03-15 12:00', null],
    ['1', '45000.000696', false, '2023-03-15 00:01', null],
    ['1', '1', false, '1899-12-31', null],
    ['1', '0', true, '1904-01-01', null],
    ['1', '43538', true, '2023-03-15', null],
    ['1', '9999999999', false, '9999999999', null],
    ['0', '45000', false, '45000', 45_000],
    ['2', '45000', false, '45000', 45_000],
  ])('with the style %s and %s, 1904: %s, is %s', (style, value, date1904, text, number) => {
    expect(cellOf(` s="${style}"`, `<v>${value}</v>`, { date1904 })).toEqual([text, number, null]);
  });

  test('without a style has the first one', () => {
    expect(cellOf('', '<v>45000</v>', { dateStyles: [true] })?.[0]).toBe('2023-03-15');
    expect(cellOf('', '<v>45000</v>', { dateStyles: [false, true] })?.[0]).toBe('45000');
  });
});

describe('a formula', () => {
  test.each<[string, string, [string, number | null, string] | undefined]>([
    ['', '<f>A2+1</f><v>3</v>', ['3', 3, 'A2+1']],
    [' t="str"', '<f>A2&amp;"x"</f><v>ax</v>', ['ax', null, 'A2&"x"']],
    ['', '<f>A2</f>', ['', null, 'A2']],
    ['', '<f>A2</f><v></v>', ['', null, 'A2']],
    ['', '<f/><v>3</v>', ['3', 3, '']],
    ['', '<f>A2', ['', null, '']],
    ['', '<f t="array" ref="A1:A3">SUM(B1)</f><v>3</v>', ['3', 3, 'SUM(B1)']],
    [' t="s"', '<f>A2</f><v>1</v>', ['', null, 'A2']],
    [' t="s"', '<f>A2</f><v>9</v>', ['', null, 'A2']],
    [' t="b"', '<f>A2</f><v>1</v>', ['TRUE', null, 'A2']],
    [' t="e"', '<f>A2</f><v>#N/A</v>', ['#N/A', null, 'A2']],
    [' t="inlineStr"', '<f>A2</f><is><t></t></is>', ['', null, 'A2']],
    [' t="inlineStr"', '<f>A2</f><is><t>a</t></is>', ['a', null, 'A2']],
    ['', '<f>A2</f><v>word</v>', ['word', null, 'A2']],
    [' s="1"', '<f>A2</f><v>45000</v>', ['2023-03-15', null, 'A2']],
  ])('in a cell with%s %s', (attributes, inside, cell) => {
    expect(cellOf(attributes, inside)).toEqual(cell);
  });

  test('that is shared is adjusted to each cell', () => {
    const follower = (address: string, si: string) => `<c r="${address}"><f t="shared" si="${si}"/><v>1</v></c>`;
    expect(
      cellsOf(
        sheet(
          `<row r="1">${follower('A1', '0')}<c r="B1"><f t="shared" ref="B1:C3" si="0">D1+$E$1</f><v>1</v></c>${follower('C1', '0')}</row>` +
            `<row r="3"><c r="A3"><f t="shared" si="1">X9</f><v>1</v></c>${follower('B3', '0')}${follower('C3', '1')}${follower('D3', '2')}</row>`,
        ),
      ),
    ).toEqual({
      // A shared formula that is used before it is defined has no text.
      A1: ['1', 1, ''],
      B1: ['1', 1, 'D1+$E$1'],
      C1: ['1', 1, 'E1+$E$1'],
      A3: ['1', 1, 'X9'],
      B3: ['1', 1, 'D3+$E$1'],
      C3: ['1', 1, 'Z9'],
      D3: ['1', 1, ''],
    });
  });

  test('with an index but without being shared is its own', () => {
    expect(
      cellsOf(
        sheet(
          '<row r="1"><c r="A1"><f si="0">B1</f></c><c r="B1"><f t="shared" si="0"/></c><c r="C1"><f t="shared"/></c></row>',
        ),
      ),
    ).toEqual({ A1: ['', null, 'B1'], B1: ['', null, ''], C1: ['', null, ''] });
  });
});

describe('a sheet', () => {
  const value = '<v>1</v>';
  const addressesOf = (xml: string) => Object.keys(cellsOf(xml)).join();
  test.each([
    ['<row r="2"><c r="B2">#</c><c r="D2">#</c></row>', 'B2,D2'],
    ['<row><c>#</c><c>#</c></row><row><c>#</c></row>', 'A1,B1,A2'],
    ['<row r="3"><c>#</c></row><row><c>#</c></row>', 'A3,A4'],
    ['<row><c r="C1">#</c><c>#</c></row>', 'C1,D1'],
    ['<row><c r="?">#</c><c r="?">#</c></row>', 'A1,B1'],
    ['<row><c/><c />#<c r="A1"/><c>#</c></row>', 'B1'],
    ['<row><c>#</c></row><row r="0"><c>#</c></row><row r="-1"><c>#</c></row><row r="x"><c>#</c></row>', 'A1'],
    ['<row r="1048576"><c>#</c></row><row r="1048577"><c>#</c></row>', 'A1048576'],
    ['<row><c r="XFD1">#</c><c r="XFE1">#</c></row>', 'XFD1'],
    ['<row r="1"><c>#</c></row><row r="1"><c r="B1">#</c></row>', 'B1'],
    ["<row r='2'><c r='B2'>#</c></row>", 'B2'],
    ['<row><x><c>#</c></x><c>#</c></row>', 'A1,B1'],
    ['<row><c>#</c><c>#', 'A1'],
    ['<row><c>#</c><c r="B1"', 'A1'],
    ['', ''],
  ])('of %s has the cells %s', (data, addresses) => {
    expect(addressesOf(sheet(data.replaceAll('#', value)))).toBe(addresses);
  });

  test('keeps its name, and whether it is hidden', () => {
    expect(scanSheet(sheet(''), 'A', true, contextOf())).toEqual({ name: 'A', hidden: true, rows: [], merges: [] });
    expect(scanSheet(sheet(''), 'B', false, contextOf())).toMatchObject({ name: 'B', hidden: false });
  });

  test('has only the cells inside its data element', () => {
    const row = `<row><c>${value}</c></row>`;
    expect(addressesOf(`<worksheet>${row}<sheetData></sheetData>${row}</worksheet>`)).toBe('');
    expect(addressesOf(`<worksheet>${row}</worksheet>`)).toBe('');
    expect(addressesOf(`<worksheet><sheetData/>${row}</worksheet>`)).toBe('');
    expect(addressesOf(`<worksheet><sheetData>${row}`)).toBe('');
    expect(addressesOf(`<worksheet></sheetData><sheetData>${row}</sheetData>`)).toBe('A1');
  });

  test('is read with any namespace prefix', () => {
    expect(
      cellsOf(
        '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="B1"><x:f>C1</x:f><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      ),
    ).toEqual({ B1: ['3', 3, 'C1'] });
    expect(withoutPrefix('<a:t><a:b/></a:t>', 't')).toBe('<t><b/></t>');
    expect(withoutPrefix('<t><a:b/></t>', 't')).toBe('<t><a:b/></t>');
    expect(withoutPrefix('<a:t><b:c></b:c></a:t>', 't')).toBe('<t><b:c></b:c></t>');
    // The root is looked for in the first 4000 characters.
    const later = (before: number) => withoutPrefix(`${' '.repeat(before)}<a:t>`, 't').trim();
    expect([later(3995), later(3996)]).toEqual(['<t>', '<a:t>']);
  });

  test('has its merged cells', () => {
    const merges = (xml: string) => scan(sheet('', `<mergeCells>${xml}</mergeCells>`)).merges;
    expect(merges('<mergeCell ref="A1:B3"/><mergeCell ref="x"/><mergeCell/><mergeCell ref="$C$4"/>')).toEqual([
      { top: 1, left: 1, bottom: 3, right: 2 },
      { top: 4, left: 3, bottom: 4, right: 3 },
    ]);
    expect(
      scan('<worksheet><sheetData/><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>').merges,
    ).toHaveLength(1);
  });
});

const HUNDRED_THOUSAND = 'a'.repeat(100_000);

describe('the budget for a sheet', () => {
  const data = (cells: number) => sheet(`<row>${'<c><v>1</v></c>'.repeat(cells)}</row>`);
  const codeOf = (xml: string, spend: (budget: ReadingBudget) => void, more?: Partial<ScanContext>) => {
    const budget = new ReadingBudget('workbook', null);
    spend(budget);
    try {
      scan(xml, { budget, ...more });
      return null;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  const many = (count: number, spend: (budget: ReadingBudget) => void) => (budget: ReadingBudget) => {
    for (let at = 0; at < count; at += 1) spend(budget);
  };

  test('counts each cell, blank ones included, except those without content', () => {
    const left = (cells: number) => (budget: ReadingBudget) => budget.spendCells(CELL_LIMIT - cells);
    expect(codeOf(data(3), left(3))).toBeNull();
    expect(codeOf(data(3), left(2))).toBe('too_many_cells');
    expect(codeOf(sheet('<row><c></c><c/></row>'), left(1))).toBeNull();
    expect(codeOf(sheet('<row><c></c><c/></row>'), left(0))).toBe('too_many_cells');
  });

  test('counts the rows down to the last', () => {
    const left = (rows: number) => (budget: ReadingBudget) => budget.spendRows(4_500_000 - rows);
    // Rows are counted from 1.
    expect(codeOf(sheet('<row r="9"/>'), left(10))).toBeNull();
    expect(codeOf(sheet('<row r="9"/>'), left(9))).toBe('too_many_cells');
  });

  test('counts its merged cells', () => {
    const xml = sheet('', '<mergeCell ref="x"/><mergeCell/>');
    expect(
      codeOf(
        xml,
        many(249_998, (budget) => budget.spendMerge()),
      ),
    ).toBeNull();
    expect(
      codeOf(
        xml,
        many(249_999, (budget) => budget.spendMerge()),
      ),
    ).toBe('too_many_cells');
  });

  test('counts the texts of its cells and formulas, including every use of a shared one', () => {
    const full = many(640, (budget) => budget.spendText(HUNDRED_THOUSAND));
    expect(codeOf(sheet('<row><c></c></row>'), full)).toBeNull();
    expect(codeOf(data(1), full)).toBe('too_many_cells');
    expect(codeOf(sheet('<row><c><f>A1</f></c></row>'), full)).toBe('too_many_cells');
    const long = 'a'.repeat(LONGEST_CELL + 1);
    expect(codeOf(sheet(`<row><c><f>${long}</f></c></row>`), () => undefined)).toBe('too_many_cells');
    expect(codeOf(sheet('<row><c t="s"><v>0</v></c></row>'), () => undefined, { sharedStrings: [long] })).toBe(
      'too_many_cells',
    );
    const almost = many(639, (budget) => budget.spendText(HUNDRED_THOUSAND));
    const shared = (rest: string) =>
      sheet(`<row><c><f t="shared" si="0">${'1'.repeat(50_000)}</f></c><c><f t="shared" si="0"/></c>${rest}</row>`);
    expect(codeOf(shared(''), almost)).toBeNull();
    expect(codeOf(shared('<c><f>1</f></c>'), almost)).toBe('too_many_cells');
  });
});

describe('the text of a string', () => {
  test.each([
    ['<t>a &amp; b</t>', 'a & b'],
    [' <t xml:space="preserve"> a </t>\n', ' a '],
    ['<t></t>', ''],
    ['<t/>', ''],
    ['', ''],
    ['<r><rPr><b/></rPr><t>a</t></r><r><t xml:space="preserve"> b</t></r>', 'a b'],
    ['<t>漢字</t><rPh sb="0" eb="2"><t>かんじ</t></rPh><phoneticPr fontId="1"/>', '漢字'],
    ['<r><t>a</t></r><rPh><t>x</t></rPh><r><t>b</t></r><rPh><t>y</t></rPh>', 'ab'],
    ['<t>a</t><rPh><t>x</t>', 'ax'],
    ['<x:t>a</x:t><x:t>b</x:t>', ''],
    ['<r><t>&lt;</t></r><r><t>b</t></r>', '<b'],
    ['<r><t>a</t></r><t>b</t>', 'ab'],
  ])('of %s is %j', (inner, text) => {
    expect(stringItemText(inner)).toBe(text);
  });
});
