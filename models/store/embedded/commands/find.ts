import { compileCompute, expressionTest } from '../aggregate/expression.ts';
import { readDoc } from '../bson/read.ts';
import { type Doc, doc, isDoc, isNumber, toNumber, truthy } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import type { Collection } from '../catalogue/collection.ts';
import { fail, refuse } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import { countMatches, type Query, runQuery } from '../plan/query.ts';
import { compileProjection, type Projection } from '../projection/compile.ts';
import { matchedPosition } from '../update/positional.ts';
import { collation, countArgument, deadline, docArgument, namespace, sortArgument } from './arguments.ts';
import type { Handler, Store } from './context.ts';
import { batchSize, type Stream } from './cursors.ts';

export const EMPTY_STREAM: Stream = { next: () => undefined };

/** The query that a find, count or findAndModify body describes; `filterField` is "filter" or "query". */
export function queryOf(body: Doc, filterField: string, command: string, collection?: Collection): Query {
  const filter = docArgument(body, filterField, command);
  const collator = collation(body, collection);
  const variables = body.get('let');
  const condition = compileFilter(filter, {
    collator,
    expression: expressionTest(isDoc(variables) ? variables : undefined),
  });
  return {
    filter,
    condition,
    collator,
    hint: body.get('hint'),
    sort: sortArgument(body, command),
    until: deadline(body),
  };
}

/** The projection of a request, or undefined when it asks for whole documents. */
export function projectionOf(spec: Doc, query: Query, variables?: Doc): Projection | undefined {
  if (spec.size === 0) return undefined;
  const context = { collator: query.collator };
  return compileProjection(spec, {
    ...context,
    find: true,
    compute: compileCompute(variables),
    position: (document, path) => matchedPosition(query.filter, document, path, context),
  });
}

/** Streams a query's documents, projected. */
export function streamOf(store: Store, ns: string, query: Query, project?: Projection): Stream {
  const collection = store.catalogue.find(ns);
  if (!collection) return EMPTY_STREAM;
  const found = runQuery(store.engine, collection, query);
  return {
    next() {
      if (found.next() < 0) return undefined;
      const raw = found.copy();
      return project ? writeDoc(project(readDoc(raw))) : raw;
    },
  };
}

const find: Handler = (request, store) => {
  const { body } = request;
  const ns = namespace(request);
  const query = queryOf(body, 'filter', 'find', store.catalogue.find(ns));
  if (truthy(body.get('tailable')))
    refuse('error processing query: tailable cursor requested on non capped collection');
  for (const option of ['min', 'max', 'returnKey', 'showRecordId']) {
    const value = body.get(option);
    if (value === undefined || value === false || (isDoc(value) && value.size === 0)) continue;
    fail('CommandNotSupported', `find with ${option} is not supported by the embedded store`);
  }
  query.skip = countArgument(body, 'skip', 'find');
  const limit = body.get('limit');
  const asked = isNumber(limit) ? Math.trunc(toNumber(limit)) : 0;
  if (asked < 0) fail(51024, `BSON field 'limit' value must be >= 0, actual value '${asked}'`);
  query.limit = asked;
  const variables = body.get('let');
  const project = projectionOf(
    docArgument(body, 'projection', 'find'),
    query,
    isDoc(variables) ? variables : undefined,
  );
  const stream = streamOf(store, ns, query, project);
  return store.cursors.first(ns, stream, batchSize(body.get('batchSize')), truthy(body.get('singleBatch')));
};

const getMore: Handler = (request, store) => {
  const id = request.body.get('getMore');
  const name = request.body.get('collection');
  if (typeof id !== 'bigint')
    fail('TypeMismatch', "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
  if (typeof name !== 'string')
    fail('TypeMismatch', "BSON field 'getMore.collection' is the wrong type, expected type 'string'");
  return store.cursors.next(id, `${request.db}.${name}`, batchSize(request.body.get('batchSize')));
};

const killCursors: Handler = (request, store) => {
  const ids = request.body.get('cursors');
  if (!Array.isArray(ids))
    fail('TypeMismatch', "BSON field 'killCursors.cursors' is the wrong type, expected type 'array'");
  const cursorsKilled: bigint[] = [];
  const cursorsNotFound: bigint[] = [];
  for (const id of ids) if (typeof id === 'bigint') (store.cursors.kill(id) ? cursorsKilled : cursorsNotFound).push(id);
  return doc({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 });
};

const count: Handler = (request, store) => {
  const collection = store.catalogue.find(namespace(request));
  const query = queryOf(request.body, 'query', 'count', collection);
  query.skip = countArgument(request.body, 'skip', 'count');
  const limit = request.body.get('limit');
  query.limit = isNumber(limit) ? Math.abs(Math.trunc(toNumber(limit))) : 0;
  return doc({ n: collection ? countMatches(store.engine, collection, query) : 0, ok: 1 });
};

export const FIND: Record<string, Handler> = { find, getMore, killCursors, count };
