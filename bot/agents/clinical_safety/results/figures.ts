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

/**
 * The version that a log states; null where it states none. Where its places differ, the version that more than half of
 * them give; null where there is none such.
 */
export function logVersionOf({ analysisMetadata }: Pick<AnalysisResult, 'analysisMetadata'>): string | null {
  const { versions } = analysisMetadata.log;
  const stated = versions.find(
    ({ version }) => versions.filter((other) => sameVersion(other.version, version)).length > versions.length / 2,
  );
  return stated?.version ?? null;
}
