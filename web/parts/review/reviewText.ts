import {
  type OutcomeWords,
  outcomesOf,
  type QuestionRows,
  type RowDecision,
} from '../../../models/contracts/questionRows.ts';
import { count } from '../../data/words.ts';

/** Why a review can't be sent while rows are undecided. */
export function undecidedText(undecided: number, total: number): string {
  return `${undecided} of ${count(total, 'row')} ${undecided === 1 ? 'is' : 'are'} not decided yet.`;
}

/** The undecided rows as the object of a verb: "the 3 undecided". */
export function theUndecided(undecided: number): string {
  return undecided === 1 ? 'the undecided row' : `the ${undecided} undecided`;
}

/** The button that leaves the undecided rows as they are. */
export function keepUndecided(undecided: number): string {
  return `Keep ${undecided === 1 ? 'it' : 'them'} undecided`;
}

/** Explains how accepting all treats rows with several matches and none chosen. */
export function bestMatchText(unchosen: number): string {
  return unchosen === 1
    ? '1 row has more than one match and none is chosen. Arc takes the closest match for it, and the record says so.'
    : `${unchosen} rows have more than one match and none is chosen. Arc takes the closest match for each, and the record says so.`;
}

/** "2 rows were decided differently by Ben Hughes." */
export function clashText(rows: number, by: string | null): string {
  return `${count(rows, 'row')} ${rows === 1 ? 'was' : 'were'} decided differently by ${by ?? 'a colleague'}.`;
}

/** "2 decisions were kept from the previous review." */
export function keptText(kept: number): string {
  return `${count(kept, 'decision')} ${kept === 1 ? 'was' : 'were'} kept from the previous review.`;
}

/** At most this many names are listed; the rest is counted. */
const MAX_NAMED = 8;

/** "H12, H14 and H15"; "H1, …, H8 and 3 more". */
export function namesText(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const all = more > 0 ? [...names.slice(0, MAX_NAMED), `${more} more`] : names;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** What undoing did. @param wasStep whether there was something to undo */
export function undoneText(rows: number, wasStep: boolean): string {
  if (rows > 0) return rows === 1 ? 'Undone.' : `${rows} rows undone.`;
  return wasStep ? 'Nothing was undone. Somebody else has decided these rows since.' : 'Nothing to undo.';
}

/** Said after a decision that can't be sent without a reason. */
export const reasonNeededText = (name: string, { counted }: Pick<OutcomeWords, 'counted'>): string =>
  `${name} ${counted}. It needs a reason: press N to write it.`;

/** Why N goes nowhere: the row has no reason yet. */
export const noReasonText = (name: string, { label }: Pick<OutcomeWords, 'label'>): string =>
  `${name} takes a reason after “${label}”. Nothing was changed.`;

/** Why a review can't be sent while what was typed in a row is not saved. */
export const unsavedEditText = (name: string): string =>
  `${name} has an edit that isn’t saved. Save or discard it, then send.`;

/** What a screen reader hears after an action: "Row 3 accepted, 2 of 18 decided". */
export function spokenText(done: string, decided: number, total: number): string {
  return `${done}${done.endsWith('.') ? '' : ','} ${decided} of ${total} decided`;
}

/** Counts by outcome: "11 accepted, 2 rejected." */
export function decidedText(
  rows: readonly Pick<RowDecision, 'outcome'>[],
  view: Pick<QuestionRows, 'outcomes'> = {},
): string {
  const counts = outcomesOf(view).map(({ id, counted }) => ({
    counted,
    rows: rows.filter(({ outcome }) => outcome === id).length,
  }));
  const given = counts.filter((it) => it.rows > 0).map((it) => `${it.rows} ${it.counted}`);
  return `${given.join(', ')}.`;
}
