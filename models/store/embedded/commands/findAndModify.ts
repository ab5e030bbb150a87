import { readDoc } from '../bson/read.ts';
import { type Doc, doc, isDoc, truthy, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { docArgument, namespace } from './arguments.ts';
import type { Handler } from './context.ts';
import { projectionOf, queryOf } from './find.ts';
import { finds, runDelete, runUpdate, updateStatement } from './write.ts';

function reply(value: Value, last: Doc): Doc {
  return doc({ lastErrorObject: last, value: value ?? null, ok: 1 });
}

const findAndModify: Handler = (request, store) => {
  const { body } = request;
  const ns = namespace(request);
  const query = { ...queryOf(body, 'query', 'findAndModify', store.catalogue.find(ns)), limit: 1 };
  const remove = truthy(body.get('remove'));
  const update = body.get('update');
  const upsert = truthy(body.get('upsert'));
  const fresh = truthy(body.get('new'));
  if (remove && update !== undefined) fail('FailedToParse', 'Cannot specify both an update and remove=true');
  if (remove && upsert) fail('FailedToParse', 'Cannot specify both upsert=true and remove=true');
  if (remove && fresh)
    fail('FailedToParse', "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  if (!remove && update === undefined) fail('FailedToParse', 'Either an update or remove=true must be specified');
  const variables = body.get('let');
  const project = projectionOf(
    docArgument(body, 'fields', 'findAndModify'),
    query,
    isDoc(variables) ? variables : undefined,
  );
  const shown = (raw: Buffer | undefined): Value => {
    if (!raw) return null;
    const found = readDoc(raw);
    return project ? project(found) : found;
  };
  if (remove) {
    if (!finds(store, ns, query)) return reply(null, doc({ n: 0 }));
    return store.queue.run(() => {
      const { n, last } = runDelete(store, ns, query);
      return reply(shown(last), doc({ n }));
    });
  }
  const statement = updateStatement(
    new Map<string, Value>([
      ['q', query.filter],
      ['u', update],
      ['upsert', upsert],
      ['arrayFilters', body.get('arrayFilters')],
      ['collation', body.get('collation')],
      ['c', variables],
    ]),
  );
  statement.query = query;
  const none = () => reply(null, doc({ n: 0, updatedExisting: false }));
  if (!upsert && !finds(store, ns, query)) return none();
  return store.queue.run(() => {
    const result = runUpdate(store, ns, statement);
    if (result.upserted !== undefined) {
      return reply(
        fresh ? shown(result.after) : null,
        doc({ n: 1, updatedExisting: false, upserted: result.upserted }),
      );
    }
    if (result.matched === 0) return none();
    return reply(shown(fresh ? result.after : result.before), doc({ n: 1, updatedExisting: true }));
  });
};

export const FIND_AND_MODIFY: Record<string, Handler> = { findAndModify, findandmodify: findAndModify };
