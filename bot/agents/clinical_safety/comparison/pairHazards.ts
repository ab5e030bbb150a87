import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameId } from '../reading/readHazards.ts';

export type HazardPair = { before: ExistingHazard; after: ExistingHazard };
type Key = (hazard: ExistingHazard) => string | null;

const nameOf = ({ name }: ExistingHazard) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
/** A hazard without an id of the log's own is called by its row, which moves. */
const idOf = ({ id }: ExistingHazard) => (/^row \d+$/.test(id) ? null : sameId(id));

/** Rounds of pairing, the surest first. */
const ROUNDS: Key[] = [
  (hazard) => (idOf(hazard) && nameOf(hazard) ? `${idOf(hazard)}\n${nameOf(hazard)}` : null),
  (hazard) => nameOf(hazard) || null,
  idOf,
];

function groupBy(hazards: Iterable<ExistingHazard>, key: Key): Map<string, ExistingHazard[]> {
  const groups = new Map<string, ExistingHazard[]>();
  for (const hazard of hazards) {
    const name = key(hazard);
    if (name === null) continue;
    const group = groups.get(name);
    if (group) group.push(hazard);
    else groups.set(name, [hazard]);
  }
  return groups;
}

/**
 * Pairs the hazards of two versions of a log: by id and name, then by a name that both have as often, then by id. In
 * each round those that are alike are paired in the order of their rows.
 */
export function pairHazards(
  before: readonly ExistingHazard[],
  after: readonly ExistingHazard[],
): { pairs: HazardPair[]; removed: ExistingHazard[]; added: ExistingHazard[] } {
  const [removed, added] = [new Set(before), new Set(after)];
  const pairs: HazardPair[] = [];
  for (const [round, key] of ROUNDS.entries()) {
    const later = groupBy(added, key);
    for (const [name, earlier] of groupBy(removed, key)) {
      const alike = later.get(name) ?? [];
      // A name alone is no evidence where one version has it more often.
      if (round === 1 && earlier.length !== alike.length) continue;
      for (const [at, one] of earlier.entries()) {
        const other = alike[at];
        if (!other) break;
        pairs.push({ before: one, after: other });
        removed.delete(one);
        added.delete(other);
      }
    }
  }
  return { pairs, removed: [...removed], added: [...added] };
}
