import { compare } from '../bson/compare.ts';
import { readDoc } from '../bson/read.ts';
import { type Doc, toNumber, truthy, type Value } from '../bson/value.ts';
import { writeDoc } from '../bson/write.ts';
import { refuse } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import { anyAt, parsePath, Raw } from '../filter/path.ts';
import { identity } from '../keys/encode.ts';
import { countMatches, documentOf, type Query, runQuery, visitFound } from '../plan/query.ts';
import { END, PAUSED } from '../plan/scan.ts';
import { compileProjection, type Projection } from '../projection/compile.ts';
import { parseSort } from '../sort.ts';
import { Turn } from '../turn.ts';
import { docOf, wholeOf } from './arguments.ts';
import type { Call, Handler } from './context.ts';
import { docStream, type Stream } from './cursors.ts';

/** When a request's maxTimeMS runs out; undefined without one. */
function deadline(body: Doc): number | undefined {
  const limit = toNumber(body.get('maxTimeMS') ?? 0);
  if (!(limit >= 0 && limit <= 2147483647)) refuse(`${limit} value for maxTimeMS is out of range [0, 2147483647]`);
  return limit === 0 ? undefined : performance.now() + limit;
}

/** The query of a command or statement that finds documents; `body` has its sort, hint and limits. */
export function queryOf(body: Doc, filter: Doc): Query {
  const sort = docOf(body.get('sort'));
  return {
    filter,
    condition: compileFilter(filter),
    hint: body.get('hint'),
    sort: sort.size > 0 ? parseSort(sort) : undefined,
    skip: wholeOf(body.get('skip')),
    limit: Math.abs(wholeOf(body.get('limit'))),
    until: deadline(body),
  };
}

/** The projection of a request, or undefined when it asks for whole documents. */
export const projectionOf = (spec: Doc): Projection | undefined =>
  spec.size === 0 ? undefined : compileProjection(spec);

/** Streams a query's documents, projected. */
export function streamOf({ store, collection }: Call, query: Query, project?: Projection): Stream {
  if (!collection) return docStream();
  const turn = new Turn();
  const found = runQuery(store.engine, collection, query, turn);
  const next: Stream['next'] = () => {
    const record = found.next();
    if (record === PAUSED) return turn.next().then(next);
    if (record === END) return undefined;
    const raw = documentOf(found);
    return project ? writeDoc(project(readDoc(raw))) : raw;
  };
  return { next };
}

export const FIND: Record<string, Handler> = {
  find: (call) => {
    const { body, ns, store } = call;
    const query = queryOf(body, docOf(body.get('filter')));
    if (truthy(body.get('tailable'))) refuse('tailable cursor requested on non capped collection');
    const project = projectionOf(docOf(body.get('projection')));
    return store.cursors.first(ns, streamOf(call, query, project), body, { moment: store.moment });
  },

  getMore: ({ body, db, store }) => {
    const ns = `${db}.${body.get('collection')}`;
    return store.cursors.next(body.get('getMore') as bigint, ns, wholeOf(body.get('batchSize')));
  },

  killCursors: ({ body, store }) => {
    const ids = (body.get('cursors') as Value[]).filter((id) => typeof id === 'bigint');
    const cursorsKilled = ids.filter((id) => store.cursors.open.delete(id));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },

  count: async ({ body, collection, store }) => {
    const query = queryOf(body, docOf(body.get('query')));
    return { n: collection ? await countMatches(store.engine, collection, query) : 0 };
  },

  distinct: async ({ body, collection, store }) => {
    const query = queryOf(body, docOf(body.get('query')));
    if (!collection) return { values: [] };
    const path = parsePath(body.get('key') as string);
    const values = new Map<unknown, Value>();
    // Asked of every value at the path, and satisfied by none, so that all are seen.
    const collect = (value: Value) => {
      const key = identity(value);
      if (value !== undefined && !values.has(key)) values.set(key, value);
      return false;
    };
    await visitFound(store.engine, collection, query, (_record, { bytes }) =>
      anyAt(new Raw(bytes).field(path[0]!), path, 1, { test: collect, whole: false, elements: true }),
    );
    return { values: [...values.values()].sort(compare) };
  },
};
