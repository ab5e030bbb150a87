import { CHANNEL_PLACES } from '../../../models/contracts/channels.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import { describeDeciders, type RowDecider } from '../../../models/contracts/rowDeciders.ts';
import { momentOf } from '../../data/words.ts';

/**
 * "31 by Bo Lind, 19 by you": who made the decisions of a review so far. Decisions that are not sent yet are this
 * person's. A preselected one is nobody's until somebody confirms it.
 */
export function describeReviewers(
  { decidedBy, status }: Pick<Interrupt, 'decidedBy' | 'status'>,
  decisions: Partial<Record<string, RowDecision>>,
  unsentRows: readonly string[],
  you: number,
): string {
  const known = decidedBy.filter(
    ({ id }) => status !== 'pending' || (decisions[id] !== undefined && !unsentRows.includes(id)),
  );
  const unsent = unsentRows.filter((id) => decisions[id] !== undefined).map(() => ({ userId: you, name: '' }));
  return describeDeciders([...known, ...unsent], you);
}

/** "Bo Lind in the inbox, 5 Jun 2025, 14:02"; null where nobody decided it yet. */
export function describeDecider(decider: RowDecider | undefined, you: number): string | null {
  if (!decider) return null;
  const { userId, name, via, at } = decider;
  const place = Object.hasOwn(CHANNEL_PLACES, via) ? CHANNEL_PLACES[via as keyof typeof CHANNEL_PLACES] : via;
  return `${userId === you ? 'you' : name} in ${place}, ${momentOf(at)}`;
}

/** The name of the one person who decided all of these rows; null where they are several people's, or unknown. */
export function nameOfDecider({ decidedBy }: Pick<Interrupt, 'decidedBy'>, rows: readonly string[]): string | null {
  const names = new Set(rows.map((id) => decidedBy.find((one) => one.id === id)?.name ?? null));
  const [name = null] = names;
  return names.size === 1 ? name : null;
}
