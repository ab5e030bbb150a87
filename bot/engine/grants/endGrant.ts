import type { GrantRow } from '../../../models/grant.ts';
import { seal } from '../../../models/store/encrypted.ts';
import type { Entity } from '../../../models/store/entity.ts';

type Ending = {
  /** What its tokens are sealed for. */
  context: string;
  /** What broke it, for people; null where the company ended it. */
  why: string | null;
  /** What must be so of the row; otherwise it stays. */
  condition?: Record<string, unknown>;
};

/**
 * Ends a grant that stands: its tokens go, and a renewal that is under way keeps nothing.
 * @returns its row as it ended; null where it had ended before, or the condition does not hold
 */
export async function endGrant<Row extends GrantRow>(
  entity: Pick<Entity<Row>, 'findOneAndUpdate'>,
  { _id }: Pick<Row, '_id'>,
  { context, why, condition = {} }: Ending,
): Promise<Row | null> {
  const ended = { revokedAt: new Date(), sealed: seal(null, context), error: why, renewal: null };
  return entity
    .findOneAndUpdate({ _id, revokedAt: null, ...condition }, { $set: ended }, { returnDocument: 'after' })
    .lean();
}
