import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameId } from '../reading/readHazards.ts';
import { digestHazard } from '../tickets/matchEvidence.ts';

/** The hazard of a decision, as it was called when it was decided. */
type DecidedHazard = { hazardId: string; hazardDigest: string };

/**
 * Makes a lookup of the id that the hazard of a decision has in a log: its texts may stand under another id by now, and
 * its old id may be another hazard's. Where no hazard has its texts, its own id counts.
 */
export function makeIdFinder(hazards: readonly ExistingHazard[]): (decided: DecidedHazard) => string {
  const byDigest = new Map<string, string[]>();
  let isRead = false;
  return ({ hazardId, hazardDigest }) => {
    if (!isRead) for (const hazard of hazards) addTo(byDigest, digestHazard(hazard), hazard.id);
    isRead = true;
    const ids = byDigest.get(hazardDigest) ?? [];
    return ids.find((id) => sameId(id) === sameId(hazardId)) ?? ids[0] ?? hazardId;
  };
}

function addTo(map: Map<string, string[]>, key: string, id: string): void {
  map.set(key, [...(map.get(key) ?? []), id]);
}
