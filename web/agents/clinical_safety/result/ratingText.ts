import type { Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { recordedRisk } from '../../../../models/contracts/clinical_safety/riskWords.ts';

/** "3 (Major × Low)". */
export const ratingText = (rating: Rating): string => {
  const { severity, likelihood } = rating;
  const risk = recordedRisk(rating);
  return risk === null && severity === null && likelihood === null
    ? 'Not rated'
    : `${risk ?? '–'} (${severity ?? '–'} × ${likelihood ?? '–'})`;
};
