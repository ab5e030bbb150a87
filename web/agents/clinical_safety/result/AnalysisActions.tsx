import { Button } from '@mantine/core';
import { useState } from 'react';
import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { textOf } from '../../../data/call.ts';
import { saveFile, showDownloadFailure } from '../../../data/chat.ts';
import { showFailure, showToast } from '../../../data/toasts.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import { merge, useRefreshAnalysis } from '../analysis.ts';
import classes from './AnalysisResult.module.css';

/** What can be done with an analysis: review, merge, download. */
export function AnalysisActions({
  analysis,
  onReview,
}: {
  analysis: HazardAnalysis;
  onReview: ((interruptId: number) => void) | null;
}) {
  const [busy, setBusy] = useState<string | null>(null);
  const refresh = useRefreshAnalysis();
  const waits = analysis.status === 'in-review' && analysis.interruptId !== null;
  const matches = analysis.matchesInterruptId;
  const save = async (name: string) => {
    setBusy(name);
    await saveFile(name).catch(showDownloadFailure);
    setBusy(null);
  };
  const startMerge = async () => {
    setBusy('merge');
    try {
      const answer = await merge(analysis.id);
      showToast({ title: 'Merged Hazard Log Created', message: answer.filename, tone: 'done' });
      await refresh();
    } catch (error) {
      showFailure('Merge Failed', textOf(error, 'Nothing was changed. Please try again.'));
    }
    setBusy(null);
  };
  const { newHazards, merged } = analysis.files;
  const mayMerge = analysis.status === 'reviewed' || analysis.status === 'merged';
  if (!waits && matches === null && !newHazards && !merged && !mayMerge) return null;
  return (
    <div className={`${classes.actions} no-print`}>
      {waits && onReview ? (
        <Button onClick={() => onReview(analysis.interruptId ?? 0)}>Review the proposals</Button>
      ) : null}
      {mayMerge && !merged ? (
        <WorkButton busy={busy === 'merge'} onClick={startMerge}>
          Merge new lines into Hazard Log
        </WorkButton>
      ) : null}
      {matches !== null && onReview ? (
        <Button variant={mayMerge && !merged ? 'default' : 'filled'} onClick={() => onReview(matches)}>
          Review the possible matches
        </Button>
      ) : null}
      {merged ? (
        <WorkButton busy={busy === merged} onClick={() => save(merged)}>
          Download merged Hazard Log
        </WorkButton>
      ) : null}
      {newHazards ? (
        <WorkButton variant="default" busy={busy === newHazards} onClick={() => save(newHazards)}>
          Download New Hazards
        </WorkButton>
      ) : null}
    </div>
  );
}
