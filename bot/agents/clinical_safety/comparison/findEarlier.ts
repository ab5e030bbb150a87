import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { loadResult } from '../results/results.ts';
import { pairHazards } from './pairHazards.ts';

/** At most this many earlier analyses are compared. */
const MAX_CANDIDATES = 8;

/**
 * Whether two results are of the same log: of the same file, or of versions that share at least half of the hazards of
 * the smaller one by id and name. Ids alone are alike in the logs of different products.
 */
export async function isSameLog(one: AnalysisResult, other: AnalysisResult): Promise<boolean> {
  if (one.analysisMetadata.logDigest === other.analysisMetadata.logDigest) return true;
  const { pairs } = await pairHazards(one.existingHazards, other.existingHazards);
  const alike = pairs.filter(({ before, after }) => before.name === after.name).length;
  return alike > 0 && alike * 2 >= Math.min(one.existingHazards.length, other.existingHazards.length);
}

/** A result; null where it is no longer kept. */
export async function readKept(row: HazardAnalysisRow): Promise<AnalysisResult | null> {
  return loadResult(row).catch((error: unknown) => {
    if (error instanceof AppError && ['expired', 'file_not_found'].includes(error.code)) return null;
    throw error;
  });
}

/** The newest analysis before one that is of the same log; a sample is compared with samples alone. */
export async function findEarlier(
  row: HazardAnalysisRow,
  result: AnalysisResult,
): Promise<{ row: HazardAnalysisRow; result: AnalysisResult } | null> {
  const candidates = await HazardAnalysis.find({
    accountId: row.accountId,
    _id: { $lt: row._id },
    resultFileId: { $ne: null },
    isSample: row.isSample ? true : { $ne: true },
  })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_CANDIDATES)
    .lean();
  for (const candidate of candidates) {
    const earlier = await readKept(candidate);
    if (earlier && (await isSameLog(earlier, result))) return { row: candidate, result: earlier };
  }
  return null;
}
