import type { AnalysisResult, ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { differingRisk, recordedRisk } from '../../../../models/contracts/clinical_safety/riskWords.ts';

export type Stage = 'initial' | 'residual';

/** How many of something there are, by a word or a number as the log writes it; what is blank comes last. */
export type Tally = { label: string; count: number }[];

export const NOT_RECORDED = 'not recorded';

function tally(values: readonly (string | null)[], order: (left: string, right: string) => number): Tally {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value ?? NOT_RECORDED, (counts.get(value ?? NOT_RECORDED) ?? 0) + 1);
  const isBlank = (label: string) => Number(label === NOT_RECORDED);
  return [...counts]
    .sort(([left], [right]) => isBlank(left) - isBlank(right) || order(left, right))
    .map(([label, count]) => ({ label, count }));
}

/** Hazards by their recorded risk, the highest first. */
export const tallyRisks = (hazards: readonly ExistingHazard[], stage: Stage): Tally =>
  tally(
    hazards.map(({ [stage]: rating }) => recordedRisk(rating)),
    (left, right) => (Number(right) || 0) - (Number(left) || 0) || left.localeCompare(right, 'en-GB'),
  );

/** Hazards by their status as written. */
export const tallyStatuses = (hazards: readonly ExistingHazard[]): Tally =>
  tally(
    hazards.map(({ status }) => status),
    (left, right) => left.localeCompare(right, 'en-GB'),
  );

/** Whether a log's words hand something over to whoever deploys the product. */
const isTransfer = (text: string | null): boolean => /\btransfer(?:red)?\b/i.test(text ?? '');

/** The hazards that the log hands over, in whole or by a control. */
export const findTransferred = (hazards: readonly ExistingHazard[]): ExistingHazard[] =>
  hazards.filter(
    ({ status, controls }) => isTransfer(status) || controls.some((control) => isTransfer(control.status)),
  );

/** The risk as recorded, with what the matrix gives where that differs; what is blank is said. */
export function riskText(rating: Rating): string {
  const { expectedRisk, expectedWord } = rating;
  const [risk, expected] = [recordedRisk(rating), expectedWord ?? expectedRisk];
  if (risk === null) return expected === null ? NOT_RECORDED : `${NOT_RECORDED} (matrix: ${expected})`;
  const matrix = differingRisk(rating);
  return matrix === null ? risk : `${risk} (matrix: ${matrix})`;
}

/** The figures of a log that its report states. */
export function figuresOfLog({ existingHazards: hazards, findings, newHazards, analysisMetadata }: AnalysisResult) {
  const controls = hazards.flatMap((hazard) => hazard.controls);
  const count = (level: 'fix' | 'check' | 'note') => findings.filter((finding) => finding.level === level).length;
  const ofKind = (kind: (typeof controls)[number]['kind']) =>
    controls.filter((control) => control.kind === kind).length;
  return {
    hazards: hazards.length,
    causes: hazards.reduce((sum, { causes }) => sum + causes.length, 0),
    controls: controls.length,
    byKind: {
      existing: ofKind('existing'),
      design: ofKind('design'),
      test: ofKind('test'),
      training: ofKind('training'),
      business: ofKind('business'),
      unspecified: ofKind('unspecified'),
    },
    withEvidence: controls.filter(({ evidence }) => evidence !== null).length,
    withoutControls: hazards.filter((hazard) => hazard.controls.length === 0).length,
    withoutOwner: hazards.filter(({ owner }) => owner === null).length,
    differing: {
      initial: hazards.filter(({ initial }) => differingRisk(initial) !== null).length,
      residual: hazards.filter(({ residual }) => differingRisk(residual) !== null).length,
    },
    findings: { fix: count('fix'), check: count('check'), note: count('note') },
    proposals: newHazards.length,
    tickets: analysisMetadata.jiraAnalysis.ticketsAnalyzed,
    coverage: analysisMetadata.coverage,
  };
}
