import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, doc, isDoc, truthy, type Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import type { IndexSpec } from '../catalogue/spec.ts';
import { fail, refuse, unsupported } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { docOf, namespace, words } from './arguments.ts';
import type { Handler, Store } from './context.ts';
import { cursorSize, docStream } from './cursors.ts';

/** Options of create that this store cannot honour. */
const UNSUPPORTED = words(
  'capped viewOn pipeline timeseries clusteredIndex encryptedFields changeStreamPreAndPostImages validator',
);
/** Parts of every command, which are no options of a collection. */
const GENERIC = words(
  'create lsid $db $clusterTime $readPreference writeConcern comment autoIndexId maxTimeMS txnNumber apiVersion',
);

const asks = (value: Value): boolean => (isDoc(value) ? value.size > 0 : truthy(value));

function existing(store: Store, ns: string): Collection {
  return store.catalogue.find(ns) ?? fail('NamespaceNotFound', `ns does not exist: ${ns}`);
}

const create: Handler = (request, store) => {
  const ns = namespace(request);
  const options: Doc = new Map();
  for (const [name, value] of request.body) {
    if (UNSUPPORTED.includes(name) && asks(value)) unsupported(`create with ${name}`);
    if (!GENERIC.includes(name) && !UNSUPPORTED.includes(name)) options.set(name, value);
  }
  const found = store.catalogue.find(ns);
  if (found && !equal(found.options, options)) fail('NamespaceExists', `Collection ${ns} already exists.`);
  if (found) return {};
  return store.queue.run(() => {
    store.catalogue.ensure(ns, options);
    return {};
  });
};

const drop: Handler = (request, store) => {
  const ns = namespace(request);
  if (!store.catalogue.find(ns)) return {};
  return store.queue.run(() => {
    const collection = store.catalogue.find(ns);
    if (!collection) return {};
    store.catalogue.drop(collection);
    store.sweep();
    return { nIndexesWas: collection.indexes.length, ns };
  });
};

const dropDatabase: Handler = ({ db }, store) =>
  store.queue.run(() => {
    const collections = store.catalogue.list(db);
    for (const collection of collections) store.catalogue.drop(collection);
    store.sweep();
    return collections.length > 0 ? { dropped: db } : {};
  });

const described = ({ name, options, uuid, indexes }: Collection): Doc =>
  doc({ name, type: 'collection', options, info: { readOnly: false, uuid }, idIndex: indexes[0]!.document });

const listCollections: Handler = ({ body, db }, store) => {
  const docs = store.catalogue
    .list(db)
    .map(described)
    .filter(docFilter(docOf(body.get('filter'))));
  const nameOnly = (item: Doc): Doc => doc({ name: item.get('name'), type: 'collection' });
  const shown = truthy(body.get('nameOnly')) ? docs.map(nameOnly) : docs;
  return store.cursors.first(`${db}.$cmd.listCollections`, docStream(shown), { size: cursorSize(body) });
};

const listDatabases: Handler = ({ body }, store) => {
  const empty = (name: string): boolean => store.catalogue.list(name).every((item) => item.count === 0);
  const databases = store.catalogue
    .databases()
    .map((name) => doc({ name, sizeOnDisk: 0, empty: empty(name) }))
    .filter(docFilter(docOf(body.get('filter'))));
  if (truthy(body.get('nameOnly'))) return { databases: databases.map((item) => ({ name: item.get('name') })) };
  return { databases, totalSize: 0, totalSizeMb: 0 };
};

const renameCollection: Handler = ({ body }, store) => {
  const from = body.get('renameCollection');
  const to = body.get('to');
  if (typeof from !== 'string' || typeof to !== 'string')
    fail('TypeMismatch', "'renameCollection' and 'to' must be strings");
  if (from === to) fail('IllegalOperation', "Can't rename a collection to itself");
  return store.queue.run(() => {
    const collection = existing(store, from);
    const target = store.catalogue.find(to);
    if (target && !truthy(body.get('dropTarget'))) fail('NamespaceExists', 'target namespace exists');
    if (target) store.catalogue.drop(target);
    store.catalogue.rename(collection, to);
    return {};
  });
};

const collMod: Handler = (request, store) => {
  const ns = namespace(request);
  const change = request.body.get('index');
  if (request.body.has('validator')) unsupported('collMod with validator');
  return store.queue.run(() => {
    const collection = existing(store, ns);
    return isDoc(change) ? store.catalogue.modifyIndex(collection, change) : {};
  });
};

const createIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  const { catalogue } = store;
  const specs = (request.body.get('indexes') as Value[]).map((spec) =>
    isDoc(spec) ? spec : fail('TypeMismatch', "The elements of the 'indexes' array must be objects"),
  );
  if (specs.length === 0) refuse('Must specify at least one index to create');
  const before = catalogue.find(ns);
  if (before && specs.every((spec) => catalogue.hasIndex(before, spec))) {
    const n = before.indexes.length;
    return { numIndexesBefore: n, numIndexesAfter: n, note: 'all indexes already exist' };
  }
  return store.queue.run(() => {
    const created = catalogue.find(ns) === undefined;
    const collection = catalogue.ensure(ns);
    const old = [...collection.indexes];
    try {
      for (const spec of specs) catalogue.createIndex(collection, spec);
    } catch (error) {
      for (const index of collection.indexes) if (!old.includes(index)) catalogue.dropIndex(collection, index);
      if (created) catalogue.drop(collection);
      store.sweep();
      throw error;
    }
    return {
      numIndexesBefore: old.length,
      numIndexesAfter: collection.indexes.length,
      createdCollectionAutomatically: created,
    };
  });
};

const listIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  const docs = existing(store, ns).indexes.map((index) => index.document);
  return store.cursors.first(ns, docStream(docs), { size: cursorSize(request.body) });
};

/** The indexes that a dropIndexes names: by name, by key, by a list of names, or all with "*". */
function named(collection: Collection, which: Value): IndexSpec[] {
  if (which === '*') return collection.indexes.slice(1);
  if (Array.isArray(which)) return which.flatMap((item) => named(collection, item));
  const found = collection.indexes.filter((index) =>
    typeof which === 'string' ? index.name === which : equal(index.document.get('key'), which),
  );
  if (found.length === 0)
    fail('IndexNotFound', `index not found with name [${typeof which === 'string' ? which : show(which)}]`);
  if (found.some((index) => index.name === '_id_')) fail('InvalidOptions', 'cannot drop _id index');
  return found;
}

const dropIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  return store.queue.run(() => {
    const collection = existing(store, ns);
    const nIndexesWas = collection.indexes.length;
    for (const index of named(collection, request.body.get('index'))) store.catalogue.dropIndex(collection, index);
    store.sweep();
    return { nIndexesWas };
  });
};

export const COLLECTIONS: Record<string, Handler> = {
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  renameCollection,
  collMod,
  createIndexes,
  listIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
};
