import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { FoundTable } from './findTable.ts';
import { type Example, MAX_EXAMPLES, type OpenPoint } from './openPoints.ts';

/** A table with the rows of its hazards. */
export type Part = { table: FoundTable; dataRows: readonly number[] };

/** The ratings that come before and after controls. */
export const RATINGS = ['severity', 'likelihood', 'risk'] as const;

/** A point about columns, with the columns that stay in doubt while nobody has settled it. */
export type ColumnPoint = OpenPoint & { columns: CanonicalColumn[] };

/** What people call the roles that are asked about. */
const ROLES: Partial<Record<CanonicalColumn, string>> = {
  id: 'the hazard’s id',
  name: 'the hazard’s name',
  cause: 'the cause',
  clinical_impact: 'the effect',
  initial_severity: 'the severity before controls',
  initial_likelihood: 'the likelihood before controls',
  initial_risk: 'the risk before controls',
  residual_severity: 'the severity after controls',
  residual_likelihood: 'the likelihood after controls',
  residual_risk: 'the risk after controls',
};
/** What people call a role. */
export const nameOfRole = (role: CanonicalColumn) => ROLES[role] ?? role.replaceAll('_', ' ');
export const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The text of a cell, trimmed. */
export const textAt = ({ grid }: FoundTable, row: number, column: number) =>
  grid.rows[row]?.[column]?.text.trim() ?? '';
/** The heading of a column. */
export const headerOf = ({ columns, unmatched }: FoundTable, column: number) =>
  [...columns, ...unmatched].find((one) => one.column === column)?.header ?? '';

/** Where a cell stands in the file. */
const placeOf = ({ grid }: FoundTable, row: number, column: number) =>
  grid.rows[row]?.[column]?.origin ?? { sheet: grid.name, cell: cellAddress(row, column) };

/** The longest quote of one cell. */
const MAX_QUOTE = 120;
/** A cell word for word, shortened. */
export const quoted = (text: string) => (text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE - 1)}…` : text);

/** Rows that show several columns, each cell word for word under its heading. */
export function examplesOf(
  table: FoundTable,
  rows: readonly number[],
  columns: readonly number[],
  gives: (row: number) => string,
): Example[] {
  return rows.slice(0, MAX_EXAMPLES).map((row) => ({
    title: `Row ${row}`,
    gives: gives(row),
    quote: columns
      .map((column) => `${headerOf(table, column)}: ${quoted(textAt(table, row, column)) || '–'}`)
      .join(' · '),
    place: placeOf(table, row, columns[0] ?? 1),
  }));
}
