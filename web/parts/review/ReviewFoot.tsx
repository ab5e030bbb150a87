import { Button } from '@mantine/core';
import classes from './Review.module.css';
import type { SaveState } from './useReview.ts';

const saves: Record<SaveState, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  unsaved: 'Saving…',
  failed: 'Not saved',
};

/** Always in view: how many rows are decided, whether they are kept, and the button that sends them. */
export function ReviewFoot({
  row,
  decided,
  total,
  fault,
  state,
  other,
  sending,
  onRetry,
  onAcceptAll,
  onRejectAll,
  onSend,
}: {
  /** The row in hand, with its decisions: under the thumb on a small screen, where the row's own buttons are far. */
  row: {
    name: string;
    accepted: boolean;
    rejected: boolean;
    accept: () => void;
    edit: () => void;
    reject: () => void;
  } | null;
  decided: number;
  total: number;
  fault: string | null;
  state: SaveState;
  other: string | null;
  sending: boolean;
  onRetry: () => void;
  onAcceptAll: () => void;
  onRejectAll: () => void;
  onSend: () => void;
}) {
  return (
    <div className={classes.foot}>
      {fault ? (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      ) : null}
      {row ? (
        <fieldset className={classes.inHand}>
          <legend className="mono">{row.name}</legend>
          <Button variant={row.accepted ? 'filled' : 'light'} aria-pressed={row.accepted} onClick={row.accept}>
            Accept
          </Button>
          <Button variant="default" onClick={row.edit}>
            Edit
          </Button>
          <Button
            variant="default"
            className={row.rejected ? classes.rejected : undefined}
            aria-pressed={row.rejected}
            onClick={row.reject}
          >
            Reject
          </Button>
        </fieldset>
      ) : null}
      <div className={classes.footLine}>
        <p className={classes.decided} role="status">
          <strong className="figures">
            {decided} of {total} decided
          </strong>
          <span className="soft small">
            {decided > 0 || state !== 'saved' ? saves[state] : ''}
            {other ? `. ${other} has saved rows here too` : ''}
          </span>
          {state === 'failed' ? (
            <Button size="xs" variant="default" onClick={onRetry}>
              Save again
            </Button>
          ) : null}
        </p>
        <div className={classes.footActions}>
          <Button variant="default" onClick={onRejectAll}>
            Reject all
          </Button>
          <Button variant="default" onClick={onAcceptAll}>
            Accept all
          </Button>
          <Button onClick={onSend} loading={sending} disabled={decided === 0}>
            Send decisions
          </Button>
        </div>
      </div>
      <p className={classes.keys}>
        <span>
          <kbd>J</kbd> <kbd>K</kbd> move
        </span>
        <span>
          <kbd>A</kbd> accept
        </span>
        <span>
          <kbd>E</kbd> edit
        </span>
        <span>
          <kbd>R</kbd> reject
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> send
        </span>
      </p>
    </div>
  );
}
