import { CFB, utils, type WorkBook, type WorkSheet, write } from '@e965/xlsx';
import { describe, expect, test } from '@jest/globals';
import { HazardFileError } from '../../../../bot/agents/clinical_safety/errors.ts';
import { encrypted, readLegacyWorkbook } from '../../../../bot/agents/clinical_safety/reading/legacyWorkbook.ts';
import { CELL_LIMIT, ReadingBudget } from '../../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';

const bytesOf = (sheets: Record<string, WorkSheet>, workbook: Partial<WorkBook> = {}) =>
  new Uint8Array(
    write({ SheetNames: Object.keys(sheets), Sheets: sheets, ...workbook }, { type: 'array', bookType: 'biff8' }),
  );
const read = (bytes: Uint8Array, budget = new ReadingBudget('workbook', null)) => readLegacyWorkbook(bytes, budget);
const refused = (bytes: Uint8Array, budget?: ReadingBudget) =>
  read(bytes, budget).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof HazardFileError)) throw error;
      return error;
    },
  );
const SPREADSHEET = 'urn:schemas-microsoft-com:office:spreadsheet';
const xmlWorkbook = (rows: string) =>
  new Uint8Array(
    Buffer.from(
      `<?xml version="1.0"?><Workbook xmlns="${SPREADSHEET}" xmlns:ss="${SPREADSHEET}"><Worksheet ss:Name="A"><Table>${rows}</Table></Worksheet></Workbook>`,
    ),
  );

