import { useEffect, useSyncExternalStore } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { keeperOf, onReviews } from './keepers.ts';

/** The decisions of one review, kept on this device at once and on the server a moment after each change. */
export function useReview(interrupt: Interrupt) {
  const keeper = keeperOf(interrupt);
  const review = useSyncExternalStore(onReviews, keeper.current);
  useEffect(() => keeper.note(interrupt), [keeper, interrupt]);
  return { ...review, keeper };
}
