import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { Interrupt, type StoredDecider } from '../../../../models/interrupt.ts';
import type { RunRow } from '../../../../models/run.ts';

const MAX_REVIEWS = 20;

type KeptDecisions = { rows: RowDecision[]; chosen: Record<string, string>; by: StoredDecider[] };

/** The rows of a new review, and the digest of what a person saw when they decided on one. */
type Reviewed<Row extends { id: string }> = {
  interruptType: string;
  rows: readonly Row[];
  digestOf: (row: Row) => string;
  /** Whether a decision was preselected, so that it is no decision of a withdrawn review. */
  isPreselected?: (row: Row, decided: RowDecision) => boolean;
};

/**
 * Finds the decisions on unchanged rows in the conversation's reviews of a kind that were withdrawn since the last
 * completed one, so that a new analysis keeps them. The newest decision on a row counts.
 */
export async function findKeptDecisions<Row extends { id: string }>(
  { accountId, conversationId }: Pick<RunRow, 'accountId' | 'conversationId'>,
  { interruptType, rows, digestOf, isPreselected = () => false }: Reviewed<Row>,
): Promise<KeptDecisions> {
  const kept: KeptDecisions = { rows: [], chosen: {}, by: [] };
  if (!conversationId) return kept;
  const settled = await Interrupt.find({
    accountId,
    conversationId,
    interruptType,
    status: { $in: ['resolved', 'cancelled'] },
  })
    .sort({ _id: -1 })
    .limit(MAX_REVIEWS)
    .lean();
  const completed = settled.findIndex(({ status }) => status === 'resolved');
  const withdrawn = completed === -1 ? settled : settled.slice(0, completed);
  for (const row of rows) {
    const digest = digestOf(row);
    const same = withdrawn.filter(({ context }) =>
      ((context.rows ?? []) as Row[]).some((one) => one.id === row.id && digestOf(one) === digest),
    );
    const decided = same.flatMap(({ draft }) => draft?.rows ?? []).find(({ id }) => id === row.id);
    const chosen = same.map(({ draft }) => draft?.chosen?.[row.id]).find((choice) => choice !== undefined);
    if (decided && !isPreselected(row, decided)) {
      kept.rows.push(decided);
      const from = same.find(({ draft }) => draft?.rows.includes(decided));
      kept.by.push(...(from?.decidedBy ?? []).filter(({ id }) => id === row.id));
    }
    if (chosen) kept.chosen[row.id] = chosen;
  }
  return kept;
}
