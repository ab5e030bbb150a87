import { Button, Modal } from '@mantine/core';
import { count } from '../../data/words.ts';
import { WorkButton } from '../../parts/WorkButton.tsx';

/** Asks whether a new analysis may withdraw a review that was begun. */
export function OpenReviewDialog({
  decided,
  proposed,
  busy,
  onWithdraw,
  onContinue,
  onClose,
}: {
  decided: number;
  proposed: number;
  busy: boolean;
  onWithdraw: () => void;
  onContinue: () => void;
  onClose: () => void;
}) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="A review is open"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <p>
        <strong>
          {decided} of {count(proposed, 'proposal')} decided.
        </strong>{' '}
        A new analysis withdraws this review. Decisions on unchanged proposals are kept; the others are proposed again.
      </p>
      <div style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 8, marginTop: 20 }}>
        <WorkButton variant="default" busy={busy} onClick={onWithdraw}>
          Withdraw it and analyse again
        </WorkButton>
        <Button data-autofocus onClick={onContinue}>
          Continue the review
        </Button>
      </div>
    </Modal>
  );
}