describe('an old workbook', () => {
  test('returns texts, numbers, dates and formulas as a person sees them', async () => {
    const sheet = utils.aoa_to_sheet([
      ['Text', 3, new Date(Date.UTC(2026, 4, 3)), true],
      [null, 'two\r\nlines\rmore', null, 0.5],
    ]);
    sheet.A3 = { t: 'n', v: 7, f: 'B1+4' };
    sheet['!ref'] = 'A1:D3';
    const [grid] = await read(bytesOf({ 'Hazard log': sheet }));
    expect(grid).toMatchObject({ name: 'Hazard log', hidden: false, merges: [] });
    const cellOf = (row: number, column: number) => grid?.rows[row]?.[column];
    expect(cellOf(1, 1)).toEqual({ text: 'Text', number: null, formula: null });
    expect(cellOf(1, 2)).toEqual({ text: '3', number: 3, formula: null });
    expect(cellOf(1, 3)).toMatchObject({ text: '2026-05-03', number: null });
    expect(cellOf(1, 4)).toEqual({ text: 'TRUE', number: null, formula: null });
    expect(cellOf(2, 1)).toBeUndefined();
    expect(cellOf(2, 2)?.text).toBe('two\nlines\nmore');
    expect(cellOf(2, 4)).toEqual({ text: '0.5', number: 0.5, formula: null });
    expect(cellOf(3, 1)?.number).toBe(7);
    expect(grid?.rows[0]).toBeUndefined();
    expect(grid?.rows).toHaveLength(4);
  });

  test('returns numbers exactly, not as displayed', async () => {
    const sheet = utils.aoa_to_sheet([[0.25]]);
    (sheet.A1 as { z: string }).z = '0%';
    const [grid] = await read(bytesOf({ A: sheet }));
    expect(grid?.rows[1]?.[1]).toMatchObject({ text: '0.25', number: 0.25 });
  });

  test('keeps formulas, even without a value', async () => {
    const cell = (inside: string) => `<Row><Cell ss:Formula="=R1C2&amp;R1C3">${inside}</Cell></Row>`;
    const [grid] = await read(
      xmlWorkbook(cell('<Data ss:Type="String">x</Data>') + cell('<Data ss:Type="String"></Data>')),
    );
    expect(grid?.rows[1]?.[1]).toMatchObject({ text: 'x', formula: '$B$1&$C$1' });
    expect(grid?.rows[2]?.[1]).toMatchObject({ text: '', formula: '$B$1&$C$1' });
  });

  test('returns its sheets in order, with hidden and merged parts', async () => {
    const sheet = () => utils.aoa_to_sheet([['a', 'b'], ['c']]);
    const merged = sheet();
    merged['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 3, c: 2 } }];
    const grids = await read(
      bytesOf(
        { One: merged, Two: sheet(), Three: sheet() },
        { Workbook: { Sheets: [{ Hidden: 0 }, { Hidden: 1 }, { Hidden: 2 }] } },
      ),
    );
    expect(grids.map(({ name, hidden, merges }) => [name, hidden, merges])).toEqual([
      ['One', false, [{ top: 2, left: 1, bottom: 4, right: 3 }]],
      ['Two', true, []],
      ['Three', true, []],
    ]);
  });

  test('counts its cells, rows and merged ranges', async () => {
    const sheet = utils.aoa_to_sheet([['a', 'b'], ['c']]);
    sheet['!merges'] = [{ s: { r: 5, c: 0 }, e: { r: 6, c: 0 } }];
    const bytes = bytesOf({ A: sheet });
    const spent = (spend: (budget: ReadingBudget) => void) => {
      const budget = new ReadingBudget('workbook', null);
      spend(budget);
      return refused(bytes, budget);
    };
    expect(await spent((budget) => budget.spendCells(CELL_LIMIT - 3))).toBeNull();
    expect(await spent((budget) => budget.spendCells(CELL_LIMIT - 2))).toMatchObject({ code: 'too_many_cells' });
    expect(await spent((budget) => budget.spendRows(4_500_000 - 3))).toBeNull();
    expect(await spent((budget) => budget.spendRows(4_500_000 - 2))).toMatchObject({ code: 'too_many_cells' });
    const merges = (count: number) => (budget: ReadingBudget) => {
      for (let at = 0; at < count; at += 1) budget.spendMerge();
    };
    expect(await spent(merges(249_999))).toBeNull();
    expect(await spent(merges(250_000))).toMatchObject({ code: 'too_many_cells' });
    expect(
      await spent((budget) => {
        for (let at = 0; at < 640; at += 1) budget.spendText('a'.repeat(100_000 - (at === 0 ? 3 : 0)));
      }),
    ).toBeNull();
    expect(
      await spent((budget) => {
        for (let at = 0; at < 640; at += 1) budget.spendText('a'.repeat(100_000 - (at === 0 ? 2 : 0)));
      }),
    ).toMatchObject({ code: 'too_many_cells' });
  });

  test('is refused if it is larger than the library can safely read', async () => {
    const bytes = bytesOf({ A: utils.aoa_to_sheet([['a', 'b']]) });
    const padded = (size: number) => {
      const whole = new Uint8Array(size);
      whole.set(bytes);
      return whole;
    };
    expect(await refused(padded(LIMITS.legacyWorkbookBytes))).toBeNull();
    expect(await refused(padded(LIMITS.legacyWorkbookBytes + 1))).toMatchObject({
      code: 'too_costly',
      message:
        'An .xls or XML workbook may have up to 1 MB. Open it in Excel, save it as .xlsx, where up to 10 MB are read, and try again.',
    });
  });

  test('with a password is refused, with how to remove it', async () => {
    // The first record of the stream, and the one that says that the rest is encrypted.
    const stream = Buffer.from('0908100000060500bb0dcc0700000000060000002f000600000000000000', 'hex');
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, '/Workbook', stream);
    const bytes = new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
    const error = await refused(bytes);
    expect(error).toMatchObject({ code: 'encrypted_workbook', message: encrypted().message });
    expect(error?.message).toContain('Encrypt with Password');
  });

  test('that is broken is refused', async () => {
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, '/Other', Buffer.from('x'));
    const bytes = new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer);
    expect(await refused(bytes)).toMatchObject({
      code: 'damaged_workbook',
      message: 'This .xls workbook can’t be read. Open it in Excel, save it as .xlsx and try again.',
    });
  });
});
