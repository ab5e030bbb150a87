import type { AnalysisResult } from '../../../models/contracts/hazards.ts';
import { counted } from './counted.ts';

export type Description = {
  /** Figures first: "11 hazards, 4 findings to fix, coverage 21 of 30". */
  headline: string;
  /** What is worth saying after it, a sentence each. */
  lines: string[];
};

/** The result in words, figures first; never a verdict on safety. */
export function describeResult(result: AnalysisResult): Description {
  const { existingHazards, findings, newHazards, analysisMetadata } = result;
  const { coverage, coverageScore, jiraAnalysis, log } = analysisMetadata;
  const toFix = findings.filter((finding) => finding.level === 'fix').length;
  const headline = [
    counted(existingHazards.length, 'hazard', 'hazards'),
    counted(toFix, 'finding to fix', 'findings to fix'),
    coverageScore === null ? 'no relevant tickets' : `coverage ${coverage.covered} of ${coverage.relevant}`,
  ].join(', ');
  const toCheck = findings.filter((finding) => finding.level === 'check').length;
  const lines = [
    `Read ${counted(log.rowCount, 'row', 'rows')} of “${log.sheet}” as ${counted(existingHazards.length, 'hazard', 'hazards')}.`,
    `${counted(toFix, 'finding', 'findings')} to fix, ${toCheck} to check, ${findings.length - toFix - toCheck} to note.`,
    `${counted(jiraAnalysis.ticketsAnalyzed, 'ticket', 'tickets')} analysed: ${coverage.relevant} relevant to safety, ${coverage.unsure} unsure.`,
    coverageScore === null
      ? 'Coverage has no figure, because no ticket is relevant to safety.'
      : `Coverage ${coverage.covered} of ${coverage.relevant} (${coverageScore} per cent), counted from a match score of ${coverage.threshold}.`,
    `${counted(newHazards.length, 'new hazard', 'new hazards')} proposed for the Clinical Safety Officer to review.`,
  ];
  if (coverage.unproposed)
    lines.push(
      `${counted(coverage.unproposed, 'relevant ticket is', 'relevant tickets are')} neither covered nor proposed: no known kind of hazard fits well enough, or the log has one of that kind that does not clearly cover it; see the tickets list.`,
    );
  return { headline, lines };
}
