import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { readRatingWord } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { columnLetters } from '../ooxml/cellAddress.ts';
import {
  FIRST_INITIAL,
  FIRST_RESIDUAL,
  hasSecondRiskAlone,
  PHASES,
  SAME_FIRST_READ,
  SAME_SECOND_READ,
  unnamedRatings,
} from './columnChoices.ts';
import { type ColumnPoint, examplesOf, type Part, RATINGS, textAt } from './columnExamples.ts';
import { CONTROL_COLUMNS } from './controlColumns.ts';
import type { FoundTable } from './findTable.ts';
import type { ReadingCandidate } from './openPoints.ts';

/** With fewer rows, a risk that rises is more likely a fault than a sign. */
const MIN_CHANGED = 2;
const CONTROLS: readonly CanonicalColumn[] = ['existing_controls', ...CONTROL_COLUMNS];

const numberAt = (table: FoundTable, row: number, column: number): number | null =>
  table.grid.rows[row]?.[column]?.number ?? readRatingWord(textAt(table, row, column)).number;

/** The columns of one phase whose headings do not say which phase it is. */
function phaseColumns(table: FoundTable, phase: 'initial' | 'residual'): number[] {
  const unnamed = new Set(RATINGS.flatMap((rating) => unnamedRatings(table, rating)));
  return table.columns
    .filter(({ canonical, column }) => canonical.startsWith(phase) && unnamed.has(column))
    .map(({ column }) => column);
}

const lettersOf = (columns: readonly number[]) =>
  columns.length === 1
    ? `column ${columnLetters(columns[0] ?? 1)}`
    : `columns ${columns.map(columnLetters).join(', ')}`;

/** Whether controls stand between two columns, as they do where the risk is rated before and after them. */
const hasControlsBetween = ({ columns }: FoundTable, one: number, other: number) =>
  columns.some(
    ({ canonical, column }) =>
      CONTROLS.includes(canonical) && column > Math.min(one, other) && column < Math.max(one, other),
  );

/** Rows in which two columns of risk differ, and whether the second is the higher number. */
const differencesOf = ({ table, dataRows }: Part, before: number, after: number) =>
  dataRows.flatMap((row) => {
    const texts = [textAt(table, row, before), textAt(table, row, after)];
    const [one, other] = [numberAt(table, row, before), numberAt(table, row, after)];
    const isNumber = one !== null && other !== null;
    return texts.every(Boolean) && (isNumber ? one !== other : texts[0] !== texts[1])
      ? [{ row, isNumber, rises: isNumber && other > one }]
      : [];
  });

/**
 * Two sets of ratings without a word for before or after controls. The left one is the first by custom; it is open where
 * the risks rise from left to right as often as they fall. Two columns of risk beside one severity and one likelihood
 * may also rate the same thing on two scales: open wherever they differ, unless controls stand between them and the
 * risks fall.
 */
export function openPhases(part: Part): ColumnPoint[] {
  const { table } = part;
  const [left, right] = [phaseColumns(table, 'initial'), phaseColumns(table, 'residual')];
  const columnOf = (role: CanonicalColumn, among: readonly number[]) =>
    table.columns.find(({ canonical, column }) => canonical === role && among.includes(column))?.column;
  const [before, after] = [columnOf('initial_risk', left), columnOf('residual_risk', right)];
  if (before === undefined || after === undefined) return [];
  const different = differencesOf(part, before, after);
  const changed = different.filter(({ isNumber }) => isNumber);
  const rising = changed.filter(({ rises }) => rises);
  const isRising = changed.length >= MIN_CHANGED && rising.length * 2 >= changed.length;
  const isAlone = hasSecondRiskAlone(table);
  const maySame = isAlone && different.length > 0 && !hasControlsBetween(table, before, after);
  if (!isRising && !maySame) return [];
  const shown = (isAlone ? different : changed).map(({ row }) => row);
  const [first, second] = before < after ? [left, right] : [right, left];
  const candidate = (
    id: string,
    label: string,
    columns: readonly number[],
    gives: (row: number) => string,
  ): ReadingCandidate => ({
    id,
    label,
    reference: label,
    text: null,
    examples: examplesOf(table, shown, columns, gives),
  });
  const phases = (id: string, initial: readonly number[], residual: readonly number[]) => {
    const [from, to] = initial === left ? [before, after] : [after, before];
    return candidate(
      id,
      `Before controls: ${lettersOf(initial)}. After: ${lettersOf(residual)}`,
      [...initial, ...residual],
      (row) => `Risk ${textAt(table, row, from)} before controls, ${textAt(table, row, to)} after`,
    );
  };
  const same = (id: string, read: number, other: number) =>
    candidate(
      id,
      `Both rate the same risk: read ${lettersOf([read])}, not ${lettersOf([other])}`,
      [read, other].sort((one, another) => one - another),
      (row) => `Risk ${textAt(table, row, read)}, none after controls`,
    );
  const [leftRisk, rightRisk] = [Math.min(before, after), Math.max(before, after)];
  return [
    {
      id: PHASES,
      label: 'Which ratings are those before controls?',
      why: isRising
        ? `The headings don’t say, and the risk is higher in the columns on the right in ${rising.length} of ${changed.length} rows that differ.`
        : `The headings don’t say whether the second column of risk is the risk after controls, and there is no second severity or likelihood. The two differ in ${different.length} ${different.length === 1 ? 'row' : 'rows'}.`,
      columns: RATINGS.flatMap((rating): CanonicalColumn[] => [`initial_${rating}`, `residual_${rating}`]),
      candidates: [
        phases(FIRST_INITIAL, first, second),
        phases(FIRST_RESIDUAL, second, first),
        ...(isAlone ? [same(SAME_FIRST_READ, leftRisk, rightRisk), same(SAME_SECOND_READ, rightRisk, leftRisk)] : []),
      ],
    },
  ];
}
