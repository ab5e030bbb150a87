import type { Coverage } from './hazards.ts';
import type { PossibleMatch } from './matches.ts';

/** The tickets that a coverage figure does not count: "43 possible, 26 none, 4 unsure"; null in older results. */
export const describeNotCounted = ({
  possible,
  none,
  unsure,
}: Pick<Coverage, 'possible' | 'none' | 'unsure'>): string | null =>
  possible === undefined ? null : `${possible} possible, ${none ?? 0} none, ${unsure} unsure`;

/** The hazard's side of a match with its cell: "“The dose is lost” (Log!C5)". */
export const describeHazardSide = ({ hazardQuote, place }: Pick<PossibleMatch, 'hazardQuote' | 'place'>): string =>
  `“${hazardQuote}” (${place.sheet}!${place.cell})`;
