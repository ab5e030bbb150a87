import type { LogHazard } from './logModel.ts';
import { readTitle } from './markdownCards.ts';

/** Hazards of a log without a column of ids, whose names all begin with one of their own: "H1: Wrong patient". */
export function takeIdsFromNames(hazards: LogHazard[]): LogHazard[] {
  const ids = hazards.map(({ name }) => /[A-Za-z]/.test(readTitle(name).id ?? '') && readTitle(name).id);
  if (hazards.length < 2 || !ids.every(Boolean) || new Set(ids).size < ids.length) return hazards;
  return hazards.map((hazard, at) => ({ ...hazard, id: ids[at] || hazard.id, hasId: true }));
}
