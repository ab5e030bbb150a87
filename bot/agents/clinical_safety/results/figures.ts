import type { AnalysisFigures } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameVersion } from '../reading/versions.ts';

/** The figures of a result for the list of analyses. */
export function figuresOf({ existingHazards, findings, analysisMetadata }: AnalysisResult): AnalysisFigures {
  const { coverage, jiraAnalysis } = analysisMetadata;
  const count = (level: 'fix' | 'check') => findings.filter((finding) => finding.level === level).length;
  return {
    hazards: existingHazards.length,
    toFix: count('fix'),
    toCheck: count('check'),
    covered: coverage.covered,
    relevant: coverage.relevant,
    ticketsAnalysed: jiraAnalysis.ticketsAnalyzed,
  };
}

/** The version that a log states; null where it states none, or two that differ. */
export function logVersionOf({ analysisMetadata }: Pick<AnalysisResult, 'analysisMetadata'>): string | null {
  const [first, ...others] = analysisMetadata.log.versions;
  if (!first || others.some(({ version }) => !sameVersion(version, first.version))) return null;
  return first.version;
}
