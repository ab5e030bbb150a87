import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { momentOf } from '../../data/words.ts';
import { later } from '../later.tsx';
import { Tag, type TagTone } from '../Tag.tsx';
import { AnswerForm } from './AnswerForm.tsx';
import classes from './Inbox.module.css';
import { Sections } from './Sections.tsx';

const ReviewSummary = lazy(async () => ({ default: (await import('./ReviewSummary.tsx')).ReviewSummary }));

const AgreeButton = later(async () => (await import('./AgreeButton.tsx')).AgreeButton);

const QuestionHandling = later(async () => (await import('./QuestionHandling.tsx')).QuestionHandling);

const outcomes: Record<NonNullable<Interrupt['resolution']>['outcome'], { label: string; tone: TagTone }> = {
  approved: { label: 'Approved', tone: 'done' },
  modified: { label: 'Approved with changes', tone: 'done' },
  rejected: { label: 'Rejected', tone: 'error' },
  answered: { label: 'Answered', tone: 'done' },
};

/** One question with its details, and the answer form or the resolution. */
export function Question({
  interrupt,
  continues = false,
  onReview,
  onAnswered,
}: {
  interrupt: Interrupt;
  /** True in an agent's panel: the answer is sent as a call that continues its workflow. */
  continues?: boolean;
  onReview: (interruptId: number) => void;
  onAnswered: () => void;
}) {
  const { view, draft, resolution } = interrupt;
  const hasRows = view.actions.some(({ opens }) => opens === 'rows');
  const called = view.rows?.noun.many ?? 'rows';
  const pending = interrupt.status === 'pending';
  const { abilities } = interrupt;
  /** The second of two people can sign what the first has signed without opening the rows. */
  const agrees = interrupt.signedBy !== undefined && abilities.answer && !abilities.signed;
  return (
    <article className={classes.question} aria-label={interrupt.prompt}>
      <div className={classes.questionHead}>
        <span>
          <strong>{interrupt.agentName}</strong>
          <span className="soft"> · {view.label}</span>
        </span>
        <span className="soft small">{momentOf(interrupt.createdAt)}</span>
      </div>
      <p className={classes.prompt}>{interrupt.prompt}</p>
      <Sections sections={view.sections} />
      {pending ? (
        hasRows ? (
          <div className={classes.actions}>
            {agrees ? <AgreeButton interrupt={interrupt} onAnswered={onAnswered} /> : null}
            <Button variant={agrees ? 'default' : 'filled'} onClick={() => onReview(interrupt.id)}>
              {!interrupt.abilities.answer
                ? `Read the ${called}`
                : agrees
                  ? `Read the ${called}`
                  : draft && draft.rows.length > 0
                    ? `Continue, ${draft.rows.length} of ${interrupt.view.rows?.rows.length ?? 0} decided`
                    : `Review the ${called}`}
            </Button>
            {interrupt.abilities.waitsFor ? <p className="soft">{interrupt.abilities.waitsFor}</p> : null}
          </div>
        ) : interrupt.abilities.answer ? (
          <>
            {interrupt.abilities.signed ? <p className="soft">{interrupt.abilities.waitsFor}</p> : null}
            <AnswerForm interrupt={interrupt} continues={continues} onAnswered={onAnswered} />
          </>
        ) : (
          <p className="soft">{interrupt.abilities.waitsFor}</p>
        )
      ) : (
        <div className={classes.resolution}>
          {resolution ? (
            <Tag tone={outcomes[resolution.outcome].tone}>{outcomes[resolution.outcome].label}</Tag>
          ) : (
            <Tag>Withdrawn</Tag>
          )}
          <span>{resolution?.text ?? 'Withdrawn before it was answered.'}</span>
          {hasRows ? (
            <Suspense fallback={null}>
              <ReviewSummary interrupt={interrupt} onReview={onReview} />
            </Suspense>
          ) : null}
          {resolution?.reason ? <p className="soft">{resolution.reason}</p> : null}
        </div>
      )}
      <Suspense fallback={null}>
        <QuestionHandling interrupt={interrupt} />
      </Suspense>
    </article>
  );
}
