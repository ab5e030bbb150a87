import type { AskedQuery, Query } from '../../../models/contracts/askedQuery.ts';
import { describeAsked } from './chips.ts';
import { describeFound } from './describeQuery.ts';
import type { Entity } from './entity.ts';
import { evaluate, type Found, fieldOf } from './evaluate.ts';
import { MAX_LISTED } from './listLines.ts';

/** An answer in words; or what the rows lack, as a sentence to finish "I can’t answer that: ". */
export type QueryAnswer =
  | {
      text: string;
      asked: AskedQuery | null;
      /** Passages of the listed rows that are somebody's words. */
      outside: string[];
    }
  | { refused: string };

/** What an answer has to say beside its rows. */
type Beside = { notes: readonly string[]; leftOut: readonly string[] };

/** The answer to one query, or to all that a question can mean. */
export function sayQueries<Row>(
  entity: Entity<Row>,
  queries: readonly Query[],
  { notes, leftOut }: Beside,
): QueryAnswer & { text: string } {
  const found = queries.map((query) => ({ query, found: evaluate(entity, query) }));
  const texts = found.map((one) => describeFound(entity, one.query, one.found));
  const remarks = [...notes, ...(entity.remark ? [entity.remark] : [])];
  const left = leftOut.length > 0 ? [`I left out: ${leftOut.join(', ')}.`] : [];
  const [only, another] = queries;
  return {
    text: [...texts, ...remarks, ...left].join('\n'),
    // Of a word for two fields there are two queries, and no one of them is the question.
    asked: only && !another ? describeAsked(entity, only) : null,
    outside: [...new Set(found.flatMap((one) => outsideOf(entity, one.query, one.found)))],
  };
}

/** Somebody's words in the rows that an answer lists, or in its groups by a name. */
function outsideOf<Row>(entity: Entity<Row>, { group }: Query, { rows, groups }: Found<Row>): string[] {
  const field = group === undefined ? null : fieldOf(entity, group);
  if (field?.kind === 'choice' && field.isNamed) return groups.slice(0, MAX_LISTED).flatMap(({ value }) => value ?? []);
  return rows.slice(0, MAX_LISTED).flatMap((row) => (entity.outside?.(row) ?? []).flatMap((words) => words ?? []));
}
