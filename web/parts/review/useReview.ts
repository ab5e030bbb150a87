import { useEffect, useSyncExternalStore } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { keeperOf, onReviews } from './keepers.ts';

/** The decisions of one review with their save state, and the keeper that changes them. */
export function useReview(interrupt: Interrupt) {
  const keeper = keeperOf(interrupt);
  const review = useSyncExternalStore(onReviews, keeper.current);
  useEffect(() => keeper.note(interrupt), [keeper, interrupt]);
  return { ...review, keeper };
}
