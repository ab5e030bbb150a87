import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { unnamedRatings } from './columnChoices.ts';
import { RATINGS } from './columnExamples.ts';
import { SAYS_WHAT, tableCells } from './dataRows.ts';
import type { FoundTable } from './findTable.ts';
import { normaliseHeader } from './headerWords.ts';
import { refIn } from './idForm.ts';
import type { TablePart } from './joinTables.ts';

/** Titles of tables whose ratings are those after controls. */
const AFTER =
  /\b(?:residual|mitigated|after (?:\w+ )?(?:controls?|mitigations?|measures?)|post (?:controls?|mitigation))\b/;
const BEFORE = /\b(?:initial|inherent|unmitigated|before|pre)\b/;

function ratesAfterControls({ grid }: FoundTable): boolean {
  const title = normaliseHeader(`${grid.section ?? ''} ${grid.caption?.text ?? ''} ${grid.name}`);
  return AFTER.test(title) && !BEFORE.test(title);
}

/** Ratings without a word for their phase, as those after controls, where the title says so and no other column has them. */
function afterControls(table: FoundTable): FoundTable {
  if (!ratesAfterControls(table)) return table;
  const has = new Set(table.columns.map(({ canonical }) => canonical));
  const turned = new Map(
    RATINGS.flatMap((rating) => {
      const residual: CanonicalColumn = `residual_${rating}`;
      return has.has(residual) ? [] : unnamedRatings(table, rating).map((column) => [column, residual] as const);
    }),
  );
  return {
    ...table,
    columns: table.columns.map((one) => ({ ...one, canonical: turned.get(one.column) ?? one.canonical })),
  };
}

/** A table whose names begin with ids, “H-01 (wrong dose)”, with the ids as its column of ids. */
function idsOfNames(table: FoundTable): FoundTable {
  const name = table.columns.find(({ canonical }) => canonical === 'name');
  if (!name || table.columns.some(({ canonical }) => canonical === 'id')) return table;
  const first = (table.headerRows.at(-1) ?? 0) + 1;
  const rows = table.grid.rows.map((row, at) => {
    const cell = row?.[name.column];
    if (at < first || !row || !cell?.text.trim()) return row;
    const id = refIn(cell.text);
    return id === null ? null : row.map((one, column) => (column === name.column ? { ...cell, text: id } : one));
  });
  if (rows.includes(null)) return table;
  return {
    ...table,
    grid: { ...table.grid, rows: rows.map((row) => row ?? undefined) },
    columns: table.columns.map((one) => (one === name ? { ...one, canonical: 'id' as const } : one)),
  };
}

/**
 * A table that tells more of the hazards of a log: the ids that its names begin with are its ids, its ratings are those after controls where its title says so, and a
 * row of nothing but an id and ratings counts, where the table has no column for anything else.
 */
export function asDetails(part: TablePart): TablePart {
  const table = idsOfNames(afterControls(part.table));
  const cells = tableCells(table);
  if (part.dataRows.length > 0 || SAYS_WHAT.some((name) => cells.has(name)) || !cells.has('id'))
    return { ...part, table };
  const first = (table.headerRows.at(-1) ?? 0) + 1;
  const rows = Array.from({ length: table.grid.rows.length - first }, (_, at) => first + at);
  return { table, dataRows: rows.filter((row) => cells.text(row, 'id') !== '') };
}
