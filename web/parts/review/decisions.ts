import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  decisionsIn,
  editsByChoice,
  findRowFault,
  hasChoice,
  type OutcomeWords,
  type QuestionRow,
  type QuestionRows,
  ROW_OUTCOMES,
  type RowDecision,
  type RowPart,
  withOption,
} from '../../../models/contracts/questionRows.ts';

/** A row in a draft: its decision, or only the chosen match. */
export type Kept = Omit<RowDecision, 'outcome'> & { outcome: RowDecision['outcome'] | null };
export type Decisions = Record<string, Kept>;

/** A row's decision in the answer of a closed question. */
export const standingRow = ({ userResponse }: Interrupt, id: string): RowDecision | undefined =>
  decisionsIn(userResponse).find((row) => row.id === id);

/** The rows of a draft, by id. */
export function readDraft(draft: Interrupt['draft']): Decisions {
  const chosen = Object.entries(draft?.chosen ?? {}).map(([id, choice]): Kept => ({ id, outcome: null, choice }));
  return { ...byId(chosen), ...byId(draft?.rows ?? []) };
}

/** The decisions of a closed question: its answer, and of a withdrawn one the last draft. */
export const closedDecisions = ({ draft, userResponse }: Interrupt): Decisions => ({
  ...readDraft(draft),
  ...byId(decisionsIn(userResponse)),
});

/** The rows that are decided. */
export function decidedRows(decisions: Decisions): RowDecision[] {
  return Object.values(decisions).filter((row): row is RowDecision => row.outcome !== null);
}

/** The decisions by row; rows without one are absent. */
export const decisionsById = (decisions: Decisions): Partial<Record<string, RowDecision>> =>
  Object.fromEntries(decidedRows(decisions).map((row) => [row.id, row]));

/** Chosen options of undecided rows, by row id. */
export function chosenMatches(decisions: Decisions): Record<string, string> {
  const open = Object.values(decisions).filter((row) => row.outcome === null && row.choice);
  return Object.fromEntries(open.map((row) => [row.id, row.choice ?? '']));
}

