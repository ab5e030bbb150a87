import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { OutsideQuestion } from '../../../models/contracts/outsideQuestions.ts';
import { hasExpired, type InterruptRow } from '../../../models/interrupt.ts';
import { linkToReview } from './consent.ts';
import { PLACES } from './viewInterrupt.ts';

/** The states of a question by their names for programs. */
export const PROGRAM_STATUS = { pending: 'pending', resolved: 'answered', cancelled: 'withdrawn' } as const;

function statusOf(row: InterruptRow, now: number): OutsideQuestion['status'] {
  const over = row.status === 'pending' ? now : (row.resolvedAt?.getTime() ?? now);
  return row.status !== 'resolved' && hasExpired(row, over) ? 'expired' : PROGRAM_STATUS[row.status];
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
