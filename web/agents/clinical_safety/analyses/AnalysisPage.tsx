import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { SessionUser } from '../../../../models/contracts/auth.ts';
import { codeOf } from '../../../data/call.ts';
import { useInterrupt } from '../../../data/interrupts.ts';
import { parseId } from '../../../data/parseId.ts';
import { useAttempt } from '../../../data/useAttempt.ts';
import { dateOf, timeOf } from '../../../data/words.ts';
import { Notice } from '../../../parts/Notice.tsx';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { Page, PageHead } from '../../../parts/Page.tsx';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import { useAnalysis } from '../analysis.ts';
import { AnalysisResult } from '../result/AnalysisResult.tsx';
import { ANALYSES_PATH, ANALYSES_TITLE, ANALYSIS_REFUSALS, openInChat } from './analyses.ts';

const ReviewDialog = lazy(async () => ({
  default: (await import('../../../parts/review/ReviewDialog.tsx')).ReviewDialog,
}));

const EvidenceMenu = lazy(async () => ({ default: (await import('../evidence/EvidenceMenu.tsx')).EvidenceMenu }));

/** One analysis, by its id in the address. */
export function AnalysisPage({
  user,
  params,
}: {
  user: SessionUser;
  params: Readonly<Record<string, string | undefined>>;
}) {
  const id = parseId(params.id);
  const { data, error, mutate } = useAnalysis(id);
  const [reviewing, setReviewing] = useState<number | null>(null);
  const review = useInterrupt(reviewing);
  const all = <Link to={`/${ANALYSES_PATH}`}>{ANALYSES_TITLE}</Link>;
  if (id === null || (!data && codeOf(error) === 'not_found')) {
    return (
      <Page title="Analysis">
        <Notice
          level={1}
          {...ANALYSIS_REFUSALS.not_found}
          action={
            <Button component={Link} to={`/${ANALYSES_PATH}`}>
              See your analyses
            </Button>
          }
        />
      </Page>
    );
  }
  if (!data && codeOf(error) === 'expired') {
    return (
      <Page title="Analysis">
        <PageHead title="Analysis" before={all} />
        <Notice {...ANALYSIS_REFUSALS.expired} />
      </Page>
    );
  }
  if (!data) {
    return (
      <Page title="Analysis">
        <PageHead title="Analysis" before={all} />
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      </Page>
    );
  }
  const day = dateOf(data.createdAt, user.timeZone);
  return (
    <Page title={`Analysis of ${data.logFileName}, ${day}`}>
      <PageHead
        title={`Analysis of ${day}, ${timeOf(data.createdAt, user.timeZone)}`}
        before={all}
        actions={
          data.analysisMetadata ? (
            <>
              <AskInChat id={data.id} />
              <Suspense fallback={null}>
                <EvidenceMenu id={data.id} mayShare={user.roles.includes('owner')} />
              </Suspense>
            </>
          ) : undefined
        }
      />
      <h2 className="hidden-label">Result</h2>
      <AnalysisResult analysis={data} label="Hazard analysis" onReview={setReviewing} />
      {reviewing !== null ? (
        <Suspense fallback={null}>
          <ReviewDialog interrupt={review.data ?? null} onClose={() => setReviewing(null)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** Opens the analysis in a conversation, where it can be asked about. */
function AskInChat({ id }: { id: number }) {
  const navigate = useNavigate();
  const [busy, attempt] = useAttempt();
  const open = () =>
    attempt(async () => {
      await openInChat(id);
      await navigate('/arc-chat');
    });
  return (
    <WorkButton variant="default" busy={busy} onClick={open}>
      Ask about it in the chat
    </WorkButton>
  );
}
