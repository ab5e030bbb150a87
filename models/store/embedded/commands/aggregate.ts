import { compilePipeline, countField, stageParts } from '../aggregate/pipeline.ts';
import { type Doc, doc, isDoc, isNumber, toNumber, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { countMatches, type Query } from '../plan/query.ts';
import { docOf } from './arguments.ts';
import type { Handler } from './context.ts';
import { docStream, docsOf } from './cursors.ts';
import { queryOf, streamOf } from './find.ts';

const isCount = (operand: Value, least: number): boolean =>
  isNumber(operand) && Number.isInteger(toNumber(operand)) && toNumber(operand) >= least;

/** The stages behind $match that a query can do, in their order, with the operands that are not to be refused. */
const LEADING: [string, (operand: Value) => boolean][] = [
  ['sort', (operand) => isDoc(operand) && operand.size > 0],
  ['skip', (operand) => isCount(operand, 0)],
  ['limit', (operand) => isCount(operand, 1)],
];

/**
 * Takes leading $match, $sort, $skip and $limit stages into the collection's query, so that indexes serve them; gives
 * the stages that are left.
 */
function pipelineQuery(stages: Value[], body: Doc): { query: Query; rest: Value[] } {
  const rest = [...stages];
  const take = (name: string, useful: (operand: Value) => boolean): Value => {
    const [stage, operand] = rest.length > 0 ? stageParts(rest[0]) : [];
    if (stage !== name || !useful(operand)) return undefined;
    rest.shift();
    return operand;
  };
  const filters: Value[] = [];
  for (let next = take('$match', isDoc); next; next = take('$match', isDoc)) filters.push(next);
  const filter = filters.length > 1 ? doc({ $and: filters }) : docOf(filters[0]);
  const options: Doc = new Map(body);
  for (const [name, useful] of LEADING) options.set(name, take(`$${name}`, useful));
  return { query: queryOf(options, filter), rest };
}

export const aggregate: Handler = async (call) => {
  const { body, collection, ns, store } = call;
  if (!body.has('cursor')) fail('FailedToParse', "The 'cursor' option is required");
  const { query, rest } = pipelineQuery(body.get('pipeline') as Value[], body);
  const run = compilePipeline(rest);
  const counted = countField(rest);
  if (!counted) return store.cursors.first(ns, docStream(run(docsOf(streamOf(call, query)))), body);
  const n = collection ? await countMatches(store.engine, collection, query) : 0;
  return store.cursors.first(ns, docStream(n === 0 ? [] : [doc({ _id: counted.id, [counted.field]: n })]), body);
};