/** Rows by their id. */
export function byId(rows: readonly Kept[]): Decisions {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

/** Names of the fields that a decision changes. */
export function changedIn(row: QuestionRow, decided: Kept | undefined): string[] {
  const { values } = decided ?? {};
  return Object.keys(row.values ?? {}).filter(
    (name) => values?.[name] !== undefined && values[name] !== row.values?.[name],
  );
}

/** Accepts a row, with its edits if there are any. */
export function accept(row: QuestionRow, before: Kept | undefined): RowDecision {
  const changed = changedIn(row, before);
  const choice = before?.choice && !before.bestMatch ? { choice: before.choice } : {};
  // A reason for accepting is kept; a reason for a rejection does not apply.
  const reason = before?.reason && before.outcome !== 'rejected' ? { reason: before.reason } : {};
  if (changed.length === 0) return { id: row.id, outcome: 'accepted', ...choice, ...reason };
  const values = Object.fromEntries(changed.map((name) => [name, before?.values?.[name] ?? '']));
  return { id: row.id, outcome: 'edited', values, ...choice, ...reason };
}

const takeFirst = ({ id }: QuestionRow): RowDecision => ({ id, outcome: 'accepted' });

/** Accepts a row: its first option where choosing another is the edit, else with its edits and the chosen option. */
export const take = (view: QuestionRows, row: QuestionRow, before: Kept | undefined): RowDecision =>
  editsByChoice(view) ? takeFirst(row) : accept(row, before);

/**
 * Chooses an option of a row. Where that is the edit, it decides the row: the first option accepts it, and any other
 * edits it.
 */
export function choose(view: QuestionRows, row: QuestionRow, before: Kept | undefined, choice: string): Kept {
  if (editsByChoice(view)) return choice === row.option ? takeFirst(row) : { id: row.id, outcome: 'edited', choice };
  const { bestMatch: _, ...kept } = before ?? { id: row.id, outcome: null };
  return { ...kept, choice };
}

/** Accepts a row with the best match if none was chosen, and marks it as `bestMatch`. */
function acceptBest(row: QuestionRow, before: Kept | undefined): RowDecision {
  const decided = accept(row, before);
  return needsChoice(row, before) ? { ...decided, choice: row.option, bestMatch: true } : decided;
}

/** Decides a row as all undecided ones: rejects it, or accepts it with the chosen or the best match. */
export function decideAlike(row: QuestionRow, decision: 'accept' | 'reject', before: Kept | undefined): RowDecision {
  if (decision === 'reject') return { id: row.id, outcome: 'rejected' };
  return acceptBest(withOption(row, before?.choice), before);
}

/** Whether a person still has to choose among the options before this row can be accepted. */
export function needsChoice(row: QuestionRow, decided: Kept | undefined): boolean {
  return hasChoice(row) && (!decided?.choice || decided.bestMatch === true);
}

/** This person's decisions on rows that a colleague decided differently, by row; null for a removed decision. */
export type Clashes = Record<string, Kept | null>;

/**
 * Merges two reviewers' decisions. A row that only one of them changed since the last save keeps that change. If both
 * changed it, theirs is kept and mine becomes a clash, for a person to resolve.
 * @param sent this person's own decisions of which the answer is unknown: a row that stands as one of them was changed
 *   by nobody else
 */
export function combine(
  mine: Decisions,
  base: Decisions,
  theirs: Decisions,
  sent: readonly Decisions[] = [],
): { decisions: Decisions; clashes: Clashes } {
  const decisions: Decisions = { ...theirs };
  const clashes: Clashes = {};
  for (const id of unsavedRows(mine, base, sent)) {
    const own = mine[id];
    if (isSame(own, theirs[id])) continue;
    const isOwn = [base, ...sent].some((rows) => isSame(theirs[id], rows[id]));
    if (!isOwn) {
      // Undone before anybody else decided: their decision stands, and there is nothing to choose.
      if (!isSame(own, base[id])) clashes[id] = own ?? null;
    } else if (own) decisions[id] = own;
    else delete decisions[id];
  }
  return { decisions, clashes };
}

/** The rows of which the server may have another decision than mine: than it had, or than what was sent made of it. */
export const unsavedRows = (mine: Decisions, base: Decisions, sent: readonly Decisions[]): string[] => [
  ...new Set([base, ...sent].flatMap((rows) => changedRows(mine, rows))),
];

/** The rows whose decision differs between two sets. */
export function changedRows(one: Decisions, other: Decisions): string[] {
  return Object.keys({ ...one, ...other }).filter((id) => !isSame(one[id], other[id]));
}

/** `onto` with the changes between `base` and `changed` applied. */
export function withChanges(onto: Decisions, base: Decisions, changed: Decisions): Decisions {
  const next = { ...onto };
  for (const id of changedRows(changed, base)) {
    const row = changed[id];
    if (row) next[id] = row;
    else delete next[id];
  }
  return next;
}

/** Whether two decisions are equal, whatever the order of their properties. */
export function isSame(one: Kept | undefined, other: Kept | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(row: Kept | undefined): string {
  if (!row) return '';
  const { id, outcome, choice = null, bestMatch = false, reason = null, values = {} } = row;
  return JSON.stringify([id, outcome, choice, bestMatch, reason, Object.entries(values).sort()]);
}

/** The first decision that can't be sent, with its row index and the fault; null if all can be sent. */
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

/** Display text of a decision. */
export function outcomeText(row: Kept | undefined, outcomes: readonly OutcomeWords[] = ROW_OUTCOMES): string {
  const words = outcomes.find(({ id }) => id === row?.outcome);
  if (!row || !words) return 'Not decided';
  const other = row.outcome === 'edited' && row.choice && outcomes !== ROW_OUTCOMES ? `: ${row.choice}` : '';
  return row.bestMatch ? `${words.done}, closest match` : `${words.done}${other}`;
}
