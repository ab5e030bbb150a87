import { compilePipeline, stageParts } from '../aggregate/pipeline.ts';
import type { StageContext } from '../aggregate/stageMaker.ts';
import { OUTPUT } from '../aggregate/stages/output.ts';
import { type Doc, doc, isDoc, isNumber, toNumber, type Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import { countMatches, type Query } from '../plan/query.ts';
import { docOf } from './arguments.ts';
import type { Call, Handler } from './context.ts';
import { docStream, docsOf, type Stream } from './cursors.ts';
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
export function pipelineQuery(stages: Value[], body: Doc, collection?: Collection): { query: Query; rest: Value[] } {
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
  return { query: queryOf(options, filter, collection), rest };
}

/** The field that a `{$group: {_id: <constant>, n: {$sum: 1}}}` counts into, as countDocuments sends it. */
function countField(rest: Value[]): { id: Value; field: string } | undefined {
  const [name, spec] = rest.length === 1 ? stageParts(rest[0]) : [];
  if (name !== '$group' || !isDoc(spec) || spec.size !== 2) return undefined;
  const id = spec.get('_id');
  const [field, sum] = [...spec].find(([key]) => key !== '_id') ?? [];
  const counts = field && isDoc(sum) && sum.size === 1 && sum.get('$sum') === 1;
  return counts && (id === null || typeof id === 'number') ? { id, field } : undefined;
}

/** Runs the remaining stages of a pipeline on the documents that its query finds. */
function reader(call: Call, query: Query, rest: Value[], context: StageContext): () => Stream {
  const run = compilePipeline(rest, context);
  const counted = countField(rest);
  return () => {
    if (rest.length === 0) return streamOf(call, query);
    if (!counted) return docStream(run(docsOf(streamOf(call, query))));
    const n = call.collection ? countMatches(call.store.engine, call.collection, query) : 0;
    return docStream(n === 0 ? [] : [doc({ _id: counted.id, [counted.field]: n })]);
  };
}

export const aggregate: Handler = (call) => {
  const { body, db, ns, store } = call;
  if (!body.has('cursor'))
    fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  const stages = body.get('pipeline') as Value[];
  const [name = '', operand] = stages.length > 0 ? stageParts(stages.at(-1)) : [];
  const writes = Object.hasOwn(OUTPUT, name);
  const { query, rest } = pipelineQuery(writes ? stages.slice(0, -1) : stages, body, call.collection);
  const variables = docOf(body.get('let'));
  const context = { store, db, ns, collator: query.collator, variables, pipeline: compilePipeline, depth: 0 };
  const output = writes && OUTPUT[name]!(operand, context);
  const read = reader(call, query, rest, context);
  if (!output) return store.cursors.first(ns, read(), body);
  return store.queue.run(() => {
    output([...docsOf(read())], context);
    return store.cursors.first(ns, docStream(), body);
  });
};
