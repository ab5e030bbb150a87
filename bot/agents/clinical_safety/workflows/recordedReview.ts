import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { decisionsIn } from '../../../../models/contracts/questionRows.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import type { RunRow } from '../../../../models/run.ts';
import { hasEnded, waitForRun } from '../../../engine/workflows/waitForRun.ts';
import { continueRun } from '../../../engine/workflows/withdraw.ts';

/** Longest wait for an answered review to be recorded. Recording takes a second; its process may have died. */
const RECORDING_MS = 30_000;
/** Steps in which a run has not recorded its review yet; later ones ask about possible matches. */
const UNTIL_RECORDED = new Set(['review', 'record']);
/** How often the wait looks whether it was cancelled. */
const LOOK_MS = 500;

const notRecorded = () =>
  new AppError('not_available', {
    text: 'The review was answered, but its decisions could not be recorded, so there is nothing to merge. Analyse the log again and review what is proposed.',
  });

const stillRecorded = () =>
  new AppError('not_available', {
    text: 'Your review is answered and still being recorded. Nothing was merged yet. Ask for the merge again in a minute.',
  });

const findAnalysis = (accountId: number, _id: number) => HazardAnalysis.findOne({ _id, accountId }).lean();

const findAnsweredReview = ({ accountId, runId }: HazardAnalysisRow) =>
  Interrupt.findOne({ accountId, runId, interruptType: 'hazard_review', status: 'resolved' }).lean();

/**
 * An analysis whose accepted rows can be merged: its review is answered, though its run may not have recorded that yet.
 * @throws AppError no_analysis, review_pending, not_available where nothing can be merged
 */
export async function requireMergeable(accountId: number, analysisId: number): Promise<HazardAnalysisRow> {
  const analysis = await findAnalysis(accountId, analysisId);
  if (!analysis?.resultFileId) throw new AppError('no_analysis');
  const answered = analysis.decisions ? null : await findAnsweredReview(analysis);
  const decisions = analysis.decisions ?? (answered && decisionsIn(answered.userResponse));
  if (!decisions) throw new AppError('review_pending');
  if (!decisions.some(({ outcome }) => outcome !== 'rejected')) {
    throw new AppError('not_available', { text: 'No proposal was accepted, so there is nothing to merge.' });
  }
  return analysis;
}

/**
 * The analysis once its answered review is recorded. The answer is durable and resumes its run, also after a crash, so
 * this only waits.
 * @param signal ends the wait
 * @throws AppError as {@link requireMergeable}; cancelled; not_available where the review is not recorded in time
 */
export async function waitForRecordedReview(
  accountId: number,
  analysisId: number,
  signal: AbortSignal,
): Promise<HazardAnalysisRow> {
  const analysis = await requireMergeable(accountId, analysisId);
  if (analysis.decisions) return analysis;
  const answered = await findAnsweredReview(analysis);
  if (answered) await continueRun(analysis.runId, answered);
  const until = Date.now() + RECORDING_MS;
  const isPast = (run: RunRow) => hasEnded(run) || !UNTIL_RECORDED.has(run.step);
  let past: RunRow | null = null;
  while (!past && !signal.aborted && Date.now() < until) past = await waitForRun(analysis.runId, LOOK_MS, isPast);
  if (signal.aborted) throw new AppError('cancelled');
  const recorded = await findAnalysis(accountId, analysisId);
  if (recorded?.decisions) return recorded;
  throw past ? notRecorded() : stillRecorded();
}
