import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { webAgent } from '../../agents/index.ts';
import { codeOf } from '../../data/call.ts';
import { useOpenedLink } from '../../data/sharedLinks.ts';
import { dateOf } from '../../data/words.ts';
import { Notice } from '../../parts/Notice.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import classes from './AuditorPage.module.css';

/** One result of an agent, read-only and without an account, for whoever holds a link. */
export function AuditorPage() {
  const { secret = '' } = useParams();
  const { data, error, mutate } = useOpenedLink(secret);
  const Shared = webAgent(data?.agentId)?.Shared;
  const refusal = REFUSALS[codeOf(error) ?? ''];
  if (data && Shared)
    return (
      <>
        <div className={`${classes.bar} no-print`}>
          <p className="soft">
            You were sent this copy to read. The link works until {dateOf(data.expiresAt)}; each opening is recorded.
          </p>
          <Button variant="default" onClick={() => window.print()}>
            Print or save as PDF
          </Button>
        </div>
        <Suspense fallback={<Skeleton lines={5} />}>
          <Shared result={data.result} />
        </Suspense>
      </>
    );
  return refusal ? <Notice level={1} {...refusal} /> : <NotLoaded failed={Boolean(error)} retry={mutate} />;
}

const REFUSALS: Record<string, { title: string; text: string }> = {
  link_over: {
    title: 'This link does not work',
    text: 'It may have expired or been withdrawn. Ask whoever sent it for a new one.',
  },
  expired: {
    title: 'The result is no longer kept',
    text: `Results are kept for ${LIMITS.retentionDays} days. Ask whoever sent the link for a new analysis.`,
  },
  too_many: {
    title: 'Too many tries',
    text: 'Wait a quarter of an hour, then open the link again.',
  },
};
