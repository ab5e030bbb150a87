import { z } from 'zod';
import { auditTrail } from '../../../../models/auditEvent.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { attachmentOf, SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { findFile, keepFile, readFileBytes } from '../../../../models/files.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { surfaceOfRun } from '../../../engine/audit/surfaceOfRun.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { saveDraft } from '../../../engine/documents/sandbox.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { rowReviewsOf } from '../export/rowReviews.ts';
import { ownFiles } from '../files/currentFiles.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { describeAdded } from '../merge/additionText.ts';
import { describeNewHazards } from '../merge/describeMerge.ts';
import { loadCore, loadResult } from '../results/results.ts';
import type { MergeOutput } from '../worker/jobs.ts';
import { merge } from '../worker/pool.ts';
import { onlyReference } from './derived.ts';
import { waitForRecordedReview } from './recordedReview.ts';

/** The state of a merge: the analysis, and the file that was written. */
export const mergeState = z.object({ analysisId: z.number(), fileName: z.string().optional() });

type MergeState = z.output<typeof mergeState>;

/**
 * Writes the accepted rows into the current log, once the answered review is recorded. Deterministic: the same analysis
 * and log give the same file.
 */
export const mergeWorkflow = defineWorkflow({
  name: 'hazard-merge',
  state: mergeState,
  tool: 'hazardanalysis',
  title: 'Merge into the hazard log',
  first: 'merge',
  reserve: LIMITS.credits.step,
  steps: { merge: { label: 'Write the accepted rows', run: mergeRows } },
});

const STATUS: Record<MergeOutput['statusWritten'], string> = {
  column: 'with the status “Proposed – CSO review”',
  'change-log':
    'with their status “Proposed – CSO review” in the Change log, because the log has no status column that allows it',
};

async function mergeRows(context: StepContext<MergeState>): Promise<StepResult<MergeState>> {
  const { run, state, conversation, signal } = context;
  const { accountId } = run;
  const analysis = await waitForRecordedReview(accountId, state.analysisId, signal);
  const own = conversation ? await ownFiles(conversation) : null;
  const log = await findFile({ _id: own?.logFileId ?? analysis.logFileId });
  context.progress(`Writing into ${log.originalName}`, 0, 1);
  const core = await loadCore(analysis);
  // The hazards are only loaded if the log changed since the analysis and has to be compared.
  const hasChanged = core.analysisMetadata.logDigest !== log.digest;
  const [bytes, result, head, timeZone] = await Promise.all([
    readFileBytes(log),
    hasChanged ? loadResult(analysis) : core,
    auditTrail.head(accountId),
    readTimeZone(accountId),
  ]);
  const decidedBy = analysis.decidedBy ?? { name: 'unknown', at: analysis.createdAt, via: 'inbox' };
  const merged = await withFileErrors(
    merge(
      {
        log: { bytes: new Uint8Array(bytes), fileName: log.originalName, digest: log.digest },
        result,
        rows: analysis.decisions ?? [],
        review: { reviewer: decidedBy.name, decidedAt: new Date(decidedBy.at).toISOString(), surface: decidedBy.via },
        rowReviews: rowReviewsOf(analysis),
        timeZone,
        ...(head ? { auditHead: head.hash } : {}),
      },
      { accountId, signal },
    ),
  );
  const file = await keepFile({
    accountId,
    key: `merge:${analysis._id}:${log.digest}`,
    name: merged.fileName,
    kind: 'export',
    type: merged.fileName.endsWith('.xlsm') ? SHEET_TYPES.xlsm : SHEET_TYPES.xlsx,
    bytes: merged.bytes,
  });
  const copied = await saveDraft(accountId, {
    key: `merge:${analysis._id}:${log.digest}`,
    name: merged.fileName,
    type: file.type,
    // A merge that ran again after a crash names a later audit entry: the copy is of the file that was stored first.
    bytes: await readFileBytes(file),
    agentName: context.agent.displayName,
  });
  await changing(accountId, ['analysis'], () =>
    HazardAnalysis.updateOne(
      { _id: analysis._id },
      { $set: { status: 'merged', mergedFileName: file.name, conflicts: merged.conflicts } },
    ),
  );
  await auditTrail.append(accountId, {
    key: `merge:${analysis._id}:${log.digest}`,
    event: 'hazard-log.merged',
    userId: run.userId,
    surface: surfaceOfRun(run),
    subject: `analysis:${analysis._id}`,
    shownDigest: log.digest,
    outcome: file.digest,
  });
  const count = merged.merged.filter(({ as }) => as === 'hazard').length;
  const added = merged.merged.length - count;
  const additions = describeAdded(merged.merged);
  const grown = new Set(merged.merged.flatMap(({ as, hazardId }) => (as === 'hazard' ? [] : [hazardId]))).size;
  const parts = [
    ...(count > 0 || added === 0
      ? [`${describeNewHazards(count, merged.hazardRows, log.originalName)}, ${STATUS[merged.statusWritten]}`]
      : []),
    ...(added > 0 ? [`${additions} added to ${grown === 1 ? 'a hazard' : 'hazards'} of the log`] : []),
  ];
  const written = `${parts.join('. ')}. Who decided what, and why, is in the Change log sheet. ${merged.changes.join(' ')}${copied ? ` ${copied}` : ''}`;
  const conflicts = merged.conflicts.map(({ message }) => `• ${message}`);
  await context.say({
    key: 'merged',
    kind: 'merge-complete',
    text: [`Merge complete: ${written}`, ...(conflicts.length > 0 ? ['To check:', ...conflicts] : [])].join('\n'),
    attachments: [attachmentOf(file)],
    derived: onlyReference(
      `Merge complete: ${describeNewHazards(count, merged.hazardRows)}${added > 0 ? `, ${additions} added` : ''}, ${conflicts.length} to check. ${linkToChat()}`,
    ),
    card: {
      hazardAnalysisId: analysis._id,
      page: analysisPath(analysis._id),
      actions: [{ label: 'Download merged hazard log', action: 'download', value: file.name }],
    },
  });
  return { done: { output: written }, state: { fileName: file.name }, cost: LIMITS.credits.step };
}
