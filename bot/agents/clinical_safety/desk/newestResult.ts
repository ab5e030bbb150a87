import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import { countFindings } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewestResult } from '../../../../models/contracts/desk.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { coverageInWords } from '../answers/describe.ts';
import { describeChanges } from '../comparison/describeComparison.ts';
import { readAccepted } from '../lives/readAccepted.ts';
import { findLatestResult } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';

type Core = Pick<AnalysisResult, 'findings' | 'analysisMetadata'>;

/** How many findings are to fix. Those that somebody accepted are named apart. */
function describeToFix({ findings }: Core, byAcceptance: Record<string, unknown>): { label: string; value: string } {
  const { open, accepted } = countFindings(findings, 'fix', (id) => byAcceptance[id] !== undefined);
  return {
    label: `${open === 1 ? 'finding' : 'findings'} to fix${accepted > 0 ? `, ${accepted} accepted` : ''}`,
    value: String(open),
  };
}

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
      describeToFix(result, await readAccepted(newest, result)),
      { label: 'coverage', value: coverageInWords(result.analysisMetadata) },
    ],
    changed: newest.changes ? describeChanges(newest.changes, coverageInWords(result.analysisMetadata)) : null,
    at: newest.createdAt.toISOString(),
    path: analysisPath(newest._id),
  };
}
