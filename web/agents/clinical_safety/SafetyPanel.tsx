import { IconFileAnalytics } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { analysisPath } from '../../../models/contracts/clinical_safety/analyses.ts';
import { POLLS } from '../../../models/contracts/limits.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { textOf } from '../../data/call.ts';
import { putSample, useHistory } from '../../data/chat.ts';
import { useInterrupts } from '../../data/interrupts.ts';
import { showFailure } from '../../data/toasts.ts';
import classes from '../../parts/agents/WorkPanel.module.css';
import { ProgressCard } from '../../parts/chat/ProgressCard.tsx';
import { useUpload } from '../../parts/chat/useUpload.ts';
import { MessageText } from '../../parts/MessageText.tsx';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import { ANALYSES_PATH } from './analyses/analyses.ts';
import { useAnalysis, useLatestAnalysis } from './analysis.ts';
import { Assess } from './assessment/Assess.tsx';
import { FILE_WORDS } from './fileWords.ts';
import { IncidentRecord } from './incident/IncidentRecord.tsx';
import { PROFILES_TITLE, PROFILES_URL } from './profiles/profiles.ts';
import { CaseReports } from './reports/CaseReports.tsx';
import { ReportCheck } from './reports/ReportCheck.tsx';
import { AnalysisResult } from './result/AnalysisResult.tsx';
import { useAnalysisStart } from './useAnalysisStart.tsx';

const ReviewDialog = lazy(async () => ({
  default: (await import('../../parts/review/ReviewDialog.tsx')).ReviewDialog,
}));

type Work = 'log' | 'sample';
type Fault = { title: string; text: string };

/** The clinical safety officer's panel: analyse the hazard log, read the result, answer the review. */
export function SafetyPanel({ agent, user }: { agent: UserAgent; user: SessionUser }) {
  const [reply, setReply] = useState<string | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState<Work | null>(null);
  const [reviewing, setReviewing] = useState<number | null>(null);
  // A link to rows names the analysis that they are of.
  const named = Number(useSearchParams()[0].get('of')) || null;
  const newest = useLatestAnalysis(named === null ? user.id : null);
  const one = useAnalysis(named);
  const latest = named === null ? newest : one;
  const { data: history } = useHistory(true);
  const { data: interrupts = [] } = useInterrupts([agent.id], POLLS.panelInterrupts);
  const uploading = useUpload(FILE_WORDS);
  const running = history?.working.filter((run) => run.status === 'working') ?? [];

  const fail = (title: string, error: unknown) => {
    const text = textOf(error, 'Nothing was changed. Please try again.');
    setFault({ title, text });
    showFailure(title, text);
  };
  const attempt = async (name: Work, title: string, work: () => Promise<void>) => {
    setBusy(name);
    setFault(null);
    try {
      await work();
    } catch (error) {
      fail(title, error);
    }
    setBusy(null);
  };
  const analysing = useAnalysisStart({
    onStarted: setReply,
    onFailed: (error) => fail('Hazard Log Analysis Failed', error),
    onReview: setReviewing,
  });
  const analyseLog = () => attempt('log', 'Hazard Log Analysis Failed', () => analysing.start(agent.id));
  const mergeNothing = () =>
    setFault({
      title: 'No Analysis Available',
      text: 'Please complete a hazard log analysis before merging.',
    });
  const sample = () => attempt('sample', 'The sample could not be loaded', putSample);

  if (agent.status !== 'onboarded') {
    return (
      <Callout tone="waiting" title={`${agent.displayName} isn’t onboarded yet`}>
        <Link to="/#team">Complete the onboarding</Link> to give {agent.displayName} work.
      </Callout>
    );
  }
  const log = history?.ready.log ?? null;
  const tasks = (
    <div className={classes.form}>
      <div className={classes.formActions}>
        <WorkButton
          variant={latest.data?.status === 'in-review' ? 'default' : 'filled'}
          busy={busy === 'log'}
          disabled={!log || uploading.busy || running.length > 0}
          onClick={analyseLog}
        >
          Analyse hazard log
        </WorkButton>
        <WorkButton variant="default" busy={uploading.busy} onClick={uploading.choose}>
          Upload a file
        </WorkButton>
        {latest.data === null ? (
          <WorkButton variant="default" onClick={mergeNothing}>
            Merge into the hazard log
          </WorkButton>
        ) : null}
        <Link to="/agent-inbox">Agent inbox</Link>
      </div>
      <p className="soft small">
        {log
          ? `Hazard log: ${log}. Tickets: ${history?.ready.tickets ?? 'none added (optional)'}.`
          : 'No hazard log yet. Upload one (Excel, Word, CSV or Markdown) to analyse it.'}{' '}
        <Link to={PROFILES_URL}>{PROFILES_TITLE}</Link>
      </p>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
      {reply ? (
        <div className={classes.reply} role="status">
          <MessageText text={reply} />
        </div>
      ) : null}
    </div>
  );
  return (
    <>
      {latest.data ? null : tasks}
      {running.map((run) => (
        <ProgressCard key={run.runId} run={run} />
      ))}
      {latest.error && !latest.data ? (
        <Callout tone="error" title="The latest analysis could not be loaded">
          It is kept on the server. Reload the page to try again.
        </Callout>
      ) : latest.data === undefined ? (
        <Skeleton lines={4} />
      ) : latest.data === null ? (
        running.length > 0 ? null : (
          <div className="card">
            <Notice
              level={3}
              icon={<IconFileAnalytics size={20} />}
              title="No analysis yet"
              text={
                log
                  ? 'Hazards, findings, coverage and proposals appear here. Analyse your hazard log to see them.'
                  : 'Hazards, findings, coverage and proposals appear here. Upload a hazard log, or try a sample first.'
              }
              action={
                log ? null : (
                  <WorkButton variant="light" busy={busy === 'sample'} onClick={sample}>
                    Try it with a sample
                  </WorkButton>
                )
              }
            />
          </div>
        )
      ) : (
        <>
          <AnalysisResult
            analysis={latest.data}
            label={named === null ? 'Latest hazard analysis' : 'Hazard analysis'}
            onReview={setReviewing}
          />
          <p className="small">
            <Link to={analysisPath(latest.data.id)}>Open this analysis on its own page</Link>
            {' · '}
            <Link to={`/${ANALYSES_PATH}`}>All analyses</Link>
          </p>
          {tasks}
        </>
      )}
      <Assess userAgentId={agent.id} />
      <CaseReports
        userAgentId={agent.id}
        hasAnalysis={Boolean(latest.data?.analysisMetadata)}
        isBusy={running.length > 0}
      />
      <ReportCheck userAgentId={agent.id} />
      <IncidentRecord userAgentId={agent.id} />
      {analysing.question}
      {reviewing !== null ? (
        <Suspense fallback={null}>
          <ReviewDialog
            interrupt={interrupts.find((it) => it.id === reviewing) ?? null}
            onClose={() => setReviewing(null)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
