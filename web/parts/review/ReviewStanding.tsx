import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { QuestionRows } from '../../../models/contracts/questionRows.ts';
import { later } from '../later.tsx';
import { Callout } from '../Notice.tsx';
import { isSame, standingRow } from './decisions.ts';
import type { Keeper } from './keeper.ts';
import { LeftOver } from './LeftOver.tsx';
import classes from './Review.module.css';

const QuestionHandling = later(async () => (await import('../inbox/QuestionHandling.tsx')).QuestionHandling);

/**
 * The status of a review, above its rows: the prompt and who may answer while it is open; once it is closed, the answer
 * and this person's decisions that were not sent in time.
 */
export function ReviewStanding({
  interrupt,
  view,
  keeper,
  onDone,
}: {
  interrupt: Interrupt;
  view: QuestionRows;
  keeper: Keeper;
  /** Closes the review; null on its own page. */
  onDone: (() => void) | null;
}) {
  if (interrupt.status !== 'pending') {
    const isWithdrawn = interrupt.status === 'cancelled';
    const withoutAnswer = isWithdrawn ? 'Withdrawn before it was answered' : 'This question is closed.';
    return (
      <div className={classes.standing}>
        <Callout tone={isWithdrawn ? 'waiting' : 'done'} title={interrupt.resolution?.text ?? withoutAnswer}>
          {interrupt.resolution ? 'This answer is final. ' : ''}
          {isWithdrawn ? (
            <>
              Nothing can be decided here. <Link to="/agent-inbox">See what waits in the inbox</Link>{' '}
            </>
          ) : null}
          {onDone ? (
            <Button size="xs" variant="default" onClick={onDone}>
              Close
            </Button>
          ) : null}
        </Callout>
        <LeftOver
          rows={keeper.leftOver().filter((row) => !isSame(row, standingRow(interrupt, row.id)))}
          view={view}
          onDiscard={keeper.discard}
        />
      </div>
    );
  }
  return (
    <>
      <p className={classes.prompt}>{interrupt.prompt}</p>
      {interrupt.proposed ? (
        <div className={classes.standing}>
          <Callout tone="waiting" title={interrupt.proposed} />
        </div>
      ) : null}
      {interrupt.abilities.answer ? null : (
        <div className={classes.standing}>
          <Callout tone="waiting" title="You can read this review">
            {interrupt.abilities.waitsFor}
          </Callout>
        </div>
      )}
      <div className={classes.standing}>
        <Suspense fallback={null}>
          <QuestionHandling interrupt={interrupt} />
        </Suspense>
      </div>
    </>
  );
}
