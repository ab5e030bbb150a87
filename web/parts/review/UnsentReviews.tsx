import { useEffect, useSyncExternalStore } from 'react';
import { readInterrupt } from '../../data/interrupts.ts';
import { shownPerson } from '../../data/person.ts';
import {
  areAllOnDevice,
  countWaiting,
  isAnyOffline,
  isReviewShown,
  keeperOf,
  noteReviewShown,
  onReviews,
  retryAll,
} from './keepers.ts';
import { UnsentBar } from './UnsentBar.tsx';
import { listUnsent } from './unsent.ts';

const RETRY_INTERVAL_MS = 15_000;

/**
 * On every signed-in page: sends decisions that an earlier visit left on this device, and says that the browser is
 * offline and how many decisions wait, in one bar. Needs a signed-in person.
 */
export function UnsentReviews() {
  const isShown = useSyncExternalStore(onReviews, isReviewShown);
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
  return isShown ? null : <WaitingBar />;
}

const onLine = (listener: () => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

/** The bar of a review that is shown: the one of every page gives way to it. */
export function ReviewBar() {
  useEffect(noteReviewShown, []);
  return <WaitingBar />;
}

/** The bar that says that the browser is offline, and how many decisions of all reviews wait to be sent. */
function WaitingBar() {
  const waiting = useSyncExternalStore(onReviews, countWaiting);
  const isOffline = useSyncExternalStore(onLine, () => !navigator.onLine);
  if (waiting === 0 && !isOffline) return null;
  return (
    <UnsentBar
      unsent={waiting}
      isOffline={isOffline || isAnyOffline()}
      isOnDevice={areAllOnDevice()}
      onRetry={retryAll}
    />
  );
}
