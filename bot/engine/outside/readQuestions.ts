import { AppError } from '../../../models/contracts/errors.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { TokenHolder } from '../access/accessTokens.ts';
import { PROGRAM_STATUS } from '../delivery/viewForPrograms.ts';
import { withdrawQuestion } from '../interrupts/cancelInterrupts.ts';

/** What a token may see: every question of its company, or only those that it asked. */
const visibleTo = ({ token }: Pick<TokenHolder, 'token'>) => ({
  accountId: token.accountId,
  ...(token.scopes.includes('questions:read') ? {} : { 'outside.tokenId': token._id }),
});

/** @throws AppError not_found where the token may not see it */
export async function requireVisible(holder: Pick<TokenHolder, 'token'>, _id: number): Promise<InterruptRow> {
  const row = await Interrupt.findOne({ ...visibleTo(holder), _id }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}

/** The newest questions that a token may see. */
export function listForPrograms(
  holder: TokenHolder,
  { status, limit }: { status?: 'pending' | 'answered' | 'withdrawn' | undefined; limit: number },
): Promise<InterruptRow[]> {
  const stored = Object.entries(PROGRAM_STATUS).find(([, shown]) => shown === status)?.[0];
  return Interrupt.find({ ...visibleTo(holder), ...(stored ? { status: stored } : {}) })
    .sort({ _id: -1 })
    .limit(limit)
    .lean();
}

/**
 * Withdraws a question that the token asked; an answered or withdrawn one stays as it is.
 * @returns the question as it is now
 * @throws AppError not_found where another asked it
 */
export async function withdrawOwn({ token }: TokenHolder, _id: number): Promise<InterruptRow> {
  const own = { _id, accountId: token.accountId, 'outside.tokenId': token._id };
  const row = await Interrupt.findOne(own).lean();
  if (!row) throw new AppError('not_found');
  if (row.status === 'pending') await withdrawQuestion(row);
  return (await Interrupt.findOne(own).lean()) ?? row;
}
