import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell, GridRow } from '../ooxml/sheetScanner.ts';
import { tableCells } from './dataRows.ts';
import { keysOf, type TablePart } from './joinTables.ts';
import { sameId, sameName } from './readHazards.ts';

/** This share of a log's ids has its details, and this share of the details has an id of the log. */
const MIN_TOLD = 0.5;
const MIN_KNOWN = 0.8;
/** What details are read for. */
const TOLD = new Set<CanonicalColumn>([
  ...(['description', 'clinical_impact', 'cause', 'existing_controls', 'control_text', 'control_design'] as const),
  ...(['initial_severity', 'initial_likelihood', 'initial_risk'] as const),
  ...(['residual_severity', 'residual_likelihood', 'residual_risk', 'status', 'owner', 'rationale'] as const),
]);

/** A log with what was taken from elsewhere in its file. */
export type Joined = {
  part: TablePart;
  /** The cells that were taken, as rows of a grid. */
  read: Grid;
  remark: string;
};

/** The rows of a part by id; null where two rows have one, or a row has none. */
function rowsById({ table, dataRows }: TablePart): Map<string, number> | null {
  const cells = tableCells(table);
  const rows = new Map(dataRows.map((row) => [sameId(cells.text(row, 'id')), row]));
  return rows.size === dataRows.length && !rows.has('') ? rows : null;
}

const nameAt = ({ table }: TablePart, row: number) => {
  const cells = tableCells(table);
  return sameName(cells.text(row, 'name') || cells.text(row, 'description'));
};

/** The share of the hazards with a name on both sides whose names have words in common; 1 where none has. */
function namedAlike(
  log: TablePart,
  own: ReadonlyMap<string, number>,
  details: TablePart,
  theirs: ReadonlyMap<string, number>,
): number {
  let [named, alike] = [0, 0];
  for (const [id, row] of theirs) {
    const at = own.get(id);
    const [one, other] = [at === undefined ? '' : nameAt(log, at), nameAt(details, row)];
    if (!one || !other) continue;
    named += 1;
    const words = new Set(one.split(' ').filter((word) => word.length > 3));
    if (one === other || other.split(' ').some((word) => words.has(word))) alike += 1;
  }
  return named === 0 ? 1 : alike / named;
}

/**
 * A log whose table is a register, with the details of its hazards by their ids elsewhere in the file: a section or a
 * card for each, or a summary. What the register has no column for is taken from there, and each cell knows where it
 * comes from; what it has a column for stays as it is. A column that came from elsewhere is filled where it is blank.
 * @param ownColumns the first column that is none of the log's own
 * @returns null where the details are those of other hazards, or say nothing new
 */
export function joinDetails(log: TablePart, details: TablePart, ownColumns = freeColumn(log.table)): Joined | null {
  const [own, theirs] = [rowsById(log), rowsById(details)];
  if (!own || !theirs) return null;
  const { ids } = keysOf(log);
  const known = [...theirs.keys()].filter((id) => own.has(id)).length;
  if (known < MIN_KNOWN * theirs.size || known < MIN_TOLD * ids.size) return null;
  if (namedAlike(log, own, details, theirs) < MIN_KNOWN) return null;
  const columnOf = new Map(log.table.columns.map(({ canonical, column }) => [canonical, column]));
  const told = details.table.columns.filter(({ canonical }) => TOLD.has(canonical));
  const added = told.filter(({ canonical }) => !columnOf.has(canonical));
  const filled = told.filter(({ canonical }) => (columnOf.get(canonical) ?? -1) >= ownColumns);
  if (added.length + filled.length === 0) return null;
  const { grid } = log.table;
  const first = freeColumn(log.table);
  const rows: Grid['rows'] = [...grid.rows];
  const taken: GridRow[] = [];
  for (const [id, row] of own) {
    const from = theirs.get(id);
    if (from === undefined) continue;
    const copy = placed(log.table, row, first);
    for (const [at, { column }] of added.entries()) {
      const cell = details.table.grid.rows[from]?.[column];
      if (cell?.text.trim()) copy[first + at] = withOrigin(cell, details.table.grid.name, from, column);
    }
    for (const { canonical, column } of filled) {
      const [at, cell] = [columnOf.get(canonical) ?? 0, details.table.grid.rows[from]?.[column]];
      if (cell?.text.trim() && !copy[at]?.text.trim())
        copy[at] = withOrigin(cell, details.table.grid.name, from, column);
    }
    rows[row] = copy;
    // The line with the id and those of the columns that were taken.
    const shown = new Set([
      ...added,
      ...filled,
      ...details.table.columns.filter(({ canonical }) => NAMED.has(canonical)),
    ]);
    taken.push([...shown].map(({ column }) => details.table.grid.rows[from]?.[column]));
  }
  const columns = [...log.table.columns, ...added.map((one, at) => ({ ...one, column: first + at }))];
  return {
    part: { ...log, table: { ...log.table, grid: { ...grid, rows }, columns } },
    read: { ...details.table.grid, rows: taken },
    remark: `What the log has no column for was read from “${details.table.grid.name}” by the ids of the hazards: ${[...added, ...filled].map(({ header }) => `“${header}”`).join(', ')}.`,
  };
}

/** The first column of a table's grid with nothing in it, nor to the right of it. */
export function freeColumn({ grid, columns, unmatched }: TablePart['table']): number {
  const widest = grid.rows.reduce((most, row) => Math.max(most, row?.length ?? 0), 1);
  return Math.max(widest, ...[...columns, ...unmatched].map(({ column }) => column + 1));
}

/** A row of the log with the place of each cell, also of blank ones: the row is to hold cells of elsewhere as well. */
export function placed({ grid, headerRows }: TablePart['table'], row: number, width: number): GridRow {
  const headerEnd = headerRows.at(-1) ?? 0;
  // A blank cell below a merged one says what that says.
  const isMerged = grid.merges.some(({ top, bottom }) => top > headerEnd && top <= row && row <= bottom);
  return Array.from({ length: width }, (_, column): GridCell | undefined => {
    const cell = grid.rows[row]?.[column];
    if (column === 0 || (!cell && isMerged)) return cell;
    const origin = cell?.origin ?? { sheet: grid.name, cell: cellAddress(row, column) };
    return { ...(cell ?? { text: '', number: null, formula: null }), origin };
  });
}
const NAMED = new Set<CanonicalColumn>(['id', 'name']);

/** A cell taken from a place elsewhere in the file. Its formula counts from where it stood, so it is left behind. */
export const withOrigin = (cell: GridCell, sheet: string, row: number, column: number): GridCell => ({
  ...cell,
  formula: null,
  origin: cell.origin ?? { sheet, cell: cellAddress(row, column) },
});
