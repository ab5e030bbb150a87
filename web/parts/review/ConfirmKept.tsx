import { Button } from '@mantine/core';
import { count } from '../../data/words.ts';
import classes from './Review.module.css';
import { keptText, namesText } from './reviewText.ts';

/** Asks for confirmation before sending decisions that were kept from the previous review, and names their rows. */
export function ConfirmKept({
  kept,
  decided,
  onShow,
  onSend,
}: {
  /** Names of the rows. */
  kept: readonly string[];
  decided: number;
  onShow: () => void;
  onSend: () => void;
}) {
  return (
    <fieldset className={classes.confirm} aria-label="Decisions kept from before">
      <div className={classes.confirmText}>
        <p>
          <strong>Send {count(decided, 'decision')}?</strong> {keptText(kept.length)} Nobody has changed{' '}
          {kept.length === 1 ? 'it' : 'them'} since: <span className="mono">{namesText(kept)}</span>.
        </p>
      </div>
      <div className={classes.confirmActions}>
        <Button variant="default" autoFocus data-mantine-stop-propagation="true" onClick={onShow}>
          Look at {kept.length === 1 ? 'it' : 'them'}
        </Button>
        <Button data-mantine-stop-propagation="true" onClick={onSend}>
          Send {decided}
        </Button>
      </div>
    </fieldset>
  );
}
