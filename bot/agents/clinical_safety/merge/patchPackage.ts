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
import { type NewRow, patchSheet } from './patchSheet.ts';
import { gridsWith, planAdditions } from './planAdditions.ts';
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

/**
 * Writes the planned hazards into a workbook's package and compares the result with the log.
 * @throws HazardFileError damaged_workbook, no_room_below, cells_would_change
 */
export function patchPackage(log: ReadLog, input: MergeInput, plan: MergePlan): MergedFile {
  const parts: Parts = readZipDirectory(input.log.bytes);
  const nothing = (conflicts: MergeConflict[]): MergedFile => ({
    bytes: input.log.bytes.slice(),
    ...{ written: [], added: [], conflicts, statusAllowed: false, changes: [NOTHING_WRITTEN] },
  });
  if (plan.hazards.length === 0 && plan.additions.length === 0) return nothing([]);
  const workbook = readWorkbookParts(parts);
  const sheet = workbook.sheets.find(({ name }) => name === log.shape.sheet);
  const xml = sheet ? readPart(parts, sheet.partName) : null;
  if (!sheet || xml === null)
    throw new HazardFileError(
      'damaged_workbook',
      'The log’s sheet is no longer in the workbook. Analyse the log again.',
    );
  const statusColumn = log.columnOf('status');
  const lastRow = lastRowOfLog(log);
  const hasData = log.dataRows.length > 0;
  const statusAllowed =
    statusColumn !== null &&
    isAllowedByList(
      xml,
      readPart(parts, workbook.workbookPart) ?? '',
      log.grids,
      { row: hasData ? lastRow : lastRow + 1, column: statusColumn },
      PROPOSED_STATUS,
    );
  const { additions, conflicts } = planAdditions(log, plan.additions, statusAllowed);
  const written = layOut(log, plan.hazards, statusAllowed, lastRow + 1);
  const hazardRows = written.flatMap((entry) => entry.rows);
  const added = placeAdditions(additions, lastRow + 1 + hazardRows.length);
  if (written.length === 0 && added.length === 0) return nothing(conflicts);
  const rows = [...hazardRows, ...additions.flatMap((entry) => entry.rows)];
  const cells = rows.map((values) => toCells(log, values));
  const ids = rows.map((values) => values.get('id'));
  const place = { sheet: sheet.name, lastRow, columns: columnsOf(log) };
  const before = new Map(parts);
  const grown = writeAdditions(parts, additions, new Map([[sheet.partName, xml]]));
  for (const [name, text] of grown) if (name !== sheet.partName) parts.set(name, makeEntry(name, text));
  const patched = patchSheet(
    grown.get(sheet.partName) ?? xml,
    place,
    hasData,
    cells,
    countRoomBelow(log, lastRow, ids),
  );
  const { growth, replacedFormulas } = patched;
  const entry = makeEntry(sheet.partName, patched.xml);
  parts.set(sheet.partName, entry);
  // The log's sheet is large, so it is not unpacked again.
  const known = new Map([
    [before.get(sheet.partName), xml],
    [entry, patched.xml],
  ]);
  const readText: ReadText = (from, name) => known.get(from.get(name)) ?? readPart(from, name) ?? '';
  growNeighbours(parts, sheet.partName, growth);
  const hasFormulas = log.grids.some(({ rows: all }) => all.some((row) => row?.some((cell) => cell?.formula != null)));
  if (hasFormulas) recalculateOnOpening(parts);
  if (replacedFormulas.length > 0) removeCalculationChain(parts);
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
        isRecalculated: hasFormulas,
        compared,
        unchangedSheets: workbook.sheets.filter(
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
