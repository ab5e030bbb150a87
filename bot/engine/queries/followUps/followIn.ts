import type { Query } from '../../../../models/contracts/askedQuery.ts';
import { describeFound } from '../describeQuery.ts';
import type { Entity } from '../entity.ts';
import { evaluate } from '../evaluate.ts';
import { readWays } from '../readWays.ts';
import { type QueryAnswer, sayQueries } from '../sayQueries.ts';
import type { FollowUp } from './followUp.ts';
import { goOn } from './goOn.ts';

/** The count and the condition of a query alone. */
const headOf = <Row>(entity: Entity<Row>, query: Query): string =>
  `${describeFound(entity, query, evaluate(entity, query)).split('\n')[0]?.replace(/[:.]$/, '')}.`;

const sayEither = <Row>(entity: Entity<Row>, either: readonly Query[]): string =>
  `You can mean two things:\n${either.map((query) => `• ${headOf(entity, query)}`).join('\n')}\nAsk for one of them in full, so that I list the right ${entity.many}.`;

/** The first way to say a follow-up as a question of its own that is understood, or why it can't be answered. */
function readFirst<Row>(entity: Entity<Row>, lines: readonly string[]): ReturnType<typeof readWays> {
  let refused: ReturnType<typeof readWays> = null;
  for (const line of lines) {
    const read = readWays(entity, line);
    if (read && !('refused' in read)) return read;
    refused ??= read;
  }
  return refused;
}

/**
 * Answers a message that goes on from an earlier query.
 * @param write puts a question into the words that are read
 * @returns null where what it says beyond the earlier query is not understood
 */
export function followIn<Row>(
  entity: Entity<Row>,
  base: Query,
  { how, asked }: FollowUp,
  write: (asked: string) => string,
): QueryAnswer | { cannot: string } | null {
  const read = asked.length === 0 ? ALONE : readFirst(entity, asked.map(write));
  if (!read || 'refused' in read) return read;
  const gone = read.queries.map((query) => goOn(entity, base, how, asked.length === 0 ? null : query));
  const cannot = gone.find((one) => 'cannot' in one);
  if (cannot) return cannot;
  const either = gone.find((one) => 'either' in one);
  if (either) return { cannot: sayEither(entity, either.either) };
  return sayQueries(
    entity,
    gone.flatMap((one) => ('query' in one ? [one.query] : [])),
    read,
  );
}

/** What a message that says no more is read as. */
const ALONE = { queries: [{ entity: '', where: null, onlyCount: false }], notes: [], leftOut: [] };
