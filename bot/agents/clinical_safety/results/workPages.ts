import type { Types } from 'mongoose';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { Run } from '../../../../models/run.ts';

/** The pages of the analyses that runs made or merged, by the run's id. */
export async function workPages(accountId: number, runIds: readonly Types.ObjectId[]): Promise<Map<string, string>> {
  const [made, merges] = await Promise.all([
    HazardAnalysis.find({ accountId, runId: { $in: runIds } }, { runId: 1 }).lean(),
    Run.find({ accountId, _id: { $in: runIds }, workflow: 'hazard-merge' }, { 'state.analysisId': 1 }).lean(),
  ]);
  return new Map([
    ...made.map(({ _id, runId }): [string, string] => [String(runId), analysisPath(_id)]),
    ...merges.map(({ _id, state }): [string, string] => [String(_id), analysisPath(Number(state.analysisId))]),
  ]);
}
