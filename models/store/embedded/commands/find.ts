import { compileCompute, expressionTest } from '../aggregate/expression.ts';
import { compare } from '../bson/compare.ts';
import { readDoc } from '../bson/read.ts';
import { type Doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import type { Collection } from '../catalogue/collection.ts';
import { refuse, unsupported } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import { type Path, parsePath } from '../filter/path.ts';
import { countMatches, documentOf, type Query, runQuery } from '../plan/query.ts';
import { compileProjection, type Projection } from '../projection/compile.ts';
import { parseSort } from '../sort.ts';
import { matchedPosition } from '../update/positional.ts';
import { collation, deadline, docOf, namespace, wholeOf } from './arguments.ts';
import type { Handler, Store } from './context.ts';
import type { Stream } from './cursors.ts';

export const EMPTY_STREAM: Stream = { next: () => undefined };

/** The query of a command or statement that finds documents; `body` has its sort, hint, collation, limits and `let`. */
export function queryOf(body: Doc, filter: Doc, collection?: Collection, variables = docOf(body.get('let'))): Query {
  const collator = collation(body, collection);
  const sort = docOf(body.get('sort'));
  return {
    filter,
    condition: compileFilter(filter, { collator, expression: expressionTest(variables) }),
    collator,
    hint: body.get('hint'),
    sort: sort.size > 0 ? parseSort(sort) : undefined,
    skip: wholeOf(body.get('skip')),
    limit: Math.abs(wholeOf(body.get('limit'))),
    until: deadline(body),
  };
}

/** The projection of a request, or undefined when it asks for whole documents. */
export function projectionOf(spec: Doc, query: Query, variables: Doc): Projection | undefined {
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
      const raw = documentOf(found);
      return project ? writeDoc(project(readDoc(raw))) : raw;
    },
  };
}

const find: Handler = (request, store) => {
  const { body } = request;
  const ns = namespace(request);
  const query = queryOf(body, docOf(body.get('filter')), store.catalogue.find(ns));
  if (truthy(body.get('tailable'))) refuse('tailable cursor requested on non capped collection');
  for (const option of ['min', 'max', 'returnKey', 'showRecordId']) {
    const value = body.get(option);
    if (isDoc(value) ? value.size > 0 : truthy(value)) unsupported(`find with ${option}`);
  }
  const project = projectionOf(docOf(body.get('projection')), query, docOf(body.get('let')));
  const size = body.has('batchSize') ? wholeOf(body.get('batchSize')) : undefined;
  return store.cursors.first(ns, streamOf(store, ns, query, project), {
    size,
    single: truthy(body.get('singleBatch')),
    moment: store.moment,
  });
};

const getMore: Handler = ({ body, db }, store) =>
  store.cursors.next(body.get('getMore') as bigint, `${db}.${body.get('collection')}`, wholeOf(body.get('batchSize')));

const killCursors: Handler = ({ body }, store) => {
  const ids = (body.get('cursors') as Value[]).filter((id) => typeof id === 'bigint');
  const cursorsKilled = ids.filter((id) => store.cursors.kill(id));
  const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
};

const count: Handler = (request, store) => {
  const collection = store.catalogue.find(namespace(request));
  const query = queryOf(request.body, docOf(request.body.get('query')), collection);
  return { n: collection ? countMatches(store.engine, collection, query) : 0 };
};

/** All values at a path, arrays spread once at its end. */
function valuesAt(value: Value, path: Path, i: number, out: Value[]): void {
  if (i === path.length) {
    if (Array.isArray(value)) out.push(...value);
    else if (value !== undefined) out.push(value);
  } else if (value instanceof Map) valuesAt(value.get(path[i]!.name), path, i + 1, out);
  else if (Array.isArray(value)) {
    for (const item of value) if (item instanceof Map) valuesAt(item, path, i, out);
    const item = value[path[i]!.index];
    if (item !== undefined && !(item instanceof Map && item.has(path[i]!.name))) valuesAt(item, path, i + 1, out);
  }
}

const distinct: Handler = (request, store) => {
  const collection = store.catalogue.find(namespace(request));
  const query = queryOf(request.body, docOf(request.body.get('query')), collection);
  if (!collection) return { values: [] };
  const path = parsePath(request.body.get('key') as string);
  const all: Value[] = [];
  const found = runQuery(store.engine, collection, query);
  while (found.next() >= 0) valuesAt(readDoc(documentOf(found)), path, 0, all);
  all.sort((a, b) => compare(a, b, query.collator));
  return { values: all.filter((value, i) => i === 0 || compare(value, all[i - 1], query.collator) !== 0) };
};

export const FIND: Record<string, Handler> = { find, getMore, killCursors, count, distinct };
