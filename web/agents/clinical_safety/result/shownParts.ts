import { readQueryOf } from '../../../../models/contracts/askedQuery.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';

/** The parts of a result, a tab each. Those whose rows a question can pick have the name of their kind of row. */
const PARTS = ['overview', 'findings', 'hazards', 'tickets', 'changes', 'proposed'] as const;
export type Part = (typeof PARTS)[number];

const partNamed = (name: string | undefined | null): Part | undefined => PARTS.find((part) => part === name);

/** The part that an address shows: the one that it names, or else the one of what it opens, picks or compares. */
export function shownPart(address: URLSearchParams): Part {
  const named = partNamed(address.get('show')) ?? partNamed(readQueryOf(address.get('query'))?.entity);
  if (named) return named;
  if (address.has('hazard')) return 'hazards';
  if (address.has('finding')) return 'findings';
  return address.has('with') ? 'changes' : 'overview';
}

/** An address that shows another part. */
export function withPart(address: URLSearchParams, part: Part): URLSearchParams {
  const next = new URLSearchParams(address);
  next.set('show', part);
  return next;
}

/** An address with a hazard opened beside the part that it shows; null closes it. */
export function withHazard(
  address: URLSearchParams,
  hazard: Pick<ExistingHazard, 'id' | 'rows'> | null,
): URLSearchParams {
  const next = withPart(address, shownPart(address));
  next.delete('hazard');
  next.delete('row');
  if (hazard) {
    next.set('hazard', hazard.id);
    next.set('row', String(hazard.rows.first));
  }
  return next;
}

/** An address with a finding opened beside the part that it shows; null closes it. */
export function withFinding(address: URLSearchParams, id: string | null): URLSearchParams {
  const next = withPart(address, shownPart(address));
  next.delete('finding');
  if (id !== null) next.set('finding', id);
  return next;
}

/** The hazard that an address opens: by its id, and by its row where several have that id. */
export function openedHazard(address: URLSearchParams, hazards: readonly ExistingHazard[]): ExistingHazard | undefined {
  const found = hazards.filter(({ id }) => id === address.get('hazard'));
  return found.find(({ rows }) => String(rows.first) === address.get('row')) ?? found[0];
}
