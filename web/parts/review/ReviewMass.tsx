import { Button } from '@mantine/core';
import { type QuestionRows, wordsOf } from '../../../models/contracts/questionRows.ts';
import { count } from '../../data/words.ts';
import classes from './Review.module.css';
import { bestMatchText, keepUndecided, theUndecided } from './reviewText.ts';

export type MassDecision = 'accept' | 'reject';
const OUTCOMES = { accept: 'accepted', reject: 'rejected' } as const;

type Offering = Pick<QuestionRows, 'reasons' | 'outcomes'>;
const verbOf = (view: Offering, decision: MassDecision) => wordsOf(view, OUTCOMES[decision]).all;

/** Outcomes that all undecided rows may get at once: those that need neither an answer nor a reason per row. */
const massOffered = (view: Offering): MassDecision[] =>
  (['accept', 'reject'] as const).filter(
    (decision) => verbOf(view, decision) !== null && !view.reasons.includes(OUTCOMES[decision]),
  );

/** One decision for all undecided rows, after a confirmation. Decided rows stay unchanged. */
export function ReviewMass({
  view,
  undecided,
  decided,
  unchosen,
  asking,
  onAsk,
  onChoose,
  onDecide,
}: {
  view: Offering;
  undecided: number;
  decided: number;
  /** Undecided rows with several matches and none chosen. */
  unchosen: number;
  asking: MassDecision | null;
  onAsk: (asking: MassDecision | null) => void;
  onChoose: () => void;
  onDecide: (decision: MassDecision) => void;
}) {
  const offered = massOffered(view);
  if (undecided === 0 || offered.length === 0) return null;
  if (!asking) {
    return (
      <div className={classes.mass}>
        {offered.map((decision) => (
          <Button key={decision} size="xs" variant="default" onClick={() => onAsk(decision)}>
            {verbOf(view, decision)} {theUndecided(undecided)}
          </Button>
        ))}
      </div>
    );
  }
  const verb = verbOf(view, asking);
  const choices = asking === 'accept' ? unchosen : 0;
  return (
    <fieldset className={classes.confirm} aria-label={`${verb} the undecided`}>
      <div className={classes.confirmText}>
        <p>
          <strong>
            {verb} {theUndecided(undecided)}?
          </strong>{' '}
          {decided > 0
            ? `The ${count(decided, 'decision')} already made ${decided === 1 ? 'stays as it is' : 'stay as they are'}.`
            : ''}
        </p>
        {choices > 0 ? <p>{bestMatchText(choices)}</p> : null}
      </div>
      <div className={classes.confirmActions}>
        <Button variant="default" autoFocus data-mantine-stop-propagation="true" onClick={() => onAsk(null)}>
          {keepUndecided(undecided)}
        </Button>
        {choices > 0 ? (
          <Button variant="default" data-mantine-stop-propagation="true" onClick={onChoose}>
            Choose myself
          </Button>
        ) : null}
        <Button
          className={asking === 'reject' ? classes.rejectAll : undefined}
          data-mantine-stop-propagation="true"
          onClick={() => onDecide(asking)}
        >
          {verb} {undecided}
          {choices > 0 ? `, ${choices} with the closest match` : ''}
        </Button>
      </div>
    </fieldset>
  );
}
