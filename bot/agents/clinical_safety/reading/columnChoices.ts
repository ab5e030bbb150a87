import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import type { FoundTable } from './findTable.ts';
import { headingKeys } from './headingKeys.ts';
import { choiceOf } from './openPoints.ts';

/** The point of whether the columns further left rate the risk before controls. */
export const PHASES = 'phases';
export const FIRST_INITIAL = 'first-initial';
export const FIRST_RESIDUAL = 'first-residual';
/** Both columns of risk rate the same thing, on two scales: the left or the right one is read, as before controls. */
export const SAME_FIRST_READ = 'same-first';
export const SAME_SECOND_READ = 'same-second';
/** The candidate that leaves a column unread. */
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

/** Whether a table has two columns of risk without a word for their phase, and no second severity or likelihood. */
export const hasSecondRiskAlone = (table: FoundTable): boolean => {
  const unnamed = unnamedRatings(table, 'risk');
  const isUnnamed = (role: CanonicalColumn) =>
    table.columns.some(({ canonical, column }) => canonical === role && unnamed.includes(column));
  return (
    isUnnamed('initial_risk') &&
    isUnnamed('residual_risk') &&
    !table.columns.some(({ canonical }) => canonical === 'residual_severity' || canonical === 'residual_likelihood')
  );
};

/** Keeps one of two columns of risk, as the risk before controls. */
function keepOneRisk(table: FoundTable, choice: typeof SAME_FIRST_READ | typeof SAME_SECOND_READ): Column[] {
  const isRisk = ({ canonical }: Column) => canonical === 'initial_risk' || canonical === 'residual_risk';
  const risks = table.columns.filter(isRisk).map(({ column }) => column);
  const kept = choice === SAME_FIRST_READ ? Math.min(...risks) : Math.max(...risks);
  return table.columns.flatMap((one) =>
    !isRisk(one) ? [one] : one.column === kept ? [{ ...one, canonical: 'initial_risk' as const }] : [],
  );
}

/** Gives a column a role and takes it from the column that had it. */
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
  const phases = choiceOf(settled, PHASES);
  if ((phases === SAME_FIRST_READ || phases === SAME_SECOND_READ) && hasSecondRiskAlone(table))
    columns = keepOneRisk(table, phases);
  if (phases === FIRST_RESIDUAL)
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
