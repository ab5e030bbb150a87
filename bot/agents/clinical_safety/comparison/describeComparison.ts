import type { ComparedSide, Comparison } from '../../../../models/contracts/clinical_safety/comparison.ts';
import { counted } from '../counted.ts';
import { dayText } from '../dayText.ts';

const describeSide = ({ createdAt, logVersion }: ComparedSide) =>
  `${logVersion ? `v${logVersion}, ` : ''}${dayText(new Date(createdAt))}`;

const describeCoverage = ({ coverage }: ComparedSide) =>
  coverage ? `${coverage.covered} of ${coverage.relevant}` : 'no figure';

/** What changed since the earlier analysis, in three lines. */
export function describeComparison({ before, after, hazards, findings }: Comparison): [string, string, string] {
  const rerated = new Set(hazards.rerated.map(({ id }) => id)).size;
  const gone = findings.gone.length > 0 ? `, ${findings.gone.length} gone with removed hazards` : '';
  const rules =
    before.engineVersion === after.engineVersion
      ? ''
      : ' Arc’s rules changed in between, which may add or end findings.';
  return [
    `Since the earlier analysis (${describeSide(before)}): ${counted(hazards.added.length, 'hazard')} added, ${hazards.removed.length} removed, ${rerated} re-rated.`,
    `Findings to fix or check: ${findings.fixed.length} fixed, ${findings.added.length} new, ${findings.open.length} still open${gone}.${rules}`,
    before.coverage || after.coverage
      ? `Relevant tickets covered: ${describeCoverage(before)} then, ${describeCoverage(after)} now.`
      : 'Coverage has no figure in either analysis.',
  ];
}
