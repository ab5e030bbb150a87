import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { codeOf } from '../../data/call.ts';
import { useInterrupt } from '../../data/interrupts.ts';
import { parseId } from '../../data/parseId.ts';
import { Callout, Notice } from '../Notice.tsx';
import { ReviewDialog } from '../review/ReviewDialog.tsx';
import { Skeleton } from '../Skeleton.tsx';
import { Question } from './Question.tsx';

/** The question that a link from another channel or an email names, pending or resolved. */
export function LinkedQuestion({
  linked,
  otherwise,
}: {
  /** The id from the URL, not validated. */
  linked: string;
  /** Shown if the question does not exist for this person. */
  otherwise: ReactNode;
}) {
  const id = parseId(linked);
  const question = useInterrupt(id);
  const [reviewing, setReviewing] = useState(false);
  if (id === null || (!question.data && codeOf(question.error) === 'not_found')) {
    return (
      <>
        <Callout tone="waiting" title="This question can’t be shown">
          It does not exist, or it belongs to another company. Here is your own inbox.
        </Callout>
        {otherwise}
      </>
    );
  }
  if (question.error && !question.data) {
    return (
      <Notice
        tone="error"
        title="The question could not be loaded"
        text="It is safe on the server. Check your connection and try again."
        action={<Button onClick={() => void question.mutate()}>Try again</Button>}
      />
    );
  }
  if (!question.data) return <Skeleton lines={5} />;
  return (
    <>
      <div className="card" style={{ padding: '8px 20px 16px', fontSize: 14 }}>
        <Question interrupt={question.data} onReview={() => setReviewing(true)} onAnswered={() => undefined} />
      </div>
      <p>
        <Link to="/agent-inbox">See the whole inbox</Link>
      </p>
      {reviewing ? <ReviewDialog interrupt={question.data} onClose={() => setReviewing(false)} /> : null}
    </>
  );
}
