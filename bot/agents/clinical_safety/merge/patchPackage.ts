import type { MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeEntry, readPart, readZipDirectory, writeZip, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import { readWorkbookParts } from '../ooxml/workbookParts.ts';
import type { ReadLog } from '../reading/logModel.ts';
import type { MergeInput } from '../worker/jobs.ts';
import { addChangeLog } from './addChangeLog.ts';
import { countAdjusted, type ReadText } from './adjustedPlaces.ts';
import { changeLogRows } from './changeLog.ts';
import { compareSheets } from './compareSheets.ts';
import { describePatch, NOTHING_WRITTEN } from './describeMerge.ts';
import { formulasEndingAt } from './formulaEnds.ts';
import { layOut, type MergedFile, placeAdditions, recordable } from './layOut.ts';
import { columnsOf, lastRowOfLog } from './logEnd.ts';
import { growNeighbours } from './neighbours.ts';
import { withOwnColumns } from './ownColumns.ts';
import { type NewRow, type PatchedSheet, patchSheet } from './patchSheet.ts';
import { gridsWith, type PlannedAddition, planAdditions } from './planAdditions.ts';
import { recalculateOnOpening, removeCalculationChain } from './recalculation.ts';
import { countRoomBelow } from './roomBelow.ts';
import { PROPOSED_STATUS, type RowValues } from './rowValues.ts';
import type { MergePlan } from './settled.ts';
import { isAllowedByList } from './statusList.ts';
import { writeAdditions } from './writeAdditions.ts';

type Parts = Map<string, ZipEntry>;

/** The cells of a new row by column. Ids are numbers if the log's ids are. */
function toCells(log: ReadLog, values: RowValues): NewRow {
  const numericIds =
    log.dataRows.length > 0 &&
    log.dataRows.every((row) => log.cell(row, 'id') === undefined || log.cell(row, 'id')?.number !== null);
  const cells: NewRow = new Map();
  for (const [canonical, text] of values) {
    const column = log.columnOf(canonical);
    if (column === null) continue;
    cells.set(
      column,
      canonical === 'id' && numericIds && /^\d{1,9}$/.test(text) && !text.startsWith('0')
        ? { number: Number(text) }
        : { text },
    );
  }
  return cells;
}

const unchanged = ({ log }: MergeInput, conflicts: MergeConflict[]): MergedFile => ({
  bytes: log.bytes.slice(),
  ...{ written: [], added: [], conflicts, statusAllowed: false, changes: [NOTHING_WRITTEN] },
});

/**
 * The log's sheet: its name, the name of its part and the part's text.
 * @throws HazardFileError damaged_workbook
 */
function findLogSheet(log: ReadLog, parts: Parts) {
  const workbook = readWorkbookParts(parts);
  const sheet = workbook.sheets.find(({ name }) => name === log.shape.sheet);
  const xml = sheet ? readPart(parts, sheet.partName) : null;
  if (!sheet || xml === null)
    throw new HazardFileError(
      'damaged_workbook',
      'The log’s sheet is no longer in the workbook. Analyse the log again.',
    );
  return { ...sheet, xml, workbook };
}

type LogSheet = ReturnType<typeof findLogSheet>;

/** Whether the log has a column for the status, and its list allows that of a proposal in the next row. */
function isStatusAllowed(log: ReadLog, parts: Parts, { xml, workbook }: LogSheet, lastRow: number): boolean {
  const column = withOwnColumns(log).columnOf('status');
  if (column === null) return false;
  const row = log.dataRows.length > 0 ? lastRow : lastRow + 1;
  const workbookXml = readPart(parts, workbook.workbookPart) ?? '';
  return isAllowedByList(xml, workbookXml, log.grids, { row, column }, PROPOSED_STATUS);
}

/**
 * Writes the text of cells and the new rows into the log's sheet, and adjusts what is tied to rows that moved.
 * @returns how the sheet grew, and a reader of parts that does not unpack the large sheet again
 */
function writeRows(
  log: ReadLog,
  parts: Parts,
  { name, partName, xml }: LogSheet,
  { additions, rows, lastRow }: { additions: readonly PlannedAddition[]; rows: readonly RowValues[]; lastRow: number },
) {
  const before = new Map(parts);
  const own = withOwnColumns(log);
  const cells = rows.map((values) => toCells(own, values));
  const ids = rows.map((values) => values.get('id'));
  const grown = writeAdditions(parts, additions, new Map([[partName, xml]]));
  for (const [part, text] of grown) if (part !== partName) parts.set(part, makeEntry(part, text));
  const patched = patchSheet(
    grown.get(partName) ?? xml,
    { sheet: name, lastRow, columns: columnsOf(log) },
    log.dataRows.length > 0,
    cells,
    countRoomBelow(log, lastRow, ids),
  );
  const entry = makeEntry(partName, patched.xml);
  parts.set(partName, entry);
  const known = new Map([
    [before.get(partName), xml],
    [entry, patched.xml],
  ]);
  const readText: ReadText = (from, part) => known.get(from.get(part)) ?? readPart(from, part) ?? '';
  growNeighbours(parts, partName, patched.growth);
  return { before, cells, patched, readText };
}

/** Has formulas calculated when the workbook is opened. @returns whether it has any */
function recalculate(log: ReadLog, parts: Parts, { replacedFormulas }: PatchedSheet): boolean {
  const hasFormulas = log.grids.some(({ rows }) => rows.some((row) => row?.some((cell) => cell?.formula != null)));
  if (hasFormulas) recalculateOnOpening(parts);
  if (replacedFormulas.length > 0) removeCalculationChain(parts);
  return hasFormulas;
}

/**
 * Writes the planned hazards into a workbook's package and compares the result with the log.
 * @throws HazardFileError damaged_workbook, no_room_below, cells_would_change
 */
export function patchPackage(log: ReadLog, input: MergeInput, plan: MergePlan): MergedFile {
  const parts: Parts = readZipDirectory(input.log.bytes);
  if (plan.hazards.length === 0 && plan.additions.length === 0) return unchanged(input, []);
  const sheet = findLogSheet(log, parts);
  const lastRow = lastRowOfLog(log);
  const statusAllowed = isStatusAllowed(log, parts, sheet, lastRow);
  const { additions, conflicts } = planAdditions(log, plan.additions, statusAllowed);
  const written = layOut(withOwnColumns(log), plan.hazards, statusAllowed, lastRow + 1);
  const hazardRows = written.flatMap((entry) => entry.rows);
  const added = placeAdditions(additions, lastRow + 1 + hazardRows.length);
  if (written.length === 0 && added.length === 0) return unchanged(input, conflicts);
  const rows = [...hazardRows, ...additions.flatMap((entry) => entry.rows)];
  const { before, cells, patched, readText } = writeRows(log, parts, sheet, { additions, rows, lastRow });
  const { growth } = patched;
  const isRecalculated = recalculate(log, parts, patched);
  const isReplaced = (row: number, column: number) =>
    growth.shift === 0 && cells[row - lastRow - 1]?.has(column) === true;
  const grids = gridsWith(log.grids, additions);
  const compare = (since: Parts) => compareSheets(grids, since, parts, growth, isReplaced, readText);
  const compared = compare(before);
  const withRows = new Map(parts);
  const changes = addChangeLog(
    parts,
    log.grids,
    changeLogRows(recordable(written, added, plan), input, statusAllowed),
    (changeLog, changeLogIsNew) =>
      describePatch({
        patched,
        adjusted: countAdjusted(before, parts, readText),
        endingAbove: formulasEndingAt(log.grids, growth),
        isRecalculated,
        compared,
        unchangedSheets: sheet.workbook.sheets.filter(
          ({ name, partName }) => name !== changeLog && parts.get(partName) === before.get(partName),
        ).length,
        changeLog,
        changeLogIsNew,
        grownCells: additions.flatMap((addition) => addition.cells.map(({ cell }) => cell)),
        grownBy: additions.flatMap(({ addition, cells }) => (cells.length > 0 ? [addition.as] : [])),
      }),
  );
  // The Change log of an earlier merge has got rows.
  compare(withRows);
  return { bytes: writeZip(parts.values()), written, added, conflicts, statusAllowed, changes };
}
