import { FindingLife } from '../../../../models/clinical_safety/findingLife.ts';
import type { AnalysisFigures, HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { loadCore } from '../results/results.ts';
import { readAccepted } from './readAccepted.ts';

type Named = Pick<HazardAnalysisRow, 'accountId' | '_id'>;

/** A result without the findings that somebody accepted, for figures and words. */
export async function withOpenFindings<Result extends Pick<AnalysisResult, 'findings'>>(
  row: Named,
  result: Result,
): Promise<Result> {
  const accepted = await readAccepted(row, result);
  return { ...result, findings: result.findings.filter(({ id }) => accepted[id] === undefined) };
}

/**
 * The figures of listed analyses without accepted findings, by the analysis's id. Results are read only of analyses of
 * which something is accepted; the others keep their stored figures.
 */
export async function countOpen(
  accountId: number,
  rows: readonly (Named &
    Pick<HazardAnalysisRow, 'figures' | 'resultFileId' | 'hazardsFileId' | 'ticketsResultFileId'>)[],
): Promise<Map<number, AnalysisFigures>> {
  const ids = rows.filter(({ figures, resultFileId }) => figures && resultFileId).map(({ _id }) => _id);
  const decided = await FindingLife.distinct('analyses', {
    accountId,
    analyses: { $in: ids },
    accepted: { $ne: null },
  });
  const counted = new Map<number, AnalysisFigures>();
  for (const row of rows) {
    if (!row.figures || !ids.includes(row._id) || !decided.includes(row._id)) continue;
    const { findings } = await withOpenFindings(row, await loadCore(row));
    const count = (level: 'fix' | 'check') => findings.filter((finding) => finding.level === level).length;
    counted.set(row._id, { ...row.figures, toFix: count('fix'), toCheck: count('check') });
  }
  return counted;
}
