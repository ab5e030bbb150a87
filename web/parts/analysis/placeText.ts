import type { Place } from '../../../models/contracts/hazards.ts';

/** A place in a workbook as people write it: Hazard Log!H2. */
export function placeText(place: Place): string {
  return place.cell.startsWith('row') ? `${place.sheet}, ${place.cell}` : `${place.sheet}!${place.cell}`;
}
