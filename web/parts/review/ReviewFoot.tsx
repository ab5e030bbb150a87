import { Button } from '@mantine/core';
import { WorkButton } from '../WorkButton.tsx';
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
  unchosen,
  onRetry,
  onAcceptAll,
  onChoose,
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
  /** How many rows would take their best match, once Accept all was pressed; 0 while it was not. */
  unchosen: number;
  onRetry: () => void;
  onAcceptAll: () => void;
  onChoose: () => void;
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
      {unchosen > 0 ? (
        <fieldset className={classes.confirm} aria-label="Accept all">
          <p>
            {unchosen === 1 ? '1 row has' : `${unchosen} rows have`} more than one match and nobody chose. Accept all
            takes the best match for {unchosen === 1 ? 'it' : 'each'}, and the record says so.
          </p>
          <div className={classes.footActions}>
            <Button variant="default" onClick={onChoose}>
              Choose myself
            </Button>
            <Button autoFocus onClick={onAcceptAll}>
              Accept all, {unchosen} with the best match
            </Button>
          </div>
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
          <WorkButton onClick={onSend} busy={sending} disabled={decided === 0}>
            Send decisions
          </WorkButton>
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
