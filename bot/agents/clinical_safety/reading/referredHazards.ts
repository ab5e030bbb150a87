import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Grid, GridRow } from '../ooxml/sheetScanner.ts';
import { tableCells } from './dataRows.ts';
import { refIn } from './idForm.ts';
import { freeColumn, type Joined, placed, withOrigin } from './joinDetails.ts';
import type { TablePart } from './joinTables.ts';
import { columnWhere, headingsOf, meaningOf, rowsBelow, textAt } from './listedTables.ts';
import { sameId } from './readHazards.ts';

/** This share of the rows of a log has its hazard in the other table. */
const MIN_FOUND = 0.8;

type Register = {
  grid: Grid;
  rowOf: Map<string, number>;
  id: number;
  name: number;
  /** Its further columns that a log may have. */
  more: { canonical: CanonicalColumn; header: string; column: number }[];
};
/** What a list of hazards tells besides their names. */
const MORE = new Set<string>(['description', 'clinical_impact', 'cause'] satisfies CanonicalColumn[]);

/** A table that gives each id once, with a text; null for any other. */
function registerIn(grid: Grid): Register | null {
  const headings = headingsOf(grid);
  if (!headings) return null;
  const columnOf = (...meanings: string[]) => columnWhere(headings, (text) => meanings.includes(meaningOf(text) ?? ''));
  const [id, name] = [columnOf('id'), columnOf('name') ?? columnOf('description')];
  if (id === undefined || name === undefined) return null;
  const rows = rowsBelow(grid, headings.row).filter((row) => textAt(grid, row, id) && textAt(grid, row, name));
  const rowOf = new Map(rows.map((row) => [sameId(textAt(grid, row, id)), row]));
  const more = headings.texts.flatMap(({ text, column }) => {
    const meaning = meaningOf(text) ?? '';
    return column !== name && MORE.has(meaning)
      ? [{ canonical: meaning as CanonicalColumn, header: text, column }]
      : [];
  });
  return rowOf.size === rows.length ? { grid, rowOf, id, name, more } : null;
}

/** The column of a log that names its hazards by their ids elsewhere, with the id of each row; null where none does. */
function refsOf({ table, dataRows }: TablePart): { column: number; refs: Map<number, string> } | null {
  const columnOf = (name: CanonicalColumn) => table.columns.find(({ canonical }) => canonical === name)?.column;
  const named = columnOf('name') ?? columnOf('description');
  const column = named ?? columnOf('id');
  if (column === undefined) return null;
  const refs = new Map(
    dataRows.flatMap((row) => {
      const ref = refIn(textAt(table.grid, row, column));
      return ref === null ? [] : [[row, sameId(ref)] as const];
    }),
  );
  return refs.size === dataRows.length && refs.size > 1 ? { column, refs } : null;
}

/**
 * A log of estimates whose rows name their hazards by ids, as another table of the file lists them: “H-01”, or “H-01
 * (wrong dose)”. Each row gets the name that the list gives, and its id where the log has no column of ids. Ids that
 * several lists give in different words say nothing.
 * @returns null where no single list has the hazards
 */
export function followNames(log: TablePart, grids: readonly Grid[]): Joined | null {
  const found = refsOf(log);
  if (!found) return null;
  const { refs } = found;
  const fitting = grids.flatMap((grid) => {
    const register = grid === log.table.grid || grid.hidden ? null : registerIn(grid);
    const known = register ? [...refs.values()].filter((ref) => register.rowOf.has(ref)).length : 0;
    return register && known >= MIN_FOUND * refs.size ? [register] : [];
  });
  const [register, ...others] = fitting;
  if (!register || others.some((other) => !isSameList(register, other, refs))) return null;
  const { grid } = log.table;
  const named = log.table.columns.find(({ canonical }) => canonical === 'name' || canonical === 'description');
  const hasIds = tableCells(log.table).has('id');
  const first = freeColumn(log.table);
  const [nameAt, idAt] = [named?.column ?? first, first + (named ? 0 : 1)];
  const added = register.more
    .filter(({ canonical }) => !log.table.columns.some((one) => one !== named && one.canonical === canonical))
    .map((one, at) => ({ ...one, from: one.column, column: idAt + 1 + at }));
  const rows: Grid['rows'] = [...grid.rows];
  const taken: GridRow[] = [];
  for (const [row, ref] of refs) {
    const from = register.rowOf.get(ref);
    const copy = placed(log.table, row, Math.max(first, nameAt + 1, idAt + 1));
    const written = copy[found.column];
    const cell = from === undefined ? undefined : register.grid.rows[from]?.[register.name];
    if (cell && from !== undefined) {
      copy[nameAt] = withOrigin(cell, register.grid.name, from, register.name);
      const told = added.map((one) => [one.column, one.from, register.grid.rows[from]?.[one.from]] as const);
      for (const [at, column, more] of told)
        if (more?.text.trim()) copy[at] = withOrigin(more, register.grid.name, from, column);
      taken.push([register.grid.rows[from]?.[register.id], cell, ...told.map(([, , more]) => more)]);
    }
    if (!hasIds && written) copy[idAt] = { ...written, text: refIn(written.text) ?? '', number: null, formula: null };
    rows[row] = copy;
  }
  const header = named?.header ?? 'Hazard';
  const name = { canonical: 'name' as const, header, column: nameAt };
  const id = { canonical: 'id' as const, header, column: idAt };
  const columns = [
    ...log.table.columns.filter((one) => one !== named),
    name,
    ...(hasIds ? [] : [id]),
    ...added.map(({ canonical, header: heading, column }) => ({ canonical, header: heading, column })),
  ];
  return {
    part: { ...log, table: { ...log.table, grid: { ...grid, rows }, columns } },
    read: { ...register.grid, rows: taken },
    remark: `The log names its hazards by ids under “${header}”. What they are called was read from “${register.grid.name}”.`,
  };
}

/** Whether two lists call the hazards of a log the same. */
const isSameList = (one: Register, other: Register, refs: ReadonlyMap<number, string>) => {
  const nameIn = ({ grid, rowOf, name }: Register, ref: string) => textAt(grid, rowOf.get(ref) ?? 0, name);
  return [...refs.values()].every((ref) => nameIn(one, ref) === nameIn(other, ref));
};
