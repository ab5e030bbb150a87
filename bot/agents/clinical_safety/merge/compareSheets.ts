import type { ZipEntry } from '../../../engine/files/zipArchive.ts';
import { type Grid, type ScanContext, scanSheet } from '../ooxml/sheetScanner.ts';
import { readScanContext, readWorkbookParts } from '../ooxml/workbookParts.ts';
import { ReadingBudget } from '../reading/readingBudget.ts';
import type { ReadText } from './adjustedPlaces.ts';
import type { ComparedSheet } from './describeMerge.ts';
import { type Growth, movedRow } from './growth.ts';
import { requireKeptCells } from './keptCells.ts';
import { listRows, prefixOf } from './sheetRows.ts';

type Parts = Map<string, ZipEntry>;
type Compared = { name: string; hidden: boolean; before: string; after: string };

/** The rows that a sheet had and whose XML is not the same at their new place, by their number before. */
function findChangedRows({ before, after }: Compared, placeOf: (row: number) => number): Map<number, string> {
  const prefix = prefixOf(before);
  const now = new Map(listRows(after, prefix).map(({ number, start, end }) => [number, after.slice(start, end)]));
  const changed = new Map<number, string>();
  for (const { number, start, end } of listRows(before, prefix)) {
    const own = now.get(placeOf(number)) ?? '';
    if (own !== before.slice(start, end)) changed.set(number, own);
  }
  return changed;
}

/** Reads the changed rows; the whole sheet where one of them may need another to be read. */
function scanRows({ name, hidden, after }: Compared, rows: readonly string[], context: ScanContext): Grid {
  const xml = rows.join('');
  const isAlone = !xml.includes('shared') && rows.every((row) => row === '' || /^<[\w:]*row[^>]*?\sr="/.test(row));
  if (!isAlone) return scanSheet(after, name, hidden, context);
  const prefix = prefixOf(after);
  const reduced = `<${prefix}worksheet><${prefix}sheetData>${xml}</${prefix}sheetData></${prefix}worksheet>`;
  return scanSheet(reduced, name, hidden, context);
}

/**
 * Compares the cells of each sheet whose part has changed with those that the log had. A row that is the same to the
 * byte is not read again: the strings and formats to which it refers by number are only ever added to.
 * @throws HazardFileError cells_would_change
 */
export function compareSheets(
  grids: readonly Grid[],
  before: Parts,
  after: Parts,
  growth: Growth,
  isReplaced: (row: number, column: number) => boolean,
  readText: ReadText,
): ComparedSheet[] {
  let context: ScanContext | undefined;
  const workbook = readWorkbookParts(after);
  return workbook.sheets.flatMap(({ name, partName, hidden }) => {
    const grid = grids.find((one) => one.name === name);
    if (!grid || before.get(partName) === after.get(partName)) return [];
    const sheet = { name, hidden, before: readText(before, partName), after: readText(after, partName) };
    const placeOf = (row: number) => (name === growth.sheet ? movedRow(row, growth) : row);
    const changed = findChangedRows(sheet, placeOf);
    if (changed.size === 0) return [{ sheet: name, ...requireKeptCells(grid, null, growth, isReplaced, changed) }];
    context ??= readScanContext(after, workbook, new ReadingBudget('workbook', null));
    const now = scanRows(sheet, [...changed.values()], context);
    return [{ sheet: name, ...requireKeptCells(grid, now, growth, isReplaced, changed) }];
  });
}
