import type { HazardVersion } from '../../../../models/contracts/clinical_safety/comparison.ts';
import { ratingText } from './ratingText.ts';

function ratingLine(stage: 'initial' | 'residual', version: HazardVersion, before: HazardVersion | undefined): string {
  const label = stage === 'initial' ? 'Initial risk' : 'Residual risk';
  const now = ratingText(version[stage]);
  const then = before && ratingText(before[stage]);
  return then === undefined || then === now ? `${label} ${now}` : `${label} ${now}, was ${then}`;
}

/**
 * What a version says of a hazard, a line each: its ratings with those before where they changed, another id or name,
 * and the findings that were fixed or are new since the version before.
 */
export function changesOf(version: HazardVersion, before: HazardVersion | undefined): string[] {
  return [
    ratingLine('initial', version, before),
    ratingLine('residual', version, before),
    ...(before && before.id !== version.id ? [`Called ${before.id} before`] : []),
    ...(before && before.name !== version.name ? [`Named “${before.name}” before`] : []),
    ...version.fixed.map((title) => `Fixed: ${title}`),
    ...version.added.map((title) => `New finding: ${title}`),
  ];
}
