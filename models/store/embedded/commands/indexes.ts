import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { doc, isDoc, type Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import type { IndexSpec } from '../catalogue/spec.ts';
import { fail } from '../errors.ts';
import { iterableStream } from './aggregate.ts';
import { namespace } from './arguments.ts';
import type { Handler } from './context.ts';
import { batchSize } from './cursors.ts';

const createIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  const specs = request.body.get('indexes');
  if (!Array.isArray(specs)) fail(40414, "BSON field 'createIndexes.indexes' is missing but a required field");
  if (specs.length === 0) fail('BadValue', 'Must specify at least one index to create');
  const before = store.catalogue.find(ns);
  if (before && specs.every((spec) => isDoc(spec) && store.catalogue.hasIndex(before, spec))) {
    const n = before.indexes.length;
    return doc({ numIndexesBefore: n, numIndexesAfter: n, note: 'all indexes already exist', ok: 1 });
  }
  return store.queue.run(() => {
    const created = store.catalogue.find(ns) === undefined;
    const collection = store.catalogue.ensure(ns);
    const numIndexesBefore = collection.indexes.length;
    const made: IndexSpec[] = [];
    try {
      for (const spec of specs) {
        if (!isDoc(spec)) fail('TypeMismatch', "The elements of the 'indexes' array must be objects");
        if (store.catalogue.createIndex(collection, spec)) made.push(collection.indexes.at(-1)!);
      }
    } catch (error) {
      for (const index of made) store.catalogue.dropIndex(collection, index);
      if (created) store.catalogue.drop(collection);
      store.sweep();
      throw error;
    }
    return doc({
      numIndexesBefore,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically: created,
      ok: 1,
    });
  });
};

const listIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  const collection = store.catalogue.find(ns);
  if (!collection) fail('NamespaceNotFound', `ns does not exist: ${ns}`);
  const cursor = request.body.get('cursor');
  return store.cursors.first(
    ns,
    iterableStream(collection.indexes.map((index) => index.document)),
    batchSize(isDoc(cursor) ? cursor.get('batchSize') : undefined),
  );
};

/** The indexes that a dropIndexes names: by name, by key, by a list of names, or all with "*". */
function named(collection: Collection, which: Value): IndexSpec[] {
  if (which === '*') return collection.indexes.slice(1);
  if (Array.isArray(which)) return which.flatMap((item) => named(collection, item));
  const found = collection.indexes.filter((index) =>
    typeof which === 'string' ? index.name === which : equal(index.document.get('key'), which),
  );
  if (found.length === 0)
    fail(
      'IndexNotFound',
      typeof which === 'string' ? `index not found with name [${which}]` : `can't find index with key: ${show(which)}`,
    );
  if (found.some((index) => index.name === '_id_')) fail('InvalidOptions', 'cannot drop _id index');
  return found;
}

const dropIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  return store.queue.run(() => {
    const collection = store.catalogue.find(ns);
    if (!collection) fail('NamespaceNotFound', `ns not found ${ns}`);
    const nIndexesWas = collection.indexes.length;
    for (const index of named(collection, request.body.get('index'))) store.catalogue.dropIndex(collection, index);
    store.sweep();
    return doc({ nIndexesWas, ok: 1 });
  });
};

export const INDEXES: Record<string, Handler> = { createIndexes, listIndexes, dropIndexes, deleteIndexes: dropIndexes };
