import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAgents } from '../../data/agents.ts';
import { useInterrupts } from '../../data/interrupts.ts';
import { Page, PageHead } from '../Page.tsx';
import { ReviewDialog } from '../review/ReviewDialog.tsx';
import { Inbox } from './Inbox.tsx';
import { LinkedQuestion } from './LinkedQuestion.tsx';

/** The questions of all agents, or the one question that the URL names. */
export function AllQuestions() {
  const { data: agents, error: agentsError } = useAgents(true);
  const interrupts = useInterrupts((agents ?? []).map((agent) => agent.id));
  const [reviewing, setReviewing] = useState<number | null>(null);
  const [query] = useSearchParams();
  const linked = query.get('interrupt');
  const inbox = (
    <div className="card" style={{ padding: '8px 20px 16px', fontSize: 14 }}>
      <Inbox
        interrupts={interrupts.data}
        error={interrupts.error ?? agentsError}
        nobody={agents?.length === 0}
        onRetry={() => void interrupts.mutate()}
        onReview={setReviewing}
        onAnswered={() => undefined}
      />
    </div>
  );
  return (
    <Page title="Agent Inbox" reading>
      <PageHead title="Agent Inbox" subtitle="What your agents ask, and what was answered" />
      {linked === null ? inbox : <LinkedQuestion key={linked} linked={linked} otherwise={inbox} />}
      {reviewing !== null ? (
        <ReviewDialog
          interrupt={interrupts.data?.find((it) => it.id === reviewing) ?? null}
          onClose={() => setReviewing(null)}
        />
      ) : null}
    </Page>
  );
}
