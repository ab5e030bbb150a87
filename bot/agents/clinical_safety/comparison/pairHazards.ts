import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { sameId } from '../reading/readHazards.ts';
import { inSlices } from './inSlices.ts';

export type HazardPair = { before: ExistingHazard; after: ExistingHazard };
type Key = (hazard: Keyed) => string | null;
/** A hazard with what it is paired by: the log's own id, null where it is called by its row, which moves; its name. */
type Keyed = { hazard: ExistingHazard; id: string | null; name: string };

const keyed = (hazard: ExistingHazard): Keyed => ({
  hazard,
  id: /^row \d+$/.test(hazard.id) ? null : sameId(hazard.id),
  name: hazard.name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim(),
});

/** Rounds of pairing, the surest first. */
const ROUNDS: Key[] = [
  ({ id, name }) => (id && name ? `${id}\n${name}` : null),
  ({ name }) => name || null,
  ({ id }) => id,
];

function groupBy(hazards: Iterable<Keyed>, key: Key): Map<string, Keyed[]> {
  const groups = new Map<string, Keyed[]>();
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
export async function pairHazards(
  before: readonly ExistingHazard[],
  after: readonly ExistingHazard[],
): Promise<{ pairs: HazardPair[]; removed: ExistingHazard[]; added: ExistingHazard[] }> {
  const [removed, added] = [new Set(await inSlices(before, keyed)), new Set(await inSlices(after, keyed))];
  const pairs: HazardPair[] = [];
  for (const [round, key] of ROUNDS.entries()) {
    const later = groupBy(added, key);
    await inSlices([...groupBy(removed, key)], ([name, earlier]) => {
      const alike = later.get(name) ?? [];
      // A name alone is no evidence where one version has it more often.
      if (round === 1 && earlier.length !== alike.length) return;
      for (const [at, one] of earlier.entries()) {
        const other = alike[at];
        if (!other) break;
        pairs.push({ before: one.hazard, after: other.hazard });
        removed.delete(one);
        added.delete(other);
      }
    });
  }
  const hazardOf = ({ hazard }: Keyed) => hazard;
  return { pairs, removed: [...removed].map(hazardOf), added: [...added].map(hazardOf) };
}
