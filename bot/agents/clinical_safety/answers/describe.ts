import { describeModelWork, describeNotCounted } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import {
  countFindings,
  isAccepted,
  type StandingResult,
} from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { AnalysisResult, Coverage, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
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

const countLevel = (result: StandingResult, level: Finding['level']) =>
  countFindings(result.findings, level, (id) => isAccepted(result, { id }));

/** The findings that somebody accepted, as a sentence behind the figures of the open ones; empty without any. */
export const describeAccepted = (accepted: number): string =>
  accepted > 0 ? ` ${counted(accepted, 'more is', 'more are')} accepted with a reason.` : '';

/** Describes the result in words, figures first; never gives a verdict on safety. */
export function describeResult(result: StandingResult): Description {
  const { existingHazards, findings, newHazards, analysisMetadata } = result;
  const { coverage, coverageScore, jiraAnalysis, log } = analysisMetadata;
  const [toFix, toCheck] = [countLevel(result, 'fix'), countLevel(result, 'check')];
  const accepted = toFix.accepted + toCheck.accepted;
  const notCounted = describeNotCounted(coverage);
  const headline = [
    counted(existingHazards.length, 'hazard', 'hazards'),
    counted(toFix.open, 'finding to fix', 'findings to fix'),
    coverageScore === null
      ? describeNoCoverage(jiraAnalysis).toLowerCase()
      : `${coverage.covered} of ${counted(coverage.relevant, 'relevant ticket')} covered${notCounted ? ` (${notCounted})` : ''}`,
  ].join(', ');
  const lines = [
    `Read ${counted(log.rowCount, 'row', 'rows')} of “${log.sheet}” as ${counted(existingHazards.length, 'hazard', 'hazards')}.`,
    `${counted(toFix.open, 'finding', 'findings')} to fix, ${toCheck.open} to check, ${findings.filter(({ level }) => level === 'note').length} to note.${describeAccepted(accepted)}`,
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
