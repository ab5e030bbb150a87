import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { canonicalJson } from '../../../engine/interrupts/digest.ts';

const MAX_REVIEWS = 100;

/** The content that a person saw when they decided on a proposal, without its number in the log. */
export const digestOfProposal = ({ kbId, values, candidates, additions = [], proposedAs = '' }: NewHazard) =>
  canonicalJson([kbId, values, candidates.map((one) => one.kbId), additions.map(({ id }) => id), proposedAs]);

/**
 * Marks the proposals that a person has rejected before. A proposal's id is made from its knowledge base entry and its
 * tickets, so a new ticket makes a new proposal, which is not marked. The last decision counts
 * (docs/clinical-safety.md, section 4).
 */
export async function markRejectedBefore(accountId: number, proposals: readonly NewHazard[]): Promise<NewHazard[]> {
  const reviews = await HazardAnalysis.find(
    { accountId, 'decisions.id': { $in: proposals.map(({ id }) => id) } },
    { decisions: 1, decidedBy: 1, decidedRows: 1 },
  )
    .sort({ _id: -1 })
    .limit(MAX_REVIEWS)
    .lean();
  const timeZone = await readTimeZone(accountId);
  const last = new Map<string, { row: RowDecision; by: NonNullable<HazardAnalysisRow['decidedBy']> }>();
  for (const { decisions, decidedBy, decidedRows = [] } of reviews)
    for (const row of decisions ?? []) {
      const by = decidedRows.find(({ id }) => id === row.id) ?? decidedBy;
      if (by && !last.has(row.id)) last.set(row.id, { row, by });
    }
  return proposals.map((proposal) => {
    const before = last.get(proposal.id);
    if (before?.row.outcome !== 'rejected') return proposal;
    const { row, by } = before;
    const at = new Date(by.at).toISOString();
    const rejectedBefore = { by: by.name, at, day: dayText(at, timeZone), reason: row.reason ?? null };
    return { ...proposal, rejectedBefore };
  });
}

/** The initial draft of a review: earlier rejections are preselected for the person to confirm or change. */
export const makeDraft = (proposals: readonly NewHazard[]): RowDecision[] =>
  proposals.flatMap(({ id, rejectedBefore }) => {
    if (!rejectedBefore) return [];
    return [{ id, outcome: 'rejected' as const, ...(rejectedBefore.reason ? { reason: rejectedBefore.reason } : {}) }];
  });
