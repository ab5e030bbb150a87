import { type LogShape, RATING_COLUMNS } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { HazardFileError } from '../errors.ts';
import { columnLetters } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { quoted } from './columnExamples.ts';
import { findCountedRuns } from './countedIds.ts';
import { tableCells } from './dataRows.ts';
import { findLog } from './findLog.ts';
import { identifyLog } from './headingKeys.ts';
import { freeColumn, joinDetails } from './joinDetails.ts';
import { joinTables, type TablePart } from './joinTables.ts';
import { linkTables } from './linkedTables.ts';
import { findListedHazards, splitHazard } from './listedHazards.ts';
import type { LogHazard, ReadLog } from './logModel.ts';
import { readModules } from './modules.ts';
import { takeIdsFromNames } from './namedIds.ts';
import { type OpenedFile, openFile } from './openFile.ts';
import { COUNTED_BARE, EACH, LISTED, ONE, pointOf } from './openGroups.ts';
import { choiceOf } from './openPoints.ts';
import { SCALE } from './openScale.ts';
import { isChangeLog } from './ownSheets.ts';
import { findLikelihoodParts, isDetection, likelihoodOfParts, readRatings } from './ratingColumns.ts';
import { groupRows, readHazard, sameId } from './readHazards.ts';
import { readPoints } from './readPoints.ts';
import { readRowsOf } from './records.ts';
import { followNames } from './referredHazards.ts';
import { NO_SCALE_OF_PARTS, readScale } from './scale.ts';
import { DIRECTION, FALLING } from './scaleDirection.ts';
import { findUnread } from './unread.ts';
import { findVersions } from './versions.ts';

/** Names of the sheets that the cells of a grid come from. */
const sheetsOf = ({ rows }: Grid): Set<string> =>
  new Set(rows.flatMap((row) => (row ?? []).flatMap((cell) => cell?.origin?.sheet ?? [])));

function describeJoined(main: TablePart, continuations: readonly TablePart[], isPutTogether: boolean): string[] {
  if (isPutTogether)
    return [
      'The hazards of this file do not stand in rows: each card or column was read as one hazard. A merge writes a new workbook.',
    ];
  if (continuations.length === 0) return [];
  const names = [main, ...continuations].map(({ table }) => `“${table.grid.name}”`);
  return [
    `The log was read from ${names.length} sheets or tables: ${names.join(', ')}. A merge writes into the first.`,
  ];
}

/**
 * Reads a hazard log out of an opened file; null where the file has none.
 * @param settled what a person chose where it can be read in several ways
 */
