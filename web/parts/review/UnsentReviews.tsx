import { useEffect, useSyncExternalStore } from 'react';
import { readInterrupt } from '../../data/interrupts.ts';
import { shownPerson } from '../../data/person.ts';
import { countWaiting, isAnyOffline, keeperOf, onReviews, retryAll } from './keepers.ts';
import { UnsentBar } from './UnsentBar.tsx';
import { listUnsent } from './unsent.ts';

const LOOK_AGAIN_MS = 15_000;

/**
 * On every signed-in page: sends the decisions that an earlier visit left on this device, and says how many wait.
 * Needs a person who is signed in.
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
        // What a closed question does not have is shown by the question itself.
        if (question?.status === 'pending') keeperOf(question).note(question);
      }
    };
    const look = () => void sendLeft().catch(() => undefined);
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    window.addEventListener('online', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', look);
    };
  }, []);
  if (waiting === 0) return null;
  return <UnsentBar unsent={waiting} isOffline={isAnyOffline()} onRetry={retryAll} />;
}
