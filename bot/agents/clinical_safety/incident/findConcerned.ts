import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { indexHazards, matchHazards } from '../tickets/hazardMatching.ts';
import { scoreTicket } from '../tickets/relevance.ts';

/** At most this many hazards are named. */
const MAX_CONCERNED = 3;
/** Length of a text's beginning, in characters, which says what the text is about. */
const BEGINNING = 160;

/** A hazard to look at; `isNear` where it shares distinctive words and meaning with what happened. */
export type ConcernedHazard = { hazard: ExistingHazard; isNear: boolean };

/**
 * The hazards of a log that are closest to what happened, closest first. They are places to look, not a verdict; the
 * ranking is the one for tickets (docs/clinical-safety.md, section 5).
 */
export function findConcerned(text: string, hazards: readonly ExistingHazard[]): ConcernedHazard[] {
  if (hazards.length === 0) return [];
  const index = indexHazards(hazards.map((hazard) => ({ ...hazard, rowNumbers: [], hasId: true, textPlaces: {} })));
  const ticket = { key: '', summary: text.slice(0, BEGINNING), description: text.slice(BEGINNING) };
  return matchHazards(index, scoreTicket(ticket), () => 1, MAX_CONCERNED).flatMap(({ at, isPossible }) => {
    const hazard = hazards[at];
    return hazard ? [{ hazard, isNear: isPossible }] : [];
  });
}
