import useSWR from 'swr';
import { askAgain, type Chip, type Condition, type Operator, type Query } from '../../models/contracts/askedQuery.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import type { AnswerOf } from '../../models/contracts/endpoint.ts';
import { call } from './call.ts';

/**
 * Asks an agent again with a changed query.
 * @param of the result of the first answer
 */
export const ask = (agentId: AgentId, query: Query, of?: number): Promise<AnswerOf<typeof askAgain>> =>
  call(askAgain, { body: { agentId, query, ...(of === undefined ? {} : { of }) } });

/**
 * The rows of a query in an address; nothing while it has none.
 * @param of the agent's id of the result
 */
export function useAsked(agentId: AgentId, query: Query | null, of?: number) {
  return useSWR(query ? ['ask-again', agentId, of, JSON.stringify(query)] : null, () =>
    query ? ask(agentId, query, of) : null,
  );
}

/** A query without the part that a chip stands for. */
export function removePart(query: Query, part: Chip['part']): Query {
  if (part === 'sort') {
    const { sort: _sort, limit: _limit, ...rest } = query;
    return rest;
  }
  if (typeof part === 'string') {
    const { [part]: _removed, ...rest } = query;
    return rest;
  }
  const { where } = query;
  if (where && 'all' in where)
    return {
      ...query,
      where: joined(
        'all',
        where.all.filter((_, at) => at !== part),
      ),
    };
  if (where && 'any' in where)
    return {
      ...query,
      where: joined(
        'any',
        where.any.filter((_, at) => at !== part),
      ),
    };
  return { ...query, where: null };
}

type Parts = NonNullable<Query['where']>[];
/** One condition needs no word that joins; none is no condition. */
function joined(word: 'all' | 'any', parts: Parts): Query['where'] {
  const [only] = parts;
  if (parts.length < 2) return only ?? null;
  return word === 'all' ? { all: parts } : { any: parts };
}

/** What of a condition is changed; `condition` takes the place of the whole. */
export type Changed = { operator?: Operator; value?: number | string; condition?: Condition };

/** A query with another comparison, number, value or condition in the part that a chip stands for. */
export function changePart(query: Query, part: Chip['part'], { operator, value, condition }: Changed): Query {
  if (part === 'limit') return typeof value === 'number' ? { ...query, limit: value } : query;
  const { where } = query;
  const change = (one: Condition): Condition => {
    if (condition) return condition;
    if ('not' in one) return { not: change(one.not) };
    if ('is' in one) return value === undefined ? one : { ...one, is: [String(value)] };
    if (!('value' in one)) return one;
    return { ...one, ...(operator ? { operator } : {}), ...(value === undefined ? {} : { value }) };
  };
  const changeAt = (parts: Parts) => parts.map((one, at) => (at === part ? change(one) : one));
  if (!where) return query;
  if ('all' in where) return { ...query, where: { all: changeAt(where.all) } };
  if ('any' in where) return { ...query, where: { any: changeAt(where.any) } };
  return { ...query, where: change(where) };
}

/** A query with one more condition, joined as the others are. */
export function addPart(query: Query, condition: Condition): Query {
  const { where } = query;
  if (!where) return { ...query, where: condition };
  if ('all' in where) return { ...query, where: { all: [...where.all, condition] } };
  if ('any' in where) return { ...query, where: { any: [...where.any, condition] } };
  return { ...query, where: { all: [where, condition] } };
}
