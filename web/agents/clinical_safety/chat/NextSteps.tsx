import { useState } from 'react';
import { textOf } from '../../../data/call.ts';
import { refreshHistory, saveFile, showDownloadFailure } from '../../../data/chat.ts';
import { showFailure, showToast } from '../../../data/toasts.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import type { StepsProps } from '../../agent.ts';
import { merge, useAnalysis, useLatestAnalysis } from '../analysis.ts';
import { useAnalysisStart } from '../useAnalysisStart.tsx';

/** Messages of agents and system that are searched for next steps (docs/spec-coverage.md, S1 section 9). */
const MAX_SCANNED_MESSAGES = 10;

/** Buttons for the next possible steps. They depend on the kinds of the latest messages, never on their text. */
export function NextSteps({ history, interrupts, agents, user, isUploading, onReview }: StepsProps) {
  // The analysis that this conversation made or opened, else the newest.
  const worksOn = history.messages.find(({ card }) => card?.hazardAnalysisId !== undefined)?.card?.hazardAnalysisId;
  const newest = useLatestAnalysis(worksOn === undefined ? user.id : null);
  const own = useAnalysis(worksOn ?? null);
  const analysis = (worksOn === undefined ? newest.data : own.data) ?? null;
  const agent = agents.find(({ agentId }) => agentId === 'clinical_safety')?.id ?? null;
  const [downloaded, setDownloaded] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const latest = history.messages.filter((message) => message.messageType !== 'user').slice(0, MAX_SCANNED_MESSAGES);
  const has = (kind: (typeof latest)[number]['kind']) => latest.some((message) => message.kind === kind);
  // Possible matches are asked about after the proposals and block nothing.
  const review = interrupts.find((it) => it.status === 'pending' && it.interruptType === 'hazard_review');
  // An analysis that asks how the log is read waits for that answer; another one would only ask again.
  const asksHowToRead = interrupts.some(
    (it) => it.status === 'pending' && it.agentId === 'clinical_safety' && it.interruptType === 'choices',
  );
  const working = history.working.some((run) => run.status === 'working');
  const newHazards = has('analysis-complete') ? (analysis?.files.newHazards ?? null) : null;
  const merged = has('merge-complete') ? (analysis?.files.merged ?? null) : null;
  const mayMerge = Boolean(analysis) && !review && !merged && (downloaded || has('review-complete'));

  const attempt = async (name: string, work: () => Promise<unknown>, failed: (error: unknown) => void) => {
    setBusy(name);
    try {
      await work();
    } catch (error) {
      failed(error);
    }
    setBusy(null);
  };
  const save = (name: string, fileName: string) =>
    attempt(
      name,
      async () => {
        await saveFile(fileName);
        if (name === 'new') setDownloaded(true);
      },
      showDownloadFailure,
    );
  const startMerge = (id: number) =>
    attempt(
      'merge',
      async () => {
        const answer = await merge(id);
        await refreshHistory();
        showToast({ title: 'Merged Hazard Log Created', message: answer.filename, tone: 'done' });
      },
      (error) => showFailure('Merge Failed', textOf(error, 'Failed to send merge request. Please try again.')),
    );
  const analysing = useAnalysisStart({
    onStarted: refreshHistory,
    onFailed: (error) =>
      showFailure('Hazard Log Analysis Failed', textOf(error, 'Nothing was changed. Please try again.')),
    onReview,
  });
  const start = (id: number) =>
    attempt(
      'analyse',
      () => analysing.start(id),
      () => undefined,
    );

  const buttons = [
    history.ready.log && agent !== null && !working && !review && !asksHowToRead ? (
      <WorkButton
        key="analyse"
        size="xs"
        variant={analysis && !downloaded ? 'default' : 'filled'}
        busy={busy === 'analyse'}
        disabled={isUploading}
        onClick={() => start(agent)}
      >
        Analyse hazard log
      </WorkButton>
    ) : null,
    mayMerge && analysis ? (
      <WorkButton
        key="merge"
        size="xs"
        busy={busy === 'merge'}
        disabled={isUploading}
        onClick={() => startMerge(analysis.id)}
      >
        Merge new lines into Hazard Log
      </WorkButton>
    ) : null,
    merged ? (
      <WorkButton key="merged" size="xs" busy={busy === 'merged'} onClick={() => save('merged', merged)}>
        Download merged Hazard Log
      </WorkButton>
    ) : null,
    newHazards ? (
      <WorkButton key="new" size="xs" variant="default" busy={busy === 'new'} onClick={() => save('new', newHazards)}>
        Download New Hazards
      </WorkButton>
    ) : null,
  ].filter(Boolean);
  return (
    <>
      {buttons}
      {analysing.question}
    </>
  );
}
