import { Button } from '@mantine/core';
import type { OutcomeWords, RowDecision } from '../../../models/contracts/questionRows.ts';
import { type Kept, outcomeText } from './decisions.ts';
import classes from './Review.module.css';

/** A row that a colleague decided differently in the meantime: both decisions, to choose from. */
export function RowClash({
  row,
  clash,
  by,
  outcomes,
  onSettle,
}: {
  /** Their decision. */
  row: RowDecision | undefined;
  /** This person's decision; null if this person removed theirs. */
  clash: Kept | null;
  by: string | null;
  outcomes: readonly OutcomeWords[];
  onSettle: (whose: 'mine' | 'theirs') => void;
}) {
  return (
    <fieldset className={classes.clash}>
      <legend>Decided by {by ?? 'a colleague'} meanwhile</legend>
      <p>
        Theirs: <strong>{outcomeText(row, outcomes)}</strong>
        <br />
        Yours: <strong>{outcomeText(clash ?? undefined, outcomes)}</strong>
        {clash?.reason ? `, “${clash.reason}”` : ''}
      </p>
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={() => onSettle('theirs')}>
          Keep theirs
        </Button>
        <Button size="xs" variant="default" onClick={() => onSettle('mine')}>
          Use mine
        </Button>
      </div>
    </fieldset>
  );
}
