import type { GridCell } from '../ooxml/sheetScanner.ts';
import { saysNotInPlace } from './controlStatus.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';
import { groupPhase, type Phase } from './headerWords.ts';
import { matchHeader } from './matchHeader.ts';

/** A longer text is no heading. */
export const MAX_HEADING_LENGTH = 60;
const RATINGS = new Set<HeaderMeaning>(['severity', 'likelihood', 'risk']);
const PHASE_WORDS = { initial: 'Initial', residual: 'Residual' } as const;

/** A filled cell of a card, and what it stands for as a heading; null where nothing is known. */
export type Cell = { column: number; cell: GridCell; meaning: HeaderMeaning | null };

/** A line of a card, with its text where it stands in the file. */
export type Line = {
  heading: GridCell;
  text: GridCell | undefined;
  column: number;
  /** Texts of further cards beside it, in columns of their own. */
  beside?: readonly Cell[];
};

/** Lines that a small table was read into, and the number of rows below its first that it takes. */
type Found = { lines: Line[]; rows: number };

const isRating = ({ meaning }: Cell) => meaning !== null && RATINGS.has(meaning);

/** "Before controls", "Risk after control": the phase that a text above ratings gives them. */
function phaseOf(text: string): Phase | null {
  const said = text.trim().replace(/:$/, '');
  if (said.length > MAX_HEADING_LENGTH) return null;
  const match = groupPhase(said) === null ? matchHeader(said, null) : null;
  return groupPhase(said) ?? (match?.meaning === 'risk' ? match.phase : null);
}

/**
 * The ratings of a card side by side: `Risk before control | | Risk after control` above
 * `Severity | Major | Severity | Minor`.
 */
function ratingsBeside(rows: readonly Cell[][], at: number): Found | null {
  const [left, right, ...others] = (rows[at] ?? []).map(({ column, cell }) => ({ column, phase: phaseOf(cell.text) }));
  if (!left?.phase || !right?.phase || left.phase === right.phase || others.length > 0) return null;
  const sides = [left, right];
  const lines: Line[] = [];
  let below = 0;
  for (const cells of rows.slice(at + 1)) {
    const heads = sides.map(({ column }) => cells.find((cell) => cell.column === column && isRating(cell)));
    if (!heads[0] || heads[0].meaning !== heads[1]?.meaning) break;
    for (const [side, { phase }] of sides.entries()) {
      const [from, to] = [heads[side]?.column ?? 0, sides[side + 1]?.column ?? Number.POSITIVE_INFINITY];
      const value = cells.find(({ column }) => column > from && column < to);
      if (value && phase && heads[0])
        lines.push({
          heading: { ...heads[0].cell, text: `${PHASE_WORDS[phase]} ${heads[0].meaning}` },
          text: value.cell,
          column: left.column,
        });
    }
    below += 1;
  }
  return below > 0 ? { lines, rows: below } : null;
}

const CONTROLS = new Set<HeaderMeaning | null>(['control_text', 'existing_controls']);

/**
 * The controls of a card in a table of their own: `Control type | Control | Implemented?` above a row for each. One
 * that is not in place is none, and is listed as not read.
 */
function controlsBelow(rows: readonly Cell[][], at: number): Found | null {
  const cells = rows[at] ?? [];
  const text = cells.find(({ meaning }) => CONTROLS.has(meaning));
  const isHeaded = cells.every(({ cell }) => cell.text.length <= MAX_HEADING_LENGTH) && cells.length > 1;
  if (!text || !isHeaded || cells.filter(({ meaning }) => meaning !== null).length < 2) return null;
  const status = cells.find(({ cell }) => STATUS.test(cell.text.trim()));
  const lines: Line[] = [];
  let below = 0;
  for (const row of rows.slice(at + 1)) {
    const value = row.find(({ column }) => column === text.column);
    if (!value || row.length > cells.length) break;
    below += 1;
    const said = status && row.find(({ column }) => column === status.column)?.cell.text;
    if (!said || !saysNotInPlace(said))
      lines.push({
        heading: { ...text.cell, text: `Control ${below}` },
        text: value.cell,
        column: cells[0]?.column ?? 1,
      });
  }
  return below > 0 ? { lines, rows: below } : null;
}
const STATUS = /^(?:status|state|implemented|in place|done)\b[?: ]*$/i;

