import {
  type NewHazard,
  PROPOSED_FIELDS,
  type ProposedValues,
  type ReviewRow,
} from '../../../models/contracts/clinical_safety/hazards.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';

/** What is kept of a row before the answer: its decision, or only which of several matches it is. */
export type Kept = Omit<ReviewRow, 'outcome'> & { outcome: ReviewRow['outcome'] | null };
export type Decisions = Record<string, Kept>;

/** What a draft keeps, by row. */
export function readDraft(draft: Interrupt['draft']): Decisions {
  const chosen = Object.entries(draft?.chosen ?? {}).map(([id, kbId]): Kept => ({ id, outcome: null, kbId }));
  return { ...byId(chosen), ...byId(draft?.rows ?? []) };
}

/** The rows that are decided. */
export function decidedRows(decisions: Decisions): ReviewRow[] {
  return Object.values(decisions).filter((row): row is ReviewRow => row.outcome !== null);
}

/** The matches that are chosen for rows that are not decided. */
export function chosenMatches(decisions: Decisions): Record<string, string> {
  const open = Object.values(decisions).filter((row) => row.outcome === null && row.kbId);
  return Object.fromEntries(open.map((row) => [row.id, row.kbId ?? '']));
}

/** Rows by their id. */
export function byId(rows: readonly Kept[]): Decisions {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

/** A proposal as it reads with another of its candidates chosen: what a person sees is what is merged. */
export function withChoice(proposal: NewHazard, kbId: string | undefined): NewHazard {
  const chosen = proposal.candidates.find((candidate) => candidate.kbId === kbId);
  if (!chosen?.values || chosen.kbId === proposal.kbId) return proposal;
  const { category, values, suggested = proposal.suggested } = chosen;
  return { ...proposal, kbId: chosen.kbId, category, values, suggested };
}

/** The fields that a decision changes against the proposal. */
export function changedFields(proposal: NewHazard, row: Kept | undefined): (keyof ProposedValues)[] {
  return PROPOSED_FIELDS.map((field) => field.name).filter((name) => {
    const value = row?.values?.[name];
    return value !== undefined && value !== proposal.values[name];
  });
}

/** Accepts a proposal as it stands, or with the changes that were made to it. */
export function accept(proposal: NewHazard, before: Kept | undefined): ReviewRow {
  const changed = changedFields(proposal, before);
  const choice = before?.kbId && !before.bestMatch ? { kbId: before.kbId } : {};
  if (changed.length === 0) return { id: proposal.id, outcome: 'accepted', ...choice };
  return { id: proposal.id, outcome: 'edited', values: pick(before?.values ?? {}, changed), ...choice };
}

function pick(values: Partial<ProposedValues>, names: readonly (keyof ProposedValues)[]): Partial<ProposedValues> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** Accepts by one word for all: where nobody chose among several matches the best one is taken, and the row says so. */
export function acceptBest(proposal: NewHazard, before: Kept | undefined): ReviewRow {
  const row = accept(proposal, before);
  return needsChoice(proposal, before) ? { ...row, kbId: proposal.kbId, bestMatch: true } : row;
}

/** Whether a person still has to choose among the candidates before this row can be accepted. */
export function needsChoice(proposal: NewHazard, row: Kept | undefined): boolean {
  return !proposal.sure && proposal.candidates.length > 1 && (!row?.kbId || row.bestMatch === true);
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
  const { id, outcome, kbId = null, bestMatch = false, reason = null, values = {} } = row;
  return JSON.stringify([id, outcome, kbId, bestMatch, reason, Object.entries(values).sort()]);
}

/** A decision in words. */
export function outcomeText(row: Kept | undefined): string {
  if (!row?.outcome) return 'Not decided';
  if (row.outcome === 'rejected') return 'Rejected';
  if (row.outcome === 'edited') return 'Accepted with edits';
  return row.bestMatch ? 'Accepted, best match' : 'Accepted';
}
