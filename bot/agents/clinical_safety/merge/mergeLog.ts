import { makeEntry, readPart, readZipDirectory, writeZip, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import { readWorkbookParts } from '../ooxml/workbookParts.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { readLog } from '../reading/readLog.ts';
import type { MergeInput, MergeOutput } from '../worker/jobs.ts';
import { addChangeLog } from './addChangeLog.ts';
import { changeLogRows, type Recordable, readRecorded } from './changeLog.ts';
import { describeNewWorkbook, describePatch, NOTHING_WRITTEN } from './describeMerge.ts';
import { growNeighbours } from './neighbours.ts';
import { writeNewWorkbook } from './newWorkbook.ts';
import { type NewRow, patchSheet } from './patchSheet.ts';
import { planMerge } from './plan.ts';
import { countRoomBelow } from './roomBelow.ts';
import { PROPOSED_STATUS, type RowValues, rowsFor } from './rowValues.ts';
import type { MergePlan, PlannedHazard } from './settled.ts';
import { isAllowedByList } from './statusList.ts';

/** "log.xls" becomes "log-merged.xlsx"; a workbook with macros stays .xlsm. */
function mergedFileName(fileName: string, format: string): string {
  const base = fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '').replace(/-merged(?:-\d+)?$/, '');
  return `${base}-merged.${format === 'xlsm' ? 'xlsm' : 'xlsx'}`;
}

type Written = { hazard: PlannedHazard; rows: RowValues[]; firstRow: number };

function layOut(log: ReadLog, hazards: PlannedHazard[], statusAllowed: boolean, firstRow: number): Written[] {
  let next = firstRow;
  return hazards.map((hazard) => {
    const rows = rowsFor(log, hazard, statusAllowed);
    const written = { hazard, rows, firstRow: next };
    next += rows.length;
    return written;
  });
}

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
 * Writes accepted proposals into the log and reports conflicts with changes since the analysis. An Excel workbook is
 * patched: rows and a Change log are added, and unaffected parts stay byte-identical. For any other format a new
 * workbook is written. Deterministic: the same input gives the same bytes.
 * @throws HazardFileError
 */
export async function mergeLog(input: MergeInput): Promise<MergeOutput> {
  const { bytes, fileName } = input.log;
  const log = await readLog(bytes, fileName);
  const plan = planMerge(log, input, readRecorded(log.grids));
  const { conflicts } = plan;
  const isPatched = !log.isPutTogether && (log.shape.format === 'xlsx' || log.shape.format === 'xlsm');
  const output = isPatched ? patchPackage(log, input, plan) : await writeAnew(log, input, plan);
  return {
    statusWritten: output.statusAllowed ? 'column' : 'change-log',
    bytes: output.bytes,
    fileName: mergedFileName(fileName, log.shape.format),
    conflicts,
    changes: output.changes,
    merged: output.written.map(({ hazard, firstRow }) => ({
      id: hazard.proposal.id,
      hazardId: hazard.hazardId,
      sheet: isPatched ? log.shape.sheet : 'Hazard log',
      row: firstRow,
    })),
  };
}

type Output = {
  bytes: Uint8Array<ArrayBuffer>;
  written: Written[];
  statusAllowed: boolean;
  changes: string[];
};

/** The decisions for the Change log: written hazards first, then rejected proposals. */
const recordable = (written: Written[], { rejected }: MergePlan): Recordable[] => [
  ...written.map(({ hazard, firstRow }) => ({
    ...hazard,
    written: { hazardId: hazard.hazardId, row: firstRow },
  })),
  ...rejected.map((settled) => ({ ...settled, written: null })),
];

function patchPackage(log: ReadLog, input: MergeInput, plan: MergePlan): Output {
  const { hazards } = plan;
  const parts: Map<string, ZipEntry> = readZipDirectory(input.log.bytes);
  if (hazards.length === 0)
    return { bytes: writeZip(parts.values()), written: [], statusAllowed: false, changes: [NOTHING_WRITTEN] };
  const workbook = readWorkbookParts(parts);
  const sheet = workbook.sheets.find(({ name }) => name === log.shape.sheet);
  const xml = sheet ? readPart(parts, sheet.partName) : null;
  if (!sheet || xml === null)
    throw new HazardFileError(
      'damaged_workbook',
      'The log’s sheet is no longer in the workbook. Analyse the log again.',
    );
  const statusColumn = log.columnOf('status');
  const { lastDataRow } = log.shape;
  const statusAllowed =
    statusColumn !== null &&
    isAllowedByList(
      xml,
      readPart(parts, workbook.workbookPart) ?? '',
      log.grids,
      { row: log.dataRows.length > 0 ? lastDataRow : lastDataRow + 1, column: statusColumn },
      PROPOSED_STATUS,
    );
  const written = layOut(log, hazards, statusAllowed, lastDataRow + 1);
  const rows = written.flatMap((entry) => entry.rows);
  const patched = patchSheet(
    xml,
    log.shape.sheet,
    lastDataRow,
    log.dataRows.length > 0,
    rows.map((values) => toCells(log, values)),
    countRoomBelow(
      log,
      lastDataRow,
      rows.map((values) => values.get('id')),
    ),
  );
  const before = new Map(parts);
  parts.set(sheet.partName, makeEntry(sheet.partName, patched.xml));
  growNeighbours(parts, sheet.partName, patched.growth);
  const moved = workbook.sheets.filter(
    ({ partName }) => partName !== sheet.partName && parts.get(partName) !== before.get(partName),
  );
  const changes = addChangeLog(
    parts,
    log.grids,
    changeLogRows(recordable(written, plan), input, statusAllowed),
    (changeLog, changeLogIsNew) =>
      describePatch({
        patched,
        sheet: log.shape.sheet,
        formulasMovedIn: moved.map(({ name }) => name),
        changeLog,
        changeLogIsNew,
      }),
  );
  return { bytes: writeZip(parts.values()), written, statusAllowed, changes };
}

async function writeAnew(log: ReadLog, input: MergeInput, plan: MergePlan): Promise<Output> {
  const statusAllowed = log.has('status');
  const header = log.table.headerRows.at(-1) ?? 1;
  // The new workbook has its headings in row 1.
  const joined = log.whole.table.grid.rows.length - log.table.grid.rows.length;
  const written = layOut(log, plan.hazards, statusAllowed, log.shape.lastDataRow - header + 2 + joined);
  const changes = changeLogRows(recordable(written, plan), input, statusAllowed);
  return {
    bytes: await writeNewWorkbook(
      log,
      written.flatMap(({ rows }) => rows),
      changes,
    ),
    written,
    statusAllowed,
    changes: describeNewWorkbook(log),
  };
}
