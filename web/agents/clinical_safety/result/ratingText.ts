import type { Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** "3 (Major × Low)". */
export const ratingText = ({ risk, severity, likelihood }: Rating): string =>
  risk === null && severity === null && likelihood === null
    ? 'Not rated'
    : `${risk ?? '–'} (${severity ?? '–'} × ${likelihood ?? '–'})`;