/**
 * The ratings of a card in a small table of their own: `– | Severity | Likelihood` above `Initial | Major | Low`, or the
 * other way round.
 * @returns the lines, and the number of rows below that they were read from; null where there is no such table
 */
function ratingsBelow(rows: readonly Cell[][], at: number): Found | null {
  const cells = rows[at] ?? [];
  const phases = cells.filter(({ cell }) => phaseOf(cell.text) !== null);
  const across = cells.filter(isRating).length > 1 && phases.length < 2;
  const heads = across ? cells.filter(isRating) : phases;
  // Beside them may stand what the ratings are as numbers.
  if (heads.length < 2 || heads.length * 2 < cells.length) return null;
  const lines: Line[] = [];
  let below = 0;
  for (let row = at + 1; row < rows.length; row += 1) {
    const [first, ...values] = rows[row] ?? [];
    if (!first || first.column >= (heads[0]?.column ?? 0)) break;
    const phase = phaseOf(first.cell.text);
    if (across ? phase === null : !isRating(first)) break;
    for (const head of heads) {
      const value = values.find(({ column }) => column === head.column);
      const of = across ? phase : phaseOf(head.cell.text);
      const rating = across ? head : first;
      if (value && of && rating)
        lines.push({
          heading: { ...rating.cell, text: `${PHASE_WORDS[of]} ${rating.meaning}` },
          text: value.cell,
          column: first.column,
        });
    }
    below += 1;
  }
  return lines.length > 0 ? { lines, rows: below } : null;
}

/**
 * The ratings below a line that says nothing but a phase: `Initial risk`, then `Severity | Major`, or the headings in one
 * line and the ratings in the next.
 */
function ratingsUnder(rows: readonly Cell[][], at: number): Found | null {
  const [head, ...others] = rows[at] ?? [];
  const phase = head ? groupPhase(head.cell.text.trim()) : null;
  if (!head || !phase || others.length > 0) return null;
  const lines: Line[] = [];
  const [heads = [], values = []] = rows.slice(at + 1, at + 3);
  if (
    heads.length > 1 &&
    heads.every(isRating) &&
    values.length > 0 &&
    !values.some(({ meaning }) => meaning !== null)
  ) {
    for (const { column, cell, meaning } of heads) {
      const value = values.find((one) => one.column === column);
      const heading = { ...cell, text: `${PHASE_WORDS[phase]} ${meaning}` };
      if (value) lines.push({ heading, text: value.cell, column: head.column });
    }
    return lines.length > 0 ? { lines, rows: 2 } : null;
  }
  let below = 0;
  for (let row = at + 1; row < rows.length; row += 1) {
    const [first, ...values] = rows[row] ?? [];
    // "Residual risk" alone below an initial one begins the next.
    if (!first || !isRating(first) || (values.length === 0 && below > 0)) break;
    const heading = { ...first.cell, text: `${PHASE_WORDS[phase]} ${first.meaning}` };
    const isBeside = values.some(({ column }) => column > first.column + 1);
    const [value] = values;
    below += 1;
    // "Risk level: Undesirable" and "Risk score: 9" are one rating: the number says more.
    const known = lines.findIndex((line) => line.heading.text === heading.text);
    if (known >= 0 && (isBeside || !value || !/^\d/.test(value.cell.text.trim()))) continue;
    if (known >= 0) lines.splice(known, 1);
    lines.push({
      heading,
      text: isBeside ? undefined : value?.cell,
      column: first.column,
      ...(isBeside ? { beside: values } : {}),
    });
  }
  return lines.length > 0 ? { lines, rows: below } : null;
}

/** The small table of ratings or of controls that begins in a row of a card; null where none does. */
export const tableInCard = (rows: readonly Cell[][], at: number): Found | null =>
  ratingsBeside(rows, at) ?? ratingsBelow(rows, at) ?? ratingsUnder(rows, at) ?? controlsBelow(rows, at);
