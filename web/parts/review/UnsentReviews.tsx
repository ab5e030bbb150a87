import { useEffect, useSyncExternalStore } from 'react';
import { readInterrupt } from '../../data/interrupts.ts';
import { shownPerson } from '../../data/person.ts';
import { countWaiting, isAnyOffline, keeperOf, onReviews, retryAll } from './keepers.ts';
import { UnsentBar } from './UnsentBar.tsx';
import { listUnsent } from './unsent.ts';

const RETRY_INTERVAL_MS = 15_000;

/**
 * On every signed-in page: sends decisions that an earlier visit left on this device, and shows how many are unsent.
 * Needs a signed-in person.
 */
export function UnsentReviews() {
  const waiting = useSyncExternalStore(onReviews, countWaiting);
  useEffect(() => {
    const sent = new Set<number>();
    const sendLeft = async () => {
      for (const { interruptId, userAgentId } of listUnsent(shownPerson() ?? '')) {
        if (sent.has(interruptId)) continue;
        const question = await readInterrupt(userAgentId, interruptId);
        sent.add(interruptId);
        // A closed question shows its unsent decisions itself.
        if (question?.status === 'pending') keeperOf(question).note(question);
      }
    };
    const look = () => void sendLeft().catch(() => undefined);
    look();
    const timer = setInterval(look, RETRY_INTERVAL_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, []);
  if (waiting === 0) return null;
  return <UnsentBar unsent={waiting} isOffline={isAnyOffline()} onRetry={retryAll} />;
}
