import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import type { RunRow } from '../../../../models/run.ts';
import { canonicalJson } from '../../../engine/interrupts/digest.ts';

const MAX_REVIEWS = 20;

type KeptDecisions = { rows: RowDecision[]; chosen: Record<string, string> };

/** The content that a person saw when they decided on a proposal, without its number in the log. */
const digestOf = ({ kbId, values, candidates }: NewHazard) =>
  canonicalJson([kbId, values, candidates.map((one) => one.kbId)]);

/**
 * Finds the decisions on unchanged proposals in the conversation's reviews that were withdrawn since the last completed
 * one, so that a new analysis keeps them. The newest decision on a proposal counts.
 */
export async function findKeptDecisions(
  { accountId, conversationId }: Pick<RunRow, 'accountId' | 'conversationId'>,
  proposals: readonly NewHazard[],
): Promise<KeptDecisions> {
  const kept: KeptDecisions = { rows: [], chosen: {} };
  if (!conversationId) return kept;
  const settled = await Interrupt.find({
    accountId,
    conversationId,
    interruptType: 'hazard_review',
    status: { $in: ['resolved', 'cancelled'] },
  })
    .sort({ _id: -1 })
    .limit(MAX_REVIEWS)
    .lean();
  const completed = settled.findIndex(({ status }) => status === 'resolved');
  const withdrawn = completed === -1 ? settled : settled.slice(0, completed);
  for (const proposal of proposals) {
    const same = withdrawn.filter(({ context }) => isIn(context.rows, proposal));
    const row = same.flatMap(({ draft }) => draft?.rows ?? []).find(({ id }) => id === proposal.id);
    const chosen = same.map(({ draft }) => draft?.chosen?.[proposal.id]).find((kbId) => kbId !== undefined);
    // A preselected rejection is not a decision of this review.
    if (row && !(row.outcome === 'rejected' && proposal.rejectedBefore)) kept.rows.push(row);
    if (chosen) kept.chosen[proposal.id] = chosen;
  }
  return kept;
}

const isIn = (rows: unknown, proposal: NewHazard) =>
  ((rows ?? []) as NewHazard[]).some((one) => one.id === proposal.id && digestOf(one) === digestOf(proposal));
