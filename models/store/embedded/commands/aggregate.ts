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

/** What of a pipeline the collection's query takes over, and the stages that are left. */
type Split = { query: Query; rest: Value[] };

/** Takes leading $match, $sort, $skip and $limit stages into the query, so that indexes serve them. */
function split(stages: Value[], context: StageContext, hint: Value): Split {
  const rest = [...stages];
  /** The operand of the next stage, when it is of this name and of use; a wrong one is left to be refused. */
  const take = <T extends Value>(name: string, useful: (operand: Value) => operand is T): T | undefined => {
    if (rest.length === 0) return undefined;
    const [stage, operand] = stageParts(rest[0]);
    if (stage !== name || !useful(operand)) return undefined;
    rest.shift();
    return operand;
  };
  const isCount =
    (least: number) =>
    (operand: Value): operand is number =>
      isNumber(operand) && Number.isInteger(toNumber(operand)) && toNumber(operand) >= least;
  const filters: Doc[] = [];
  for (let next = take('$match', isDoc); next; next = take('$match', isDoc)) filters.push(next);
  const filter: Doc = filters.length > 1 ? new Map([['$and', filters]]) : (filters[0] ?? new Map());
  const sort = take('$sort', (operand): operand is Doc => isDoc(operand) && operand.size > 0);
  const query: Query = {
    filter,
    condition: compileFilter(filter, filterContext(context)),
    collator: context.collator,
    hint,
    sort: sort && parseSort(sort),
    skip: toNumber(take('$skip', isCount(0)) ?? 0),
    limit: toNumber(take('$limit', isCount(1)) ?? 0),
  };
  return { query, rest };
}

/** The field that a `{$group: {_id: <constant>, n: {$sum: 1}}}` counts into, as countDocuments sends it. */
function countField(rest: Value[]): { id: Value; field: string } | undefined {
  if (rest.length !== 1) return undefined;
  const [name, spec] = stageParts(rest[0]);
  if (name !== '$group' || !isDoc(spec) || spec.size !== 2) return undefined;
  const id = spec.get('_id');
  if (id !== null && typeof id !== 'number') return undefined;
  const [field, sum] = [...spec].find(([key]) => key !== '_id') ?? [];
  return field && isDoc(sum) && sum.size === 1 && sum.get('$sum') === 1 ? { id, field } : undefined;
}

function streamFor(store: Store, stages: Value[], context: StageContext, body: Doc): Stream {
  const { query, rest } = split(stages, context, body.get('hint'));
  query.until = deadline(body);
  const run = compilePipeline(rest, context);
  if (rest.length === 0) return streamOf(store, context.ns, query);
  const counted = countField(rest);
  const collection = store.catalogue.find(context.ns);
  if (counted) {
    const n = collection ? countMatches(store.engine, collection, query) : 0;
    return docStream(n === 0 ? [] : [doc({ _id: counted.id, [counted.field]: n })]);
  }
  return docStream(run(collectionDocs(context, query.filter, query)));
}

const aggregate: Handler = (request, store, session) => {
  const { body, db } = request;
  if (truthy(body.get('explain'))) return explain({ ...request, body: new Map([['explain', body]]) }, store, session);
  const stages = body.get('pipeline') as Value[];
  if (!body.has('cursor'))
    fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  const ns = isNumber(body.get('aggregate')) ? `${db}.$cmd.aggregate` : namespace(request);
  const context: StageContext = {
    store,
    db,
    ns,
    collator: collation(body, store.catalogue.find(ns)),
    variables: docOf(body.get('let')),
    pipeline: compilePipeline,
    depth: 0,
  };
  const size = cursorSize(body);
  const last = stages.length > 0 ? stageParts(stages.at(-1)) : undefined;
  const output = last && OUTPUT[last[0]]?.(last[1], context);
  const stream = streamFor(store, output ? stages.slice(0, -1) : stages, context, body);
  if (!output) return store.cursors.first(ns, stream, { size });
  return store.queue.run(() => {
    const docs: Doc[] = [];
    for (let raw = stream.next(); raw; raw = stream.next()) docs.push(readDoc(raw));
    output(docs, context);
    return store.cursors.first(ns, EMPTY_STREAM, { size });
  });
};

export const AGGREGATE: Record<string, Handler> = { aggregate };
