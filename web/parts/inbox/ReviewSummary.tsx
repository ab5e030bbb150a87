import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { decisionsIn, describeOutcomes } from '../../../models/contracts/questionRows.ts';
import classes from './Inbox.module.css';

/** Counts of a review's decisions, with a link to the rows. */
export function ReviewSummary({
  interrupt,
  onReview,
}: {
  interrupt: Interrupt;
  onReview: (interruptId: number) => void;
}) {
  const rows = decisionsIn(interrupt.userResponse);
  return (
    <p className="soft">
      {interrupt.resolution ? `${describeOutcomes(interrupt.view.rows ?? {}, rows)}. ` : ''}
      <button type="button" className={classes.link} onClick={() => onReview(interrupt.id)}>
        See the rows
      </button>
    </p>
  );
}
