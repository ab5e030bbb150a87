import type { GrantRow } from '../../../models/grant.ts';
import { seal } from '../../../models/store/encrypted.ts';
import type { Entity } from '../../../models/store/entity.ts';

type Ending = {
  /** Encryption context of its tokens. */
  context: string;
  /** Why it broke, for people; null where the company ended it. */
  why: string | null;
  /** Extra conditions on the row; where they fail, the grant stays. */
  condition?: Record<string, unknown>;
};

/**
 * Ends a connected grant: deletes its tokens and cancels a renewal in progress.
 * @returns the ended row; null where it had ended before or the condition failed
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
