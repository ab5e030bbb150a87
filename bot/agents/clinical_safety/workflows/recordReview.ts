import { HazardAnalysis, statusByDecisions } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { decisionsIn, type RowDecision } from '../../../../models/contracts/questionRows.ts';
import { countByPerson, describeDeciders } from '../../../../models/contracts/rowDeciders.ts';
import { signaturesOf } from '../../../../models/interrupt.ts';
import { changing } from '../../../../models/store/revisions.ts';
import type { StepContext, StepResult } from '../../../engine/workflows/workflow.ts';
import { exportName } from '../export/makeExport.ts';
import type { AnalysisState } from './analysisState.ts';

/** Records the decisions of an answered review and offers the merge. */
export async function recordReview(context: StepContext<AnalysisState>): Promise<StepResult<AnalysisState>> {
  const { run, state } = context;
  const interrupt = await context.answer();
  const rows = decisionsIn(interrupt.userResponse);
  const analysisId = Number(state.analysisId);
  const fileName = exportName('reviewed', analysisId);
  const decidedBy = {
    name: interrupt.resolution?.by.name ?? 'unknown',
    at: interrupt.resolution?.at ?? new Date(),
    via: interrupt.resolution?.via ?? 'inbox',
  };
  const count = (outcome: RowDecision['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  const kept = count('accepted') + count('edited');
  const decidedRows = interrupt.decidedBy ?? [];
  const people = countByPerson(decidedRows).length > 1 ? ` (${describeDeciders(decidedRows)})` : '';
  const summary = `${count('accepted')} accepted, ${count('edited')} edited, ${count('rejected')} rejected${people}`;
  const unchosen = rows.filter(({ bestMatch }) => bestMatch).length;
  const note =
    unchosen > 0
      ? ` Arc picked the closest match in ${unchosen} ${unchosen === 1 ? 'row. Check it' : 'rows. Check these'} before signing.`
      : '';
  const merge = { label: 'Merge new lines into Hazard Log', action: 'merge' as const, value: String(analysisId) };
  const change = {
    decisions: rows,
    decidedBy,
    decidedRows,
    signatures: signaturesOf(interrupt).map(({ userId, name, registration, reason, at }) => ({
      ...{ userId, name, registration, reason, at },
    })),
    status: statusByDecisions(rows),
    newHazardsFileName: fileName,
  };
  // Stored before the message is sent, because its reader may start the merge at once.
  await changing(run.accountId, ['analysis'], () => HazardAnalysis.updateOne({ _id: analysisId }, { $set: change }));
  await context.say({
    key: 'reviewed',
    kind: 'review-complete',
    text:
      kept > 0
        ? `Review recorded: ${summary}. I can now write ${kept === 1 ? 'this proposal' : `these ${kept} proposals`} into the hazard log for the Clinical Safety Officer.${note}`
        : `Review recorded: ${summary}. No proposal was accepted, so there is nothing to merge.`,
    card: {
      hazardAnalysisId: analysisId,
      page: analysisPath(analysisId),
      interruptId: interrupt._id,
      actions: [{ label: 'Download New Hazards', action: 'download', value: fileName }, ...(kept > 0 ? [merge] : [])],
    },
  });
  const output = `${String(state.headline)}. Review: ${summary}.`;
  return { next: 'matches', state: { output }, cost: LIMITS.credits.step };
}
