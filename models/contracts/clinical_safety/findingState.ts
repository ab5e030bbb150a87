import { z } from 'zod';
import type { FindingLife, FindingLives } from './findingLives.ts';
import type { AnalysisResult, Finding } from './hazards.ts';

/** How a finding stands today. */
export const findingState = z.enum(['open', 'accepted', 'fixed', 'gone', 'note']);
export type FindingState = z.infer<typeof findingState>;

export const FINDING_STATE_NAMES: Record<FindingState, string> = {
  open: 'Open',
  accepted: 'Accepted',
  fixed: 'Fixed',
  gone: 'Hazard removed',
  note: 'For information',
};

/** Display names of the levels of findings, the most severe first. */
export const FINDING_LEVEL_NAMES: Record<Finding['level'], string> = { fix: 'Fix', check: 'Check', note: 'Note' };

/** How a finding stands: what the next analysis found comes first, then what people decided. */
export function stateOf(finding: Finding, life: FindingLife | undefined, next: FindingLives['next']): FindingState {
  if (finding.level === 'note') return 'note';
  if (next?.fixed.includes(finding.id)) return 'fixed';
  if (next?.gone.includes(finding.id)) return 'gone';
  return life?.accepted?.holds ? 'accepted' : 'open';
}

/** A result with the ids of the findings that somebody accepted and whose values are still the accepted ones. */
export type StandingResult = AnalysisResult & { accepted?: ReadonlySet<string> };

/** Whether a finding of a result is accepted. */
export const isAccepted = ({ accepted }: Pick<StandingResult, 'accepted'>, { id }: Pick<Finding, 'id'>): boolean =>
  accepted?.has(id) ?? false;

/** Findings of a level, those that people accepted counted apart from the others. */
type FindingCount = { open: number; accepted: number };

/** @param isAccepted whether somebody accepted a finding whose value is still the accepted one */
export function countFindings(
  findings: readonly Pick<Finding, 'id' | 'level'>[],
  level: Finding['level'],
  isAccepted: (id: string) => boolean,
): FindingCount {
  const ids = findings.filter((finding) => finding.level === level).map(({ id }) => id);
  const accepted = ids.filter(isAccepted).length;
  return { open: ids.length - accepted, accepted };
}