export function readLogFrom(
  opened: OpenedFile,
  fileName: string,
  settled: readonly SettledPoint[] = [],
): ReadLog | null {
  const found = findLog(opened, settled);
  if (!found) return null;
  const { main, continuations, details, others, isPutTogether } = found;
  const { table } = main;
  let joined = joinTables(main, continuations);
  const told: { read: Grid; remark: string }[] = [];
  const ownColumns = freeColumn(joined.table);
  const referred = isPutTogether ? null : followNames(joined, opened.grids);
  if (referred) {
    joined = referred.part;
    told.push(referred);
  }
  for (const more of details) {
    const all = joinDetails(joined, more, ownColumns);
    if (!all) continue;
    joined = all.part;
    told.push(all);
  }
  const cells = tableCells(joined.table);
  const { dataRows } = joined;
  const [firstHeader = 1] = table.headerRows;
  const log = { grid: table.grid, first: firstHeader, last: main.dataRows.at(-1) ?? firstHeader };
  const factors = findLikelihoodParts(table);
  const scale =
    factors.initial || factors.residual
      ? NO_SCALE_OF_PARTS
      : readScale(
          opened.grids,
          readRatings(cells, dataRows),
          log,
          table.unmatched.some(isDetection),
          choiceOf(settled, SCALE),
        );
  const { matrix } = scale;
  // Found when first asked for: a merge does not ask.
  let foundPoints: ReturnType<typeof readPoints> | undefined;
  const points = () => {
    foundPoints ??= readPoints({ main, cells, dataRows, scale, lists: lists.found, runs: counted }, settled);
    return foundPoints;
  };
  const isFalling = choiceOf(settled, DIRECTION) === FALLING;
  const likelihoodOf: ReadLog['likelihoodOf'] = (row, phase) =>
    cells.text(row, `${phase}_likelihood`) || likelihoodOfParts(joined.table, factors, row, phase);
  const source = { ...cells, matrix, table, isFalling, likelihoodOf };
  const modules = readModules(source, dataRows);
  // A record is a hazard of its own, also where it names none.
  const counted = isPutTogether || modules ? [] : readCounted(source, dataRows, settled);
  const heads = new Map(
    counted.flatMap(({ rows, isOne }) => (isOne ? rows.slice(1).map((row) => [row, rows[0] ?? row] as const) : [])),
  );
  const groups = isPutTogether ? dataRows.map((row) => [row]) : groupRows(source, dataRows, modules, heads);
  const lists = readLists(source, groups, settled);
  const listAt = new Map(lists.choice === EACH ? lists.found.map((list) => [list.row, list]) : []);
  const read = groups.flatMap((rows) => {
    const hazard = readHazard(source, rows);
    const list = listAt.get(rows[0] ?? 0);
    return list ? splitHazard(hazard, list) : [hazard];
  });
  const hazards = cells.has('id') ? read : takeIdsFromNames(read);
  const parts = [main, ...continuations];
  const linked = isPutTogether
    ? []
    : linkTables(
        main,
        opened.grids.filter(
          // A table that looks like a log is another version of it.
          (grid) =>
            !isChangeLog(grid) &&
            !grid.hidden &&
            ![...others, ...parts.map((part) => part.table.grid.name)].includes(grid.name),
        ),
        hazards,
      );
  const readRows = new Set(
    [isPutTogether ? [table.grid] : [], told.map(({ read }) => read)].flat().flatMap((grid) => [...readRowsOf(grid)]),
  );
  const ids = new Set(hazards.map(({ id }) => sameId(id)));
  for (const hazard of hazards) hazard.ticketKeys = hazard.ticketKeys.filter((key) => !ids.has(sameId(key)));
  const headerEnd = table.headerRows.at(-1) ?? 0;
  const versions = findVersions(fileName, opened.grids, table.grid);
  const shape: LogShape = {
    fileName,
    format: opened.format,
    sheet: table.grid.name,
    headerRows: table.headerRows,
    firstDataRow: main.dataRows[0] ?? headerEnd + 1,
    lastDataRow: main.dataRows.at(-1) ?? headerEnd,
    layout: dataRows.length === 0 ? 'empty' : hazards.some(({ rowNumbers }) => rowNumbers.length > 1) ? 'long' : 'wide',
    columns: table.columns.map(({ canonical, header, column }) => ({
      canonical,
      header,
      column: columnLetters(column),
    })),
    unmatched: table.unmatched.map(({ header, column }) => ({ header, column: columnLetters(column) })),
    rowCount: dataRows.length,
    matrix,
    versions,
    ...(settled.length > 0 ? { settled: [...settled] } : {}),
    get remarks() {
      return [
        ...opened.remarks,
        ...points().remarks,
        ...describeJoined(main, continuations, isPutTogether),
        ...told.map(({ remark }) => remark),
        ...linked.map(({ remark }) => remark),
        ...describeNotInPlace(hazards),
        ...describeOddities(opened, others, dataRows, source),
      ];
    },
  };
  const sheets = isPutTogether ? sheetsOf(table.grid) : new Set(continuations.map((part) => part.table.grid.name));
  const whole = { table: joined.table, sheets };
  const identity = identifyLog(table);
  return {
    fileName,
    shape,
    findUnread: () =>
      findUnread({
        grids: opened.grids,
        text: opened.text ?? null,
        parts,
        linked: new Map(linked.map(({ sheet, gives }) => [sheet, gives])),
        readRows,
        hazards,
        matrix,
        versions,
        others,
        read: new Set(Object.values(factors).flat()),
      }),
    grids: opened.grids,
    dataRows,
    hazards,
    isPutTogether,
    whole,
    get openPoints() {
      return points().openPoints;
    },
    get doubts() {
      return points().doubts;
    },
    modules,
    counted,
    lists,
    identity,
    ...source,
  };
}

