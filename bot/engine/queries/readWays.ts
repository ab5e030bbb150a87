import type { Query } from '../../../models/contracts/askedQuery.ts';
import type { Entity } from './entity.ts';
import { readQuery } from './readQuery.ts';
import { readRelated, saysOfRelated } from './readRelated.ts';
import { readTokens } from './tokens.ts';

/** The queries that a question can mean, several where a word names several fields, such as "risk". */
type Read = { queries: Query[]; notes: string[]; leftOut: string[] };

/**
 * Reads a question about one kind of row in every way that it can be meant.
 * @returns null where it is not understood as a whole; `refused`: what the rows lack
 */
export function readWays<Row>(entity: Entity<Row>, line: string): Read | { refused: string } | null {
  if (saysOfRelated(entity, line)) return readRelated(entity, line);
  const tokens = readTokens(entity, line);
  const first = readQuery(entity, tokens);
  if (!first || 'refused' in first) return readRelated(entity, line) ?? first;
  const readings = [first];
  for (let way = 1; way < first.ways; way += 1) {
    const other = readQuery(entity, tokens, way);
    if (!other || 'refused' in other) return other;
    readings.push(other);
  }
  return {
    queries: readings.map(({ query }) => query),
    notes: [...new Set(readings.flatMap((one) => one.notes))],
    leftOut: first.leftOut,
  };
}
