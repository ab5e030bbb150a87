import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewestResult } from '../../../../models/contracts/desk.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { coverageInWords } from '../answers/describe.ts';
import { describeChanges } from '../comparison/describeComparison.ts';
import { findLatestResult } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';

type Core = Pick<AnalysisResult, 'findings' | 'analysisMetadata'>;

const toFixOf = ({ findings }: Core): number => findings.filter(({ level }) => level === 'fix').length;

/** The newest result with its figures, and how they differ from the analysis of the same log before. */
export async function newestResult(who: Who): Promise<NewestResult | null> {
  const newest = await findLatestResult(who);
  if (!newest) return null;
  const result = await loadResult(newest);
  return {
    title: newest.logFileName,
    figures: [
      {
        label: result.existingHazards.length === 1 ? 'hazard' : 'hazards',
        value: String(result.existingHazards.length),
      },
      { label: toFixOf(result) === 1 ? 'finding to fix' : 'findings to fix', value: String(toFixOf(result)) },
      { label: 'coverage', value: coverageInWords(result.analysisMetadata) },
    ],
    changed: newest.changes ? describeChanges(newest.changes, coverageInWords(result.analysisMetadata)) : null,
    at: newest.createdAt.toISOString(),
    path: analysisPath(newest._id),
  };
}
