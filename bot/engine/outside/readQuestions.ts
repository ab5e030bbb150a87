import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { OutsideQuestion } from '../../../models/contracts/outsideQuestions.ts';
import { hasExpired, Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import type { TokenHolder } from '../access/accessTokens.ts';
import { linkToReview } from '../delivery/consent.ts';
import { PLACES } from '../delivery/viewInterrupt.ts';
import { withdrawQuestion } from '../interrupts/cancelInterrupts.ts';

const STATUS = { pending: 'pending', resolved: 'answered', cancelled: 'withdrawn' } as const;

function statusOf(row: InterruptRow, now: number): OutsideQuestion['status'] {
  const over = row.status === 'pending' ? now : (row.resolvedAt?.getTime() ?? now);
  return row.status !== 'resolved' && hasExpired(row, over) ? 'expired' : STATUS[row.status];
}

/** A question as programs read it. */
export function viewForPrograms(row: InterruptRow, now = Date.now()): OutsideQuestion {
  const { resolution, outside } = row;
  return {
    id: row._id,
    status: statusOf(row, now),
    kind: row.interruptType,
    prompt: row.prompt,
    agent: findAgent(row.agentId)?.displayName ?? row.agentName,
    askedBy: outside?.name ?? null,
    askedAt: row.createdAt.toISOString(),
    expiresAt: outside?.expiresAt.toISOString() ?? null,
    outcome: resolution?.outcome ?? null,
    answer: row.userResponse ?? null,
    reason: resolution?.reason ?? null,
    answeredBy: resolution?.by.name ?? null,
    answeredIn: resolution ? PLACES[resolution.via] : null,
    answeredAt: resolution?.at.toISOString() ?? null,
    url: linkToReview(row._id),
  };
}

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
  const stored = Object.entries(STATUS).find(([, shown]) => shown === status)?.[0];
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