/**
 * Reads a hazard log whatever file it came in.
 * @param settled what a person chose where it can be read in several ways
 * @throws HazardFileError
 */
export async function readLog(
  bytes: Uint8Array,
  fileName: string,
  settled: readonly SettledPoint[] = [],
): Promise<ReadLog> {
  const log = readLogFrom(await openFile(bytes, fileName), fileName, settled);
  if (!log)
    throw new HazardFileError(
      'not_a_hazard_log',
      'No hazard log was found in this file: no sheet has a heading row that names hazards with their causes, effects, controls or ratings. Check that it is the right file.',
    );
  return log;
}

type Cells = ReturnType<typeof tableCells>;

/** Runs of ids that count up. While nobody has said, a run is one hazard where its further rows say nothing of their own. */
function readCounted(cells: Cells, dataRows: readonly number[], settled: readonly SettledPoint[]): ReadLog['counted'] {
  return findCountedRuns(cells, dataRows).map((run) => {
    const choice = choiceOf(settled, pointOf(run)) ?? (pointOf(run) === COUNTED_BARE ? ONE : EACH);
    return { ...run, isOne: choice === ONE };
  });
}

function readLists(cells: Cells, groups: readonly number[][], settled: readonly SettledPoint[]): ReadLog['lists'] {
  const choice = choiceOf(settled, LISTED);
  return { found: findListedHazards(cells, groups), choice: choice === EACH || choice === ONE ? choice : null };
}

const MAX_NAMED_CONTROLS = 4;

function describeNotInPlace(hazards: readonly LogHazard[]): string[] {
  const all = hazards.flatMap(({ id, notInPlace = [] }) => notInPlace.map((control) => ({ id, ...control })));
  if (all.length === 0) return [];
  const named = all
    .slice(0, MAX_NAMED_CONTROLS)
    .map(({ id, text, status }) => `“${quoted(text)}” of ${id} (${status})`);
  const more = all.length > MAX_NAMED_CONTROLS ? ` and ${all.length - MAX_NAMED_CONTROLS} more` : '';
  return [`Not counted as controls, because their status says that they are not in place: ${named.join(', ')}${more}.`];
}

function describeOddities(
  opened: OpenedFile,
  others: string[],
  dataRows: number[],
  cells: Pick<ReadLog, 'has' | 'text' | 'likelihoodOf'>,
): string[] {
  const remarks: string[] = [];
  const list = (names: string[]) => names.map((name) => `“${name}”`).join(', ');
  if (others.length > 0) remarks.push(`Other sheets look like hazard logs too and were not read: ${list(others)}.`);
  const hidden = opened.grids.filter((grid) => grid.hidden).map(({ name }) => name);
  if (hidden.length > 0) remarks.push(`Hidden ${hidden.length === 1 ? 'sheet' : 'sheets'}: ${list(hidden)}.`);
  if (dataRows.length === 0)
    remarks.push('The log has its headings but no hazards yet. Proposals from tickets can still be made.');
  const isRated = (row: number) =>
    RATING_COLUMNS.some((name) => cells.has(name) && cells.text(row, name)) ||
    cells.likelihoodOf(row, 'initial') !== '';
  if (dataRows.length > 0 && !dataRows.some(isRated))
    remarks.push('No ratings were read: no severity, likelihood or risk was found for any hazard.');
  return remarks;
}
