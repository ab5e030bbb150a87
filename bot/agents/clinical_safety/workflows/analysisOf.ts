import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { StepContext } from '../../../engine/workflows/workflow.ts';

/** The analysis of a run. */
export async function analysisOf({ run }: Pick<StepContext, 'run'>): Promise<HazardAnalysisRow> {
  const row = await HazardAnalysis.findOne({ runId: run._id }).lean();
  if (!row) throw new Error('The run has no analysis.');
  return row;
}
