import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { columnLetters } from '../ooxml/cellAddress.ts';
import { columnPoint, NOT_READ } from './columnChoices.ts';
import { isFilled, looksLike, textsOf } from './columnContents.ts';
import {
  type ColumnPoint,
  examplesOf,
  headerOf,
  nameOfRole,
  type Part,
  quoted,
  RATINGS,
  textAt,
  upperFirst,
} from './columnExamples.ts';
import type { FoundTable, MatchedHeading } from './findTable.ts';
import { headingKeys } from './headingKeys.ts';
import { openMeanings } from './openMeanings.ts';
import { openPhases } from './openPhases.ts';

type Column = FoundTable['columns'][number];

/** Roles that two columns may fit equally well, and that change what is read or found. */
const SINGLE: CanonicalColumn[] = ['id', 'name'];

/** The columns that could have a role as well as the one that has it. */
function rivalsOf(
  { table, dataRows }: Part,
  own: Column,
  role: CanonicalColumn,
  isAlike: (one: MatchedHeading) => boolean,
) {
  const taken = new Set(table.columns.map(({ column }) => column));
  const texts = textsOf(table, own.column, dataRows);
  return table.matches
    .filter((one) => isAlike(one) && !taken.has(one.column))
    .map(({ column }) => ({ column, texts: textsOf(table, column, dataRows) }))
    .filter((rival) => isFilled(rival.texts) && looksLike(role, rival.texts))
    .filter((rival) => rival.texts.some((text, at) => text !== '' && text !== texts[at]));
}

/** “Which column is it?”: the columns that fit, each on rows where they differ. */
function whichColumn(part: Part, role: CanonicalColumn, own: number, rivals: readonly number[]): ColumnPoint {
  const { table, dataRows } = part;
  const columns = [own, ...rivals].sort((one, other) => one - other);
  const keys = headingKeys(table);
  const differing = dataRows.filter((row) => new Set(columns.map((column) => textAt(table, row, column))).size > 1);
  return {
    id: columnPoint(role),
    label: `Which column is ${nameOfRole(role)}?`,
    why: `${columns.length === 2 ? 'Two columns fit' : `${columns.length} columns fit`} by their headings, and they differ in ${differing.length} ${differing.length === 1 ? 'row' : 'rows'}.`,
    columns: [role],
    candidates: columns.map((column) => ({
      id: keys.get(column) ?? '',
      label: `“${headerOf(table, column)}” (column ${columnLetters(column)})`,
      reference: `Column ${columnLetters(column)}`,
      text: null,
      examples: examplesOf(
        table,
        differing,
        columns,
        (row) => `${upperFirst(nameOfRole(role))} would be “${quoted(textAt(table, row, column))}”`,
      ),
    })),
  };
}

/** “Which column is it?” for a role, where columns with such a heading fit it as well as the one that has it. */
function openRole(
  part: Part,
  role: CanonicalColumn,
  isAlike: (one: MatchedHeading, own: Column & MatchedHeading) => boolean,
): ColumnPoint[] {
  const { table } = part;
  const own = table.columns.find(({ canonical }) => canonical === role);
  const match = own && table.matches.find(({ column }) => column === own.column);
  if (!own || !match) return [];
  const rivals = rivalsOf(part, own, role, (one) => isAlike(one, { ...match, ...own }));
  if (rivals.length === 0) return [];
  const columns = rivals.map(({ column }) => column);
  return [whichColumn(part, role, own.column, columns)];
}

const isNamed = /\bhaz(?:ard)?s?\b/i;

const openSingles = (part: Part): ColumnPoint[] =>
  SINGLE.flatMap((role) =>
    openRole(
      part,
      role,
      ({ meaning, score, header }, own) =>
        meaning === role && score >= own.score && isNamed.test(header) === isNamed.test(own.header),
    ),
  );

/** A rating after controls of which there are several columns. */
const openRatings = (part: Part): ColumnPoint[] =>
  RATINGS.flatMap((rating) =>
    (['initial', 'residual'] as const).flatMap((phase) =>
      // Of three without a name the first counts as before controls: the last two are in doubt.
      openRole(
        part,
        `${phase}_${rating}`,
        (one, own) =>
          one.meaning === rating &&
          one.phase === own.phase &&
          one.score >= own.score &&
          (one.phase !== null || phase === 'residual'),
      ),
    ),
  );

/** A role whose chosen column is gone: the column that would have it now, or none. */
function openLost(part: Part, { role, heading }: LostRole): ColumnPoint[] {
  const own = part.table.columns.find(({ canonical }) => canonical === role);
  if (!own) return [];
  const point = whichColumn(part, role, own.column, []);
  const examples = examplesOf(part.table, part.dataRows, [own.column], () => 'Would not be read');
  return [
    {
      ...point,
      why: `The column “${heading}”, which was chosen for an earlier version, is no longer in the file.`,
      candidates: [
        ...point.candidates.map((one) => ({
          ...one,
          examples: examplesOf(part.table, part.dataRows, [own.column], () => `Would be read as ${nameOfRole(role)}`),
        })),
        { id: NOT_READ, label: 'None of the columns', reference: 'None of the columns', text: null, examples },
      ],
    },
  ];
}

type LostRole = { role: CanonicalColumn; heading: string };

/**
 * The columns of a log's table that can be read in several ways, where that changes what is read or found.
 * @param lost roles whose chosen column is gone; they are open whatever else fits
 */
export function findOpenColumns(part: Part, lost: readonly LostRole[] = []): ColumnPoint[] {
  if (part.dataRows.length === 0) return [];
  const open = [...openSingles(part), ...openPhases(part), ...openRatings(part), ...openMeanings(part)];
  const forced = lost.flatMap((one) => openLost(part, one)).filter(({ id }) => !open.some((one) => one.id === id));
  return [...open, ...forced];
}
