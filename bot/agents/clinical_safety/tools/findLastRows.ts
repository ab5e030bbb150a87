import type { Types } from 'mongoose';
import { z } from 'zod';
import { type AskedQuery, askedQuery } from '../../../../models/contracts/askedQuery.ts';
import { Run } from '../../../../models/run.ts';

/** What the runs that answer a question keep of its rows. */
const withRows = z.object({ rows: askedQuery.nullable() });

/**
 * The query of the last answer about rows in a conversation, whichever channel it is on.
 * @returns null where that answer had several queries; undefined where there was none
 */
export async function findLastRows(
  accountId: number,
  conversationId: Types.ObjectId,
): Promise<AskedQuery | null | undefined> {
  const last = await Run.findOne(
    { accountId, conversationId, status: { $in: ['ready', 'waiting', 'completed'] }, 'state.rows': { $exists: true } },
    { 'state.rows': 1 },
  )
    .sort({ _id: -1 })
    .lean();
  return last ? withRows.safeParse(last.state).data?.rows : undefined;
}
