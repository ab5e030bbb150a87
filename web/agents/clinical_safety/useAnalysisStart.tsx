import { Button, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CallError, codeOf } from '../../data/call.ts';
import { count } from '../../data/words.ts';
import { WorkButton } from '../../parts/WorkButton.tsx';
import { startAnalysis } from './analysis.ts';

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
  const question = (
    <Modal
      opened={asked !== null}
      onClose={() => setAsked(null)}
      title="A review is open"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      {asked ? (
        <>
          <p>
            <strong>
              {asked.decided} of {count(asked.proposed, 'proposal')} decided.
            </strong>{' '}
            A new analysis withdraws this review. Decisions on unchanged proposals are kept; the others are proposed
            again.
          </p>
          <div style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 8, marginTop: 20 }}>
            <WorkButton variant="default" busy={busy} onClick={withdraw}>
              Withdraw it and analyse again
            </WorkButton>
            <Button data-autofocus onClick={continueReview}>
              Continue the review
            </Button>
          </div>
        </>
      ) : null}
    </Modal>
  );
  return { start: (userAgentId) => begin(userAgentId), question };
}
