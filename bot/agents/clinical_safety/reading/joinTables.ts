import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell, GridRow } from '../ooxml/sheetScanner.ts';
import { findDataRows, tableCells } from './dataRows.ts';
import type { FoundTable } from './findTable.ts';
import { sameId, sameName } from './readHazards.ts';

/** A table of the file with the rows of its hazards. */
export type TablePart = { table: FoundTable; dataRows: number[] };

/** Sheets that explain the log, or keep an older one. */
const NOT_THE_LOG =
  /template|blank|empty form|vorlage|muster|beispiel|modèle|exemple|sjabloon|voorbeeld|modello|esempio|plantilla|ejemplo|mall\b|eksempel|example|guid|how|instruction|history|change log|old\b|copy|backup/i;
/** Tables that go on with the log have this share of its columns at least. */
const MIN_SHARED = 0.6;
const MIN_SHARED_COLUMNS = 3;

/** Whether a table belongs to the log as it is today: neither hidden, nor a template, a guide or an older version. */
export const isOfToday = ({ table: { grid } }: TablePart): boolean => !grid.hidden && !NOT_THE_LOG.test(grid.name);

export const partOf = (table: FoundTable): TablePart => ({ table, dataRows: findDataRows(table, tableCells(table)) });

const kindsOf = ({ columns }: FoundTable) => new Set(columns.map(({ canonical }) => canonical));

/** What distinguishes the hazards of a part: their ids, or their names where there are none. */
export function keysOf({ table, dataRows }: TablePart): { ids: Set<string>; names: Set<string> } {
  const cells = tableCells(table);
  const filled = (texts: string[]) => new Set(texts.filter(Boolean));
  return {
    ids: filled(dataRows.map((row) => sameId(cells.text(row, 'id')))),
    names: filled(dataRows.map((row) => sameName(cells.text(row, 'name') || cells.text(row, 'description')))),
  };
}

/**
 * The other tables of a file that continue its log: with the same columns, and hazards of their own. A table that
 * repeats an id of the log (or a name, where there are no ids) is another version of it, or refers to it.
 */
export function findContinuations(main: TablePart, others: readonly TablePart[]): TablePart[] {
  if (others.length === 0) return [];
  const kinds = kindsOf(main.table);
  const known = keysOf(main);
  return others.filter((other) => {
    if (other.dataRows.length === 0 || !isOfToday(other)) return false;
    const own = kindsOf(other.table);
    const shared = [...own].filter((kind) => kinds.has(kind)).length;
    if (shared < MIN_SHARED_COLUMNS || shared < MIN_SHARED * Math.min(own.size, kinds.size)) return false;
    const { ids, names } = keysOf(other);
    const [theirs, ours] = ids.size > 0 && known.ids.size > 0 ? [ids, known.ids] : [names, known.names];
    if ([...theirs].some((key) => ours.has(key))) return false;
    for (const id of ids) known.ids.add(id);
    for (const name of names) known.names.add(name);
    return true;
  });
}

/** Columns with a key each: of controls a table may have several with one meaning. */
function numbered<Column extends { canonical: CanonicalColumn }>(columns: readonly Column[]) {
  const times = new Map<CanonicalColumn, number>();
  return columns.map((column) => {
    const count = (times.get(column.canonical) ?? 0) + 1;
    times.set(column.canonical, count);
    return { ...column, key: `${column.canonical}#${count}`, isFirst: count === 1 };
  });
}

/**
 * The log and its continuations as one table: their rows stand below the log's, in its columns, and each cell knows
 * where it comes from.
 */
export function joinTables(main: TablePart, continuations: readonly TablePart[]): TablePart {
  if (continuations.length === 0) return main;
  const { grid } = main.table;
  const columns = [...main.table.columns];
  const columnOf = new Map<string, number>();
  for (const { key, column } of numbered(columns)) columnOf.set(key, column);
  const widest = grid.rows.reduce((most, row) => Math.max(most, row?.length ?? 0), 1);
  let free = Math.max(widest, ...main.table.unmatched.map(({ column }) => column + 1));
  const rows: Grid['rows'] = [...grid.rows];
  const dataRows = [...main.dataRows];
  for (const { table, dataRows: theirs } of continuations) {
    const cells = tableCells(table);
    const own = numbered(table.columns);
    for (const { key, canonical, header, part } of own) {
      if (columnOf.has(key)) continue;
      columnOf.set(key, free);
      columns.push({ canonical, header, column: free, ...(part === undefined ? {} : { part }) });
      free += 1;
    }
    for (const row of theirs) {
      const copy: GridRow = [];
      for (const { key, canonical, column: from, isFirst, part } of own) {
        const cell = isFirst && part === undefined ? cells.cell(row, canonical) : table.grid.rows[row]?.[from];
        const column = columnOf.get(key);
        const place = isFirst ? cells.place(row, canonical) : { sheet: table.grid.name, cell: cellAddress(row, from) };
        if (cell && column) copy[column] = copied(cell, place);
      }
      rows.push(copy);
      dataRows.push(rows.length - 1);
    }
  }
  return { table: { ...main.table, grid: { ...grid, rows }, columns }, dataRows };
}

/** A cell elsewhere. Its formula counts from where it stood, so it is left behind. */
const copied = (cell: GridCell, origin: NonNullable<GridCell['origin']>): GridCell => ({
  ...cell,
  formula: null,
  origin: cell.origin ?? origin,
});
