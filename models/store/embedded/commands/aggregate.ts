import { compilePipeline, stageParts } from '../aggregate/pipeline.ts';
import { collectionDocs, filterContext, type StageContext } from '../aggregate/stage.ts';
import { OUTPUT } from '../aggregate/stages/output.ts';
import { readDoc } from '../bson/read.ts';
import { type Doc, doc, isDoc, isNumber, toNumber, truthy, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import { countMatches, type Query } from '../plan/query.ts';
import { parseSort } from '../sort.ts';
import { collation, deadline, docOf, namespace } from './arguments.ts';
import type { Handler, Store } from './context.ts';
import { cursorSize, docStream, type Stream } from './cursors.ts';
import { explain } from './explain.ts';
import { EMPTY_STREAM, streamOf } from './find.ts';

const isCount = (operand: Value, least: number): boolean =>
  isNumber(operand) && Number.isInteger(toNumber(operand)) && toNumber(operand) >= least;

/**
 * Takes leading $match, $sort, $skip and $limit stages into the collection's query, so that indexes serve them; gives
 * the stages that are left, and so those with an operand that is to be refused.
 */
function split(stages: Value[], context: StageContext, body: Doc): { query: Query; rest: Value[] } {
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
  const sort = take('$sort', (operand) => isDoc(operand) && operand.size > 0);
  const query: Query = {
    filter,
    condition: compileFilter(filter, filterContext(context)),
    collator: context.collator,
    hint: body.get('hint'),
    sort: isDoc(sort) ? parseSort(sort) : undefined,
    skip: toNumber(take('$skip', (operand) => isCount(operand, 0)) ?? 0),
    limit: toNumber(take('$limit', (operand) => isCount(operand, 1)) ?? 0),
    until: deadline(body),
  };
  return { query, rest };
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

function streamFor(store: Store, stages: Value[], context: StageContext, body: Doc): Stream {
  const { query, rest } = split(stages, context, body);
  const run = compilePipeline(rest, context);
  if (rest.length === 0) return streamOf(store, context.ns, query);
  const counted = countField(rest);
  if (!counted) return docStream(run(collectionDocs(context, query.filter, query)));
  const collection = store.catalogue.find(context.ns);
  const n = collection ? countMatches(store.engine, collection, query) : 0;
  return docStream(n === 0 ? [] : [doc({ _id: counted.id, [counted.field]: n })]);
}

export const aggregate: Handler = (request, store, session) => {
  const { body, db } = request;
  if (truthy(body.get('explain'))) return explain({ ...request, body: new Map([['explain', body]]) }, store, session);
  const stages = body.get('pipeline') as Value[];
  if (!body.has('cursor'))
    fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  const ns = isNumber(body.get('aggregate')) ? `${db}.$cmd.aggregate` : namespace(request);
  const collator = collation(body, store.catalogue.find(ns));
  const variables = docOf(body.get('let'));
  const context: StageContext = { store, db, ns, collator, variables, pipeline: compilePipeline, depth: 0 };
  const size = cursorSize(body);
  const [name = '', operand] = stages.length > 0 ? stageParts(stages.at(-1)) : [];
  const output = Object.hasOwn(OUTPUT, name) ? OUTPUT[name]!(operand, context) : undefined;
  const stream = streamFor(store, output ? stages.slice(0, -1) : stages, context, body);
  if (!output) return store.cursors.first(ns, stream, { size });
  return store.queue.run(() => {
    const docs: Doc[] = [];
    for (let raw = stream.next(); raw; raw = stream.next()) docs.push(readDoc(raw));
    output(docs, context);
    return store.cursors.first(ns, EMPTY_STREAM, { size });
  });
};
