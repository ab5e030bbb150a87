import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import type { RunRow } from '../../../../models/run.ts';
import { canonicalJson } from '../../../engine/interrupts/digest.ts';

/** How many withdrawn reviews in a row are looked back on. */
const LOOKED_BACK = 20;

type Kept = { rows: RowDecision[]; chosen: Record<string, string> };

/** What a person saw of a proposal when they decided. The number it would get in the log is not part of it. */
const seen = ({ kbId, values, candidates }: NewHazard) =>
  canonicalJson([kbId, values, candidates.map((one) => one.kbId)]);

/**
 * The decisions made in the reviews of a conversation that were withdrawn since the last one that was completed, for the
 * proposals that have not changed: a newer analysis loses none of them. The newest decision on a proposal counts.
 */
export async function keptDecisions(
  { accountId, conversationId }: Pick<RunRow, 'accountId' | 'conversationId'>,
  proposals: readonly NewHazard[],
): Promise<Kept> {
  const kept: Kept = { rows: [], chosen: {} };
  if (!conversationId) return kept;
  const settled = await Interrupt.find({
    accountId,
    conversationId,
    interruptType: 'hazard_review',
    status: { $in: ['resolved', 'cancelled'] },
  })
    .sort({ _id: -1 })
    .limit(LOOKED_BACK)
    .lean();
  const completed = settled.findIndex(({ status }) => status === 'resolved');
  const withdrawn = completed === -1 ? settled : settled.slice(0, completed);
  for (const proposal of proposals) {
    const same = withdrawn.filter(({ context }) => isIn(context.rows, proposal));
    const row = same.flatMap(({ draft }) => draft?.rows ?? []).find(({ id }) => id === proposal.id);
    const chosen = same.map(({ draft }) => draft?.chosen?.[proposal.id]).find((kbId) => kbId !== undefined);
    // A rejection that the review began with is no decision made in it.
    if (row && !(row.outcome === 'rejected' && proposal.rejectedBefore)) kept.rows.push(row);
    if (chosen) kept.chosen[proposal.id] = chosen;
  }
  return kept;
}

const isIn = (rows: unknown, proposal: NewHazard) =>
  ((rows ?? []) as NewHazard[]).some((one) => one.id === proposal.id && seen(one) === seen(proposal));
