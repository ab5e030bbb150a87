import { Button } from '@mantine/core';
import type { StepsProps } from '../../agents/agent.ts';
import { WEB_AGENTS } from '../../agents/index.ts';
import { count } from '../../data/words.ts';
import classes from './ChatWindow.module.css';

/** Next steps: the pending review, and each agent's own buttons. */
export function QuickActions(steps: StepsProps) {
  const review = steps.interrupts.find(
    (it) => it.status === 'pending' && it.view.actions.some(({ opens }) => opens === 'rows'),
  );
  const rows = review?.view.rows;
  return (
    <fieldset className={classes.quick} aria-label="Next steps">
      {review && rows ? (
        <Button
          size="xs"
          variant={review.abilities.answer ? 'filled' : 'default'}
          onClick={() => steps.onReview(review.id)}
        >
          {review.abilities.answer ? 'Review' : 'Read'} {count(rows.rows.length, rows.noun.one, rows.noun.many)}
        </Button>
      ) : null}
      {WEB_AGENTS.map(({ id, NextSteps }) => (NextSteps ? <NextSteps key={id} {...steps} /> : null))}
    </fieldset>
  );
}
