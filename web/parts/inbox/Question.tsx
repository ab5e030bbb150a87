import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { momentOf } from '../../data/words.ts';
import { Tag, type TagTone } from '../Tag.tsx';
import { AnswerForm } from './AnswerForm.tsx';
import classes from './Inbox.module.css';
import { Previews } from './Previews.tsx';

const ReviewSummary = lazy(async () => ({ default: (await import('./ReviewSummary.tsx')).ReviewSummary }));

const types: Record<Interrupt['interruptType'], string> = {
  approval: 'Approval',
  decision: 'Decision',
  input: 'Input',
  hazard_review: 'Hazard review',
  project_preview: 'Project preview',
  REPLIT_PROJECT_CREATED: 'Project created',
};

const outcomes: Record<NonNullable<Interrupt['resolution']>['outcome'], { label: string; tone: TagTone }> = {
  approved: { label: 'Approved', tone: 'done' },
  modified: { label: 'Approved with changes', tone: 'done' },
  rejected: { label: 'Rejected', tone: 'error' },
  answered: { label: 'Answered', tone: 'done' },
};

/** One question: who asks, what and why, and the form to answer it, or the answer that stands. */
export function Question({
  interrupt,
  continues = false,
  onReview,
  onAnswered,
}: {
  interrupt: Interrupt;
  /** In an agent's own panel the answer is how its workflow goes on. */
  continues?: boolean;
  onReview: (interruptId: number) => void;
  onAnswered: () => void;
}) {
  const { context, resolution } = interrupt;
  const pending = interrupt.status === 'pending';
  return (
    <article className={classes.question} aria-label={interrupt.prompt}>
      <div className={classes.questionHead}>
        <span>
          <strong>{interrupt.agentName}</strong>
          <span className="soft"> · {types[interrupt.interruptType]}</span>
        </span>
        <span className="soft small">{momentOf(interrupt.createdAt)}</span>
      </div>
      <p className={classes.prompt}>{interrupt.prompt}</p>
      {context.headline ? <p className="soft">{context.headline}</p> : null}
      {context.objective ? (
        <p className="soft">
          Objective: {context.objective}
          {context.step ? `, step ${context.step}` : ''}
        </p>
      ) : null}
      {context.description ? <p className="soft">{context.description}</p> : null}
      <Previews context={context} />
      {pending ? (
        interrupt.interruptType === 'hazard_review' ? (
          <div className={classes.actions}>
            <Button onClick={() => onReview(interrupt.id)}>
              {!interrupt.abilities.answer
                ? 'Read the proposals'
                : interrupt.draft && interrupt.draft.rows.length > 0
                  ? `Continue, ${interrupt.draft.rows.length} of ${context.rows?.length ?? 0} decided`
                  : 'Review the proposals'}
            </Button>
            {interrupt.abilities.waitsFor ? <p className="soft">{interrupt.abilities.waitsFor}</p> : null}
          </div>
        ) : interrupt.abilities.answer ? (
          <AnswerForm interrupt={interrupt} continues={continues} onAnswered={onAnswered} />
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
          {interrupt.interruptType === 'hazard_review' ? (
            <Suspense fallback={null}>
              <ReviewSummary interrupt={interrupt} onReview={onReview} />
            </Suspense>
          ) : null}
          {resolution?.reason ? <p className="soft">{resolution.reason}</p> : null}
        </div>
      )}
    </article>
  );
}
