import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { AppError } from '../../../../models/contracts/errors.ts';

/** An analysis of the account. @throws AppError not_found */
export async function requireAnalysis(accountId: number, _id: number): Promise<HazardAnalysisRow> {
  const row = await HazardAnalysis.findOne({ _id, accountId }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}
