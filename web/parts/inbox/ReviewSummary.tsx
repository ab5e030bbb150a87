import type { ReviewRow } from '../../../models/contracts/clinical_safety/hazards.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import classes from './Inbox.module.css';

/** How a review came out, with a way to see it row by row. */
export function ReviewSummary({
  interrupt,
  onReview,
}: {
  interrupt: Interrupt;
  onReview: (interruptId: number) => void;
}) {
  const rows = (interrupt.userResponse as { rows?: ReviewRow[] } | null)?.rows ?? [];
  const number = (outcome: ReviewRow['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return (
    <p className="soft">
      {interrupt.resolution
        ? `${number('accepted')} accepted, ${number('edited')} edited, ${number('rejected')} rejected. `
        : ''}
      <button type="button" className={classes.link} onClick={() => onReview(interrupt.id)}>
        See the rows
      </button>
    </p>
  );
}
