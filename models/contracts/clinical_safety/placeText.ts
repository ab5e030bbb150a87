import type { Place } from './hazards.ts';

/** A place in a workbook in spreadsheet notation: Hazard Log!H2. */
export function placeText(place: Place): string {
  return place.cell.startsWith('row') ? `${place.sheet}, ${place.cell}` : `${place.sheet}!${place.cell}`;
}

/** Several places, each sheet named once: Hazard Log!P2, P3, P4 and 8 more. */
export function placesText(places: readonly Place[], most = 3): string {
  const shown = places.slice(0, most).map((place, at) => {
    return at > 0 && places[at - 1]?.sheet === place.sheet ? place.cell : placeText(place);
  });
  return shown.join(', ') + (places.length > most ? ` and ${places.length - most} more` : '');
}
