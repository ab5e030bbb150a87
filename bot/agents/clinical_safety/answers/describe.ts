import { describeModelWork, describeNotCounted } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { AnalysisResult, Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { counted } from '../counted.ts';
import { describeUnread } from '../reading/unread.ts';

type Description = {
  /** Figures first: "11 hazards, 4 findings to fix, 9 of 30 relevant tickets covered (8 possible, 13 none, 4 unsure)". */
  headline: string;
  /** Further sentences, one per line. */
  lines: string[];
};

/** The coverage figure and the tickets that it does not count. */
export function describeCoverage({ covered, relevant, possible, none, unsure }: Coverage, score: number): string {
  if (possible === undefined)
    return `Coverage ${covered} of ${relevant} (${score} per cent), by an earlier method that also counted matching words. Run the analysis again for a current figure.`;
  return `Coverage ${covered} of ${relevant} (${score} per cent): named in the log or the ticket, or confirmed by a person. Not counted: ${possible} possible by what they are about, ${none ?? 0} with no hazard, and ${unsure} unsure.`;
}

/** Why coverage has no figure. No tickets at all are no sign that nothing concerns safety. */
export const describeNoCoverage = ({ ticketsAnalyzed }: { ticketsAnalyzed: number }): string =>
  ticketsAnalyzed === 0 ? 'No tickets analysed' : 'No relevant tickets';

/** "9 of 30", or why there is no figure, as the end of a sentence. */
export const coverageInWords = ({
  coverage,
  coverageScore,
  jiraAnalysis,
}: AnalysisResult['analysisMetadata']): string =>
  coverageScore === null
    ? describeNoCoverage(jiraAnalysis).toLowerCase()
    : `${coverage.covered} of ${coverage.relevant}`;

/** Describes the result in words, figures first; never gives a verdict on safety. */
export function describeResult(result: AnalysisResult): Description {
  const { existingHazards, findings, newHazards, analysisMetadata } = result;
  const { coverage, coverageScore, jiraAnalysis, log } = analysisMetadata;
  const toFix = findings.filter((finding) => finding.level === 'fix').length;
  const notCounted = describeNotCounted(coverage);
  const headline = [
    counted(existingHazards.length, 'hazard', 'hazards'),
    counted(toFix, 'finding to fix', 'findings to fix'),
    coverageScore === null
      ? describeNoCoverage(jiraAnalysis).toLowerCase()
      : `${coverage.covered} of ${counted(coverage.relevant, 'relevant ticket')} covered${notCounted ? ` (${notCounted})` : ''}`,
  ].join(', ');
  const toCheck = findings.filter((finding) => finding.level === 'check').length;
  const lines = [
    `Read ${counted(log.rowCount, 'row', 'rows')} of “${log.sheet}” as ${counted(existingHazards.length, 'hazard', 'hazards')}.`,
    `${counted(toFix, 'finding', 'findings')} to fix, ${toCheck} to check, ${findings.length - toFix - toCheck} to note.`,
    `${counted(jiraAnalysis.ticketsAnalyzed, 'ticket', 'tickets')} analysed: ${coverage.relevant} relevant to safety, ${coverage.unsure} unsure.`,
    coverageScore === null
      ? `Coverage has no figure, because no ${jiraAnalysis.ticketsAnalyzed === 0 ? 'tickets were analysed' : 'ticket is relevant to safety'}.`
      : describeCoverage(coverage, coverageScore),
    `${describeProposals(newHazards)} proposed for the Clinical Safety Officer to review.`,
  ];
  if (coverage.unproposed)
    lines.push(
      `${counted(coverage.unproposed, 'relevant ticket is', 'relevant tickets are')} neither covered nor proposed: no known kind of hazard fits well enough; see the tickets list.`,
    );
  lines.push(...describeModelWork(analysisMetadata));
  lines.push(...describeUnread(log.unread ?? []));
  return { headline, lines };
}
