import { lazy, type ReactNode, Suspense, useState } from 'react';
import { CallError, codeOf } from '../../data/call.ts';
import { startAnalysis } from './analysis.ts';

const OpenReviewDialog = lazy(async () => ({ default: (await import('./OpenReviewDialog.tsx')).OpenReviewDialog }));

type Open = { interruptId: number; decided: number; proposed: number };

/** The open review that blocked a new analysis; null for any other error. */
function openReviewOf(error: unknown): Open | null {
  if (codeOf(error) !== 'review_open' || !(error instanceof CallError)) return null;
  const { interruptId, decided, proposed } = (error.body?.standing ?? {}) as Partial<Open>;
  if (interruptId === undefined || decided === undefined || proposed === undefined) return null;
  return { interruptId, decided, proposed };
}

/**
 * Starts the analysis of the hazard log. A new analysis withdraws an open review, so it asks first if decisions were
 * made in that review.
 */
export function useAnalysisStart({
  onStarted,
  onFailed,
  onReview,
}: {
  onStarted: (response: string) => unknown;
  onFailed: (error: unknown) => void;
  onReview: (interruptId: number) => void;
}): { start: (userAgentId: number) => Promise<void>; question: ReactNode } {
  const [asked, setAsked] = useState<(Open & { userAgentId: number }) | null>(null);
  const [busy, setBusy] = useState(false);
  const begin = async (userAgentId: number, withdrawQuestion?: number) => {
    try {
      await onStarted(await startAnalysis(userAgentId, withdrawQuestion));
      setAsked(null);
    } catch (error) {
      const open = openReviewOf(error);
      setAsked(open && { ...open, userAgentId });
      if (!open) onFailed(error);
    }
  };
  const withdraw = async () => {
    if (!asked) return;
    setBusy(true);
    await begin(asked.userAgentId, asked.interruptId);
    setBusy(false);
  };
  const continueReview = () => {
    if (!asked) return;
    onReview(asked.interruptId);
    setAsked(null);
  };
  const question = asked ? (
    <Suspense fallback={null}>
      <OpenReviewDialog
        {...asked}
        busy={busy}
        onWithdraw={withdraw}
        onContinue={continueReview}
        onClose={() => setAsked(null)}
      />
    </Suspense>
  ) : null;
  return { start: (userAgentId) => begin(userAgentId), question };
}
