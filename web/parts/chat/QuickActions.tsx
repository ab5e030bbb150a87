import { Button } from '@mantine/core';
import { useState } from 'react';
import type { HazardAnalysis } from '../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { downloadFailure, merge, saveFile } from '../../agents/clinical_safety/analysis.ts';
import { useAnalysisStart } from '../../agents/clinical_safety/useAnalysisStart.tsx';
import { textOf } from '../../data/call.ts';
import { type History, refreshHistory } from '../../data/chat.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { count } from '../../data/words.ts';
import { WorkButton } from '../WorkButton.tsx';
import classes from './ChatWindow.module.css';

const SCANNED = 10;

/** The next steps that the conversation has made possible; each keys on what a message is and never on its text. */
export function QuickActions({
  history,
  analysis,
  interrupts,
  safetyAgentId,
  onReview,
}: {
  history: History;
  analysis: HazardAnalysis | null;
  interrupts: readonly Interrupt[];
  safetyAgentId: number | null;
  onReview: (interruptId: number) => void;
}) {
  const [downloaded, setDownloaded] = useState(false);
  const [busy, setBusy] = useState<string | null>(null);
  const latest = history.messages.filter((message) => message.messageType !== 'user').slice(0, SCANNED);
  const has = (kind: (typeof latest)[number]['kind']) => latest.some((message) => message.kind === kind);
  const review = interrupts.find(
    (it) => it.status === 'pending' && it.view.actions.some(({ opens }) => opens === 'rows'),
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
      (error) => showFailure('Download failed', downloadFailure(error)),
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
    review ? (
      <Button key="review" size="xs" onClick={() => onReview(review.id)}>
        Review {count(review.view.rows?.rows.length ?? 0, 'proposed hazard')}
      </Button>
    ) : null,
    history.ready.log && safetyAgentId !== null && !working && !review ? (
      <WorkButton
        key="analyse"
        size="xs"
        variant={analysis && !downloaded ? 'default' : 'filled'}
        busy={busy === 'analyse'}
        onClick={() => start(safetyAgentId)}
      >
        Analyse hazard log
      </WorkButton>
    ) : null,
    mayMerge && analysis ? (
      <WorkButton key="merge" size="xs" busy={busy === 'merge'} onClick={() => startMerge(analysis.id)}>
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
  if (buttons.length === 0) return analysing.question;
  return (
    <fieldset className={classes.quick} aria-label="Next steps" style={{ border: 0, margin: 0 }}>
      {buttons}
      {analysing.question}
    </fieldset>
  );
}
