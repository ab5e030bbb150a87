import { LIMITS } from '../../../../models/contracts/limits.ts';
import { HazardFileError } from '../errors.ts';
import type { Grid, GridRow } from '../ooxml/sheetScanner.ts';
import type { ReadingBudget } from './readingBudget.ts';

/**
 * Reads BIFF .xls and XML Spreadsheet 2003 with a library. Loaded when first needed. The library can't be stopped on
 * the way: 10 MB of short cells take it ten seconds, so larger files than {@link LIMITS} allow are refused.
 * @throws HazardFileError too_costly, damaged_workbook, encrypted_workbook, too_many_cells
 */
export async function readLegacyWorkbook(bytes: Uint8Array, budget: ReadingBudget): Promise<Grid[]> {
  if (bytes.length > LIMITS.legacyWorkbookBytes)
    throw new HazardFileError(
      'too_costly',
      `An .xls or XML workbook may have up to ${LIMITS.legacyWorkbookBytes / 2 ** 20} MB. Open it in Excel, save it as .xlsx, where up to ${LIMITS.uploadBytes / 2 ** 20} MB are read, and try again.`,
    );
  const { read, utils } = await import('@e965/xlsx');
  const workbook = (() => {
    try {
      return read(bytes, {
        type: 'array',
        cellFormula: true,
        cellDates: true,
        cellHTML: false,
      });
    } catch (error) {
      // The library takes what has no version for a zip archive, and its bytes for an encrypted one.
      if (/password|(?<!zip )encrypt/i.test(String(error))) throw encrypted();
      throw new HazardFileError(
        'damaged_workbook',
        'This .xls workbook can’t be read. Open it in Excel, save it as .xlsx and try again.',
      );
    }
  })();
  return workbook.SheetNames.map((name, index) => {
    const sheet = workbook.Sheets[name] ?? {};
    const rows: Grid['rows'] = [];
    for (const [address, cell] of Object.entries(sheet)) {
      if (address.startsWith('!')) continue;
      const { r, c } = utils.decode_cell(address);
      const text =
        cell.v instanceof Date
          ? cell.v.toISOString().slice(0, 10)
          : cell.t === 'n'
            ? String(cell.v)
            : String(cell.w ?? cell.v ?? '');
      if (!text && !cell.f) continue;
      budget.spendCells(1);
      budget.spendText(text);
      const row: GridRow = rows[r + 1] ?? [];
      rows[r + 1] = row;
      row[c + 1] = {
        text: text.replace(/\r\n?/g, '\n'),
        number: cell.t === 'n' ? Number(cell.v) : null,
        formula: cell.f ?? null,
      };
    }
    budget.spendRows(rows.length);
    const merges = (sheet['!merges'] ?? []).map(({ s, e }) => {
      budget.spendMerge();
      return { top: s.r + 1, left: s.c + 1, bottom: e.r + 1, right: e.c + 1 };
    });
    return { name, hidden: (workbook.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0, rows, merges };
  });
}

/** A workbook behind a password, of either kind. */
export function encrypted(): HazardFileError {
  return new HazardFileError(
    'encrypted_workbook',
    'This workbook is protected by a password and can’t be read. In Excel choose File, Info, Protect Workbook, Encrypt with Password, clear the password, save, and try again.',
  );
}
