import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';

/** How many reviews are looked back on. */
const LOOKED_BACK = 100;

/**
 * Marks the proposals that a person has rejected before, so that nobody is asked the same twice without knowing.
 * A proposal's id is that of its knowledge-base entry and its tickets: a new ticket makes it a new proposal, which is
 * asked anew. Where it was decided more than once, the last decision counts (docs/clinical-safety.md, 4).
 */
export async function markRejectedBefore(accountId: number, proposals: readonly NewHazard[]): Promise<NewHazard[]> {
  const reviews = await HazardAnalysis.find(
    { accountId, 'decisions.id': { $in: proposals.map(({ id }) => id) } },
    { decisions: 1, decidedBy: 1 },
  )
    .sort({ _id: -1 })
    .limit(LOOKED_BACK)
    .lean();
  const last = new Map<string, { row: RowDecision; by: NonNullable<HazardAnalysisRow['decidedBy']> }>();
  for (const { decisions, decidedBy } of reviews)
    for (const row of decisions ?? []) if (decidedBy && !last.has(row.id)) last.set(row.id, { row, by: decidedBy });
  return proposals.map((proposal) => {
    const before = last.get(proposal.id);
    if (before?.row.outcome !== 'rejected') return proposal;
    const { row, by } = before;
    const rejectedBefore = { by: by.name, at: new Date(by.at).toISOString(), reason: row.reason ?? null };
    return { ...proposal, rejectedBefore };
  });
}

/** The review as it begins: what was rejected before stands rejected again, for the person to confirm or to change. */
export const draftOf = (proposals: readonly NewHazard[]): RowDecision[] =>
  proposals.flatMap(({ id, rejectedBefore }) => {
    if (!rejectedBefore) return [];
    return [{ id, outcome: 'rejected' as const, ...(rejectedBefore.reason ? { reason: rejectedBefore.reason } : {}) }];
  });
