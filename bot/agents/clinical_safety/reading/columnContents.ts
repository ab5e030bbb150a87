import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { FoundTable } from './findTable.ts';

/** A column's content is recognised by at least this many cells. */
const MIN_CELLS = 3;
/** A longer text is a sentence, neither a rating nor an id. */
const MAX_RATING_LENGTH = 40;
const MAX_ID_LENGTH = 30;
/** Share of a column's cells that must fit. */
const MOST = 0.5;

/** The texts of a column in the rows of the log. */
export const textsOf = ({ grid }: FoundTable, column: number, rows: readonly number[]): string[] =>
  rows.map((row) => grid.rows[row]?.[column]?.text.trim() ?? '');

const isShort = (most: number) => (text: string) => text.length <= most && !text.includes('\n');
const hasLetters = (text: string) => /\p{L}{3}/u.test(text);

/** A word or two, or a number with words; "abnormal result not acted on" is what happens to a patient. */
const isSeverity = (text: string) =>
  isShort(MAX_RATING_LENGTH)(text) && (/\d/.test(text) || text.split(/\s+/).length <= 3);

/** What a cell of a role looks like; roles that are not here may hold any text. */
const LOOKS: Partial<Record<CanonicalColumn, (text: string) => boolean>> = {
  id: isShort(MAX_ID_LENGTH),
  name: hasLetters,
  initial_severity: isSeverity,
  initial_likelihood: isShort(MAX_RATING_LENGTH),
  initial_risk: isShort(MAX_RATING_LENGTH),
  residual_severity: isSeverity,
  residual_likelihood: isShort(MAX_RATING_LENGTH),
  residual_risk: isShort(MAX_RATING_LENGTH),
};

/** Whether most cells of a column look like its role; true where too few are filled to tell. */
export function looksLike(role: CanonicalColumn, texts: readonly string[]): boolean {
  const looks = LOOKS[role];
  const filled = texts.filter(Boolean);
  return !looks || filled.length < MIN_CELLS || filled.filter(looks).length >= filled.length * MOST;
}

/** Whether a column is filled in most rows. */
export const isFilled = (texts: readonly string[]): boolean =>
  texts.filter(Boolean).length > 0 && texts.filter(Boolean).length >= texts.length * MOST;
