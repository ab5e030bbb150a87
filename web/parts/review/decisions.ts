import type { NewHazard, ProposedValues, ReviewRow } from '../../../models/contracts/hazards.ts';

export type Decisions = Record<string, ReviewRow>;

/** The fields of a proposal that a person may change, as they are called on the page. */
export const FIELDS: { name: keyof ProposedValues; label: string; rows: number }[] = [
  { name: 'name', label: 'Hazard', rows: 1 },
  { name: 'description', label: 'Description', rows: 2 },
  { name: 'cause', label: 'Cause', rows: 2 },
  { name: 'clinicalImpact', label: 'Clinical impact', rows: 2 },
  { name: 'controlDesign', label: 'Design control', rows: 2 },
  { name: 'controlTest', label: 'Test control', rows: 2 },
  { name: 'controlTraining', label: 'Training control', rows: 2 },
  { name: 'controlBusiness', label: 'Business process control', rows: 2 },
];

/** Rows by their id. */
export function byId(rows: readonly ReviewRow[]): Decisions {
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
export function changedFields(proposal: NewHazard, row: ReviewRow | undefined): (keyof ProposedValues)[] {
  return FIELDS.map((field) => field.name).filter((name) => {
    const value = row?.values?.[name];
    return value !== undefined && value !== proposal.values[name];
  });
}

/** Accepts a proposal as it stands, or with the changes that were made to it. */
export function accept(proposal: NewHazard, before: ReviewRow | undefined): ReviewRow {
  const changed = changedFields(proposal, before);
  const choice = before?.kbId ? { kbId: before.kbId } : {};
  if (changed.length === 0) return { id: proposal.id, outcome: 'accepted', ...choice };
  return { id: proposal.id, outcome: 'edited', values: pick(before?.values ?? {}, changed), ...choice };
}

function pick(values: Partial<ProposedValues>, names: readonly (keyof ProposedValues)[]): Partial<ProposedValues> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** Whether a person still has to choose among the candidates before this row can be accepted. */
export function needsChoice(proposal: NewHazard, row: ReviewRow | undefined): boolean {
  return !proposal.sure && proposal.candidates.length > 1 && !row?.kbId;
}

/**
 * Brings two reviewers' decisions together: what was changed here since the last save stays as it is here, everything
 * else is as it was saved there.
 */
export function combine(mine: Decisions, base: Decisions, theirs: Decisions): Decisions {
  const combined: Decisions = { ...theirs };
  for (const id of new Set([...Object.keys(mine), ...Object.keys(base)])) {
    if (same(mine[id], base[id])) continue;
    const own = mine[id];
    if (own) combined[id] = own;
    else delete combined[id];
  }
  return combined;
}

function same(one: ReviewRow | undefined, other: ReviewRow | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether two sets of decisions are alike. */
export function alike(one: Decisions, other: Decisions): boolean {
  return Object.keys({ ...one, ...other }).every((id) => same(one[id], other[id]));
}
