import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type QuestionRows, type RowOutcome, wordsOf } from '../../../models/contracts/questionRows.ts';
import { WorkButton } from '../WorkButton.tsx';
import { ConfirmKept } from './ConfirmKept.tsx';
import type { SaveState } from './keeper.ts';
import classes from './Review.module.css';

const saves: Record<SaveState, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  waiting: 'Not sent yet',
};

/** Always in view: the count of decided rows, the save state, undo, and the send button. */
export function ReviewFoot({
  isBar = false,
  view,
  row,
  decided,
  total,
  reviewers,
  fault,
  note,
  said,
  state,
  sending,
  confirming,
  kept,
  onShowKept,
  undoable,
  onUndo,
  onSend,
}: {
  /** True where it has the current row's decision buttons on every screen. */
  isBar?: boolean;
  view: QuestionRows;
  /** The current row with its decision buttons, for small screens where the row's own buttons are out of reach. */
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
  /** "31 by Bo Lind, 19 by you". */
  reviewers: string;
  fault: string | null;
  /** Effect of the last key or button, if it is not visible otherwise. */
  note: string | null;
  /** What a screen reader hears of the last action. */
  said: string;
  state: SaveState;
  sending: boolean;
  /** Whether sending asks about decisions that were kept from the previous review. */
  confirming: boolean;
  /** Names of their rows. */
  kept: readonly string[];
  onShowKept: () => void;
  /** Description of the last decision; null if nothing can be undone. */
  undoable: string | null;
  onUndo: () => void;
  onSend: () => void;
}) {
  const label = (outcome: RowOutcome) => wordsOf(view, outcome).label;
  return (
    <div className={classes.foot} data-bar={isBar || undefined}>
      <p className="hidden-label" role="status">
        {said}
      </p>
      {fault ? (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      ) : null}
      {confirming ? <ConfirmKept kept={kept} decided={decided} onShow={onShowKept} onSend={onSend} /> : null}
      {row ? (
        <fieldset className={classes.inHand}>
          <legend className="mono">{row.name}</legend>
          <Button variant={row.accepted ? 'filled' : 'light'} aria-pressed={row.accepted} onClick={row.accept}>
            {label('accepted')}
          </Button>
          <Button variant="default" onClick={row.edit}>
            {label('edited')}
          </Button>
          <Button
            variant="default"
            className={row.rejected ? classes.rejected : undefined}
            aria-pressed={row.rejected}
            onClick={row.reject}
          >
            {label('rejected')}
          </Button>
        </fieldset>
      ) : null}
      <div className={classes.footLine}>
        <p className={classes.undo}>
          {note ? (
            <span className={classes.note}>{note}</span>
          ) : (
            <span className={classes.undoable}>{undoable ?? ''}</span>
          )}
          {undoable ? (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={onUndo}
            >
              Undo
            </Button>
          ) : null}
        </p>
        <div className={classes.tally}>
          <p className={classes.count}>
            <strong className="figures">
              {decided} of {total} decided
            </strong>{' '}
            <span className="soft small">
              {reviewers ? `${reviewers}. ` : ''}
              {decided > 0 || state !== 'saved' ? saves[state] : ''}
            </span>
          </p>
          {confirming ? null : (
            <WorkButton className={classes.send} onClick={onSend} busy={sending} disabled={decided === 0}>
              Send<span className={classes.wide}>{'\u00a0decisions'}</span>
            </WorkButton>
          )}
        </div>
      </div>
      <p className={classes.keys}>
        <span>
          <kbd>J</kbd> <kbd>K</kbd> move
        </span>
        <span>
          <kbd>A</kbd> {label('accepted').toLowerCase()}
        </span>
        <span>
          <kbd>E</kbd> {label('edited').toLowerCase()}
        </span>
        <span>
          <kbd>R</kbd> {label('rejected').toLowerCase()}
        </span>
        <span>
          <kbd>N</kbd> reason
        </span>
        <span>
          <kbd>Z</kbd> undo
        </span>
        <span>
          <kbd>1</kbd> <kbd>2</kbd> <kbd>3</kbd> choose
        </span>
        {isBar ? (
          <span>
            <kbd>F</kbd> filter
          </span>
        ) : null}
        <span>
          <kbd>Enter</kbd> next undecided
        </span>
        <span>
          <kbd>Esc</kbd> leave a field
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> send
        </span>
      </p>
    </div>
  );
}
