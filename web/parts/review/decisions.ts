import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  decisionsIn,
  findRowFault,
  hasChoice,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowPart,
} from '../../../models/contracts/questionRows.ts';

/** What is kept of a row before the answer: its decision, or only which of several matches it is. */
export type Kept = Omit<RowDecision, 'outcome'> & { outcome: RowDecision['outcome'] | null };
export type Decisions = Record<string, Kept>;

/** After the answer: what was decided about a row. */
export const standingRow = ({ userResponse }: Interrupt, id: string): RowDecision | undefined =>
  decisionsIn(userResponse).find((row) => row.id === id);

/** What a draft keeps, by row. */
export function readDraft(draft: Interrupt['draft']): Decisions {
  const chosen = Object.entries(draft?.chosen ?? {}).map(([id, choice]): Kept => ({ id, outcome: null, choice }));
  return { ...byId(chosen), ...byId(draft?.rows ?? []) };
}

/** The rows that are decided. */
export function decidedRows(decisions: Decisions): RowDecision[] {
  return Object.values(decisions).filter((row): row is RowDecision => row.outcome !== null);
}

/** The options that are chosen for rows that are not decided. */
export function chosenMatches(decisions: Decisions): Record<string, string> {
  const open = Object.values(decisions).filter((row) => row.outcome === null && row.choice);
  return Object.fromEntries(open.map((row) => [row.id, row.choice ?? '']));
}

/** Rows by their id. */
export function byId(rows: readonly Kept[]): Decisions {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

/** The fields that a decision changes against the row. */
export function changedIn(row: QuestionRow, decided: Kept | undefined): string[] {
  const { values } = decided ?? {};
  return Object.keys(row.values ?? {}).filter(
    (name) => values?.[name] !== undefined && values[name] !== row.values?.[name],
  );
}

/** Accepts a row as it stands, or with the changes that were made to it. */
export function accept(row: QuestionRow, before: Kept | undefined): RowDecision {
  const changed = changedIn(row, before);
  const choice = before?.choice && !before.bestMatch ? { choice: before.choice } : {};
  // Why it is taken, where that was asked; why it was rejected says nothing of that.
  const reason = before?.reason && before.outcome !== 'rejected' ? { reason: before.reason } : {};
  if (changed.length === 0) return { id: row.id, outcome: 'accepted', ...choice, ...reason };
  const values = Object.fromEntries(changed.map((name) => [name, before?.values?.[name] ?? '']));
  return { id: row.id, outcome: 'edited', values, ...choice, ...reason };
}

/** The same for one of many: where nobody chose among several options, the best is taken, and the row says so. */
export function acceptBest(row: QuestionRow, before: Kept | undefined): RowDecision {
  const decided = accept(row, before);
  return needsChoice(row, before) ? { ...decided, choice: row.option, bestMatch: true } : decided;
}

/** Whether a person still has to choose among the options before this row can be accepted. */
export function needsChoice(row: QuestionRow, decided: Kept | undefined): boolean {
  return hasChoice(row) && (!decided?.choice || decided.bestMatch === true);
}

/** Decisions made here on rows that somebody else decided otherwise in between, by row; null for one taken back. */
export type Clashes = Record<string, Kept | null>;

/**
 * Brings two reviewers' decisions together. A row that only one of them changed since the last save is as they left it.
 * Where both changed a row, theirs stands and mine is kept beside it as a clash, for a person to choose.
 */
export function combine(
  mine: Decisions,
  base: Decisions,
  theirs: Decisions,
): { decisions: Decisions; clashes: Clashes } {
  const decisions: Decisions = { ...theirs };
  const clashes: Clashes = {};
  for (const id of changedRows(mine, base)) {
    const own = mine[id];
    if (isSame(own, theirs[id])) continue;
    if (!isSame(theirs[id], base[id])) clashes[id] = own ?? null;
    else if (own) decisions[id] = own;
    else delete decisions[id];
  }
  return { decisions, clashes };
}

/** The rows whose decision differs between two sets. */
export function changedRows(one: Decisions, other: Decisions): string[] {
  return Object.keys({ ...one, ...other }).filter((id) => !isSame(one[id], other[id]));
}

/** Whether two decisions are equal, in whatever order their parts were written. */
export function isSame(one: Kept | undefined, other: Kept | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(row: Kept | undefined): string {
  if (!row) return '';
  const { id, outcome, choice = null, bestMatch = false, reason = null, values = {} } = row;
  return JSON.stringify([id, outcome, choice, bestMatch, reason, Object.entries(values).sort()]);
}

/** The first row whose decision can't be sent, by its place among the rows, and why; null where all can. */
export function findFault(
  view: QuestionRows,
  decisions: Partial<Record<string, RowDecision>>,
): { at: number; part: RowPart; text: string } | null {
  for (const [at, row] of view.rows.entries()) {
    const decided = decisions[row.id];
    const fault = decided ? findRowFault(view, row, decided) : null;
    if (fault) return { at, ...fault };
  }
  return null;
}

/** A decision in words. */
export function outcomeText(row: Kept | undefined): string {
  if (!row?.outcome) return 'Not decided';
  if (row.outcome === 'rejected') return 'Rejected';
  if (row.outcome === 'edited') return 'Accepted with edits';
  return row.bestMatch ? 'Accepted, best match' : 'Accepted';
}
