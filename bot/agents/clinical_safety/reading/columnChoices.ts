import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import type { FoundTable } from './findTable.ts';
import { headingKeys } from './headingKeys.ts';
import { choiceOf } from './openPoints.ts';

/** The point of whether the columns further left rate the risk before controls. */
export const PHASES = 'phases';
export const FIRST_INITIAL = 'first-initial';
export const FIRST_RESIDUAL = 'first-residual';
/** The candidate that reads nothing from a column. */
export const NOT_READ = 'none';
/** Ids of points: which column has a role, and which role a column has. */
export const columnPoint = (role: CanonicalColumn) => `column:${role}`;
export const meaningPoint = (heading: string) => `meaning:${heading}`;

type Column = FoundTable['columns'][number];

/** The columns of the rating that come without a word for before or after controls. */
export const unnamedRatings = ({ matches }: FoundTable, rating: string): number[] =>
  matches
    .filter(({ meaning, phase }) => meaning === rating && phase === null)
    .map(({ column }) => column)
    .sort((one, other) => one - other);

/** Gives a column a role; whatever had the role has none then. */
function giveRole(columns: readonly Column[], all: ReadonlyMap<number, string>, role: CanonicalColumn, column: number) {
  const header = all.get(column);
  return header === undefined
    ? [...columns]
    : [
        ...columns.filter((one) => one.canonical !== role && one.column !== column),
        { canonical: role, header, column },
      ];
}

const isRole = (text: string): text is CanonicalColumn => text !== NOT_READ;

const otherPhase = (canonical: CanonicalColumn) =>
  (canonical.startsWith('initial_')
    ? canonical.replace('initial_', 'residual_')
    : canonical.replace('residual_', 'initial_')) as CanonicalColumn;

/** A table with its columns as a person chose. Choices whose headings it does not have change nothing. */
export function applyColumnChoices(table: FoundTable, settled: readonly SettledPoint[]): FoundTable {
  const keys = headingKeys(table);
  const columnOf = new Map([...keys].map(([column, key]) => [key, column]));
  const headers = new Map([...table.columns, ...table.unmatched].map(({ column, header }) => [column, header]));
  const unnamed = new Set(['severity', 'likelihood', 'risk'].flatMap((rating) => unnamedRatings(table, rating)));
  let columns: Column[] = [...table.columns];
  if (choiceOf(settled, PHASES) === FIRST_RESIDUAL)
    columns = columns.map((one) => (unnamed.has(one.column) ? { ...one, canonical: otherPhase(one.canonical) } : one));
  for (const { point, choice } of settled) {
    if (choice === null) continue;
    const [kind = '', ...rest] = point.split(':');
    const name = rest.join(':');
    if (kind === 'column' && choice === NOT_READ) columns = columns.filter(({ canonical }) => canonical !== name);
    const column = columnOf.get(kind === 'column' ? choice : name);
    if (column === undefined) continue;
    if (kind === 'column') columns = giveRole(columns, headers, name as CanonicalColumn, column);
    if (kind === 'meaning')
      columns = isRole(choice)
        ? giveRole(columns, headers, choice, column)
        : columns.filter((one) => one.column !== column);
  }
  const taken = new Set(columns.map(({ column }) => column));
  const unmatched = [...headers].flatMap(([column, header]) => (taken.has(column) ? [] : [{ column, header }]));
  return {
    ...table,
    columns: columns.sort((one, other) => one.column - other.column),
    unmatched: unmatched.sort((one, other) => one.column - other.column),
  };
}

/** The roles whose chosen column a table no longer has, with its heading. */
export function findLostRoles(
  table: FoundTable,
  settled: readonly SettledPoint[],
): { role: CanonicalColumn; heading: string }[] {
  const known = new Set(headingKeys(table).values());
  return settled.flatMap(({ point, choice }) => {
    if (!point.startsWith('column:') || choice === null || choice === NOT_READ || known.has(choice)) return [];
    const role = point.slice('column:'.length) as CanonicalColumn;
    return [{ role, heading: choice.replace(/#\d+$/, '') }];
  });
}
