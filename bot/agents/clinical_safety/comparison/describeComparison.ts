import type { AnalysisChanges } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ComparedSide, Comparison } from '../../../../models/contracts/clinical_safety/comparison.ts';
import { dayText } from '../../../../models/contracts/zonedText.ts';
import { counted } from '../counted.ts';

const describeSide = ({ createdAt, logVersion }: ComparedSide, timeZone: string) =>
  `${logVersion ? `v${logVersion}, ` : ''}${dayText(createdAt, timeZone)}`;

const describeCoverage = ({ coverage }: ComparedSide) =>
  coverage ? `${coverage.covered} of ${coverage.relevant}` : 'no figure';

/** A hazard whose initial and residual ratings both changed counts once. */
const countRerated = ({ hazards }: Comparison): number => new Set(hazards.rerated.map(({ id }) => id)).size;

/** How much changed, for the row of the later analysis. */
export const countChanges = (comparison: Comparison): AnalysisChanges => ({
  hazards: {
    added: comparison.hazards.added.length,
    removed: comparison.hazards.removed.length,
    rerated: countRerated(comparison),
  },
  findings: { fixed: comparison.findings.fixed.length, added: comparison.findings.added.length },
  coverageBefore: comparison.before.coverage,
});

/**
 * What changed, for somebody who returns: "Changed: 2 hazards re-rated, 3 findings fixed, coverage 24 of 30 (21 of 30
 * before)".
 * @param coverage as it is now, in words
 */
export function describeChanges({ hazards, findings, coverageBefore }: AnalysisChanges, coverage: string): string {
  const before = coverageBefore && `${coverageBefore.covered} of ${coverageBefore.relevant}`;
  const counts: [number, string, string][] = [
    [hazards.added, 'hazard added', 'hazards added'],
    [hazards.removed, 'hazard removed', 'hazards removed'],
    [hazards.rerated, 'hazard re-rated', 'hazards re-rated'],
    [findings.fixed, 'finding fixed', 'findings fixed'],
    [findings.added, 'new finding', 'new findings'],
  ];
  const parts = counts.flatMap(([count, one, many]) => (count > 0 ? [counted(count, one, many)] : []));
  if (before && before !== coverage) parts.push(`coverage ${coverage} (${before} before)`);
  return parts.length > 0 ? `Changed: ${parts.join(', ')}` : 'Nothing changed since the analysis before';
}

/** What changed since the earlier analysis, in three lines. */
export function describeComparison(comparison: Comparison, timeZone: string): [string, string, string] {
  const { before, after, hazards, findings } = comparison;
  const rerated = countRerated(comparison);
  const gone = findings.gone.length > 0 ? `, ${findings.gone.length} gone with removed hazards` : '';
  const accepted = findings.accepted.length > 0 ? `, ${findings.accepted.length} accepted` : '';
  const rules =
    before.engineVersion === after.engineVersion
      ? ''
      : ' Arc’s rules changed in between, which may add or end findings.';
  return [
    `Since the earlier analysis (${describeSide(before, timeZone)}): ${counted(hazards.added.length, 'hazard')} added, ${hazards.removed.length} removed, ${rerated} re-rated.`,
    `Findings to fix or check: ${findings.fixed.length} fixed, ${findings.added.length} new, ${findings.open.length} still open${accepted}${gone}.${rules}`,
    before.coverage || after.coverage
      ? `Relevant tickets covered: ${describeCoverage(before)} then, ${describeCoverage(after)} now.`
      : 'Coverage has no figure in either analysis.',
  ];
}
