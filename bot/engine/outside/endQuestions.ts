import { Types } from 'mongoose';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import type { Who } from '../../../models/policies/who.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { revokeToken } from '../access/accessTokens.ts';
import { withdrawQuestion } from '../interrupts/cancelInterrupts.ts';

/** Most questions that expire in one sweep. */
const MAX_SWEPT = 200;

/**
 * Revokes a token and withdraws its questions: nobody could read their answers.
 * @throws AppError not_allowed, not_found
 */
export async function endToken(who: Who, id: string): Promise<void> {
  await revokeToken(who, id);
  const pending = await findPendingOf(who.accountId, id);
  for (const row of pending) await withdrawQuestion(row, { by: who.userId });
}

const findPendingOf = (accountId: number, tokenId: string): Promise<InterruptRow[]> =>
  Interrupt.find({ accountId, 'outside.tokenId': new Types.ObjectId(tokenId), status: 'pending' }).lean();

/**
 * Withdraws the questions that nobody answered in time, in every account.
 * @returns the number of questions found
 */
export async function expireQuestions(now = new Date()): Promise<number> {
  const over = await dangerouslyRunInEveryAccount(() =>
    Interrupt.find({ status: 'pending', 'outside.expiresAt': { $lte: now } })
      .sort({ _id: 1 })
      .limit(MAX_SWEPT)
      .lean(),
  );
  for (const row of over)
    await runInAccount(row.accountId, () => withdrawQuestion(row)).catch((error: unknown) =>
      logger.error({ err: error, interrupt: row._id }, 'an expired question could not be withdrawn; it is retried'),
    );
  return over.length;
}
