import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import type { InterruptRow, StoredDecider } from '../../../models/interrupt.ts';
import { canonicalJson } from './digest.ts';

/** A person who decides now. */
type Decides = { userId: number; name: string; via: Surface; at: Date };

/**
 * Who decided each of these rows: a decision that the draft has already keeps its decider, any other one is this
 * person's.
 * @param isFinal whether the rows are the answer: who sends it then stands for preselected rows too
 */
export function decidersOf(
  { draft, decidedBy = [] }: Pick<InterruptRow, 'draft' | 'decidedBy'>,
  rows: readonly RowDecision[],
  { userId, name, via, at }: Decides,
  isFinal = false,
): StoredDecider[] {
  const before = new Map((draft?.rows ?? []).map((row) => [row.id, canonicalJson(row)]));
  const known = new Map(decidedBy.map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const isSame = before.get(row.id) === canonicalJson(row);
    const standing = isSame ? known.get(row.id) : undefined;
    if (standing) return [standing];
    return isSame && !isFinal ? [] : [{ id: row.id, userId, name, at, via }];
  });
}
