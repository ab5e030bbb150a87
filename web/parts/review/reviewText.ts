import { outcomesOf, type QuestionRows, type RowDecision } from '../../../models/contracts/questionRows.ts';
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
