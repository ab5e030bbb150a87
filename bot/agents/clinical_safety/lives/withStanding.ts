import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { StandingResult } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { readAccepted } from './readAccepted.ts';

/** By a result, the last one made of it: what is opened for questions is kept by object. */
const made = new WeakMap<AnalysisResult, StandingResult>();

/** A result with which of its findings are accepted; the result itself where none is. */
export async function withStanding(
  row: Pick<HazardAnalysisRow, 'accountId' | '_id'>,
  result: AnalysisResult,
): Promise<StandingResult> {
  const ids = Object.keys(await readAccepted(row, result));
  if (ids.length === 0) return result;
  const known = made.get(result);
  if (known?.accepted?.size === ids.length && ids.every((id) => known.accepted?.has(id))) return known;
  const standing = { ...result, accepted: new Set(ids) };
  made.set(result, standing);
  return standing;
}
