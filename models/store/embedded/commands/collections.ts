import { equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, doc, isDoc, truthy, type Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import type { IndexSpec } from '../catalogue/spec.ts';
import { fail, refuse, unsupported } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { docOf, namespace, words } from './arguments.ts';
import type { Fields, Handler, Store } from './context.ts';
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

const existing = (store: Store, ns: string): Collection =>
  store.catalogue.find(ns) ?? fail('NamespaceNotFound', `ns does not exist: ${ns}`);

/** A command that changes the catalogue in one transaction. */
const changing =
  (change: (body: Doc, store: Store, ns: string) => Fields, namespaceOf = namespace): Handler =>
  (request, store) => {
    const ns = namespaceOf(request);
    return store.queue.run(() => change(request.body, store, ns));
  };

const create = changing((body, { catalogue }, ns) => {
  const refused = UNSUPPORTED.find((name) => asks(body.get(name)));
  if (refused) unsupported(`create with ${refused}`);
  const options = new Map([...body].filter(([name]) => !GENERIC.includes(name) && !UNSUPPORTED.includes(name)));
  const found = catalogue.find(ns);
  if (found && !equal(found.options, options)) fail('NamespaceExists', `Collection ${ns} already exists.`);
  catalogue.ensure(ns, options);
  return {};
});

const drop = changing((_body, store, ns) => {
  const collection = store.catalogue.find(ns);
  if (!collection) return {};
  store.catalogue.drop(collection);
  store.sweep();
  return { nIndexesWas: collection.indexes.length, ns };
});

const dropDatabase = changing(
  (_body, store, db) => {
    const collections = store.catalogue.list(db);
    for (const collection of collections) store.catalogue.drop(collection);
    store.sweep();
    return collections.length > 0 ? { dropped: db } : {};
  },
  ({ db }) => db,
);

const renameCollection = changing(
  (body, store, from) => {
    const to = body.get('to') as string;
    const collection = existing(store, from);
    const target = store.catalogue.find(to);
    if (target && !truthy(body.get('dropTarget'))) fail('NamespaceExists', 'target namespace exists');
    if (target) store.catalogue.drop(target);
    store.catalogue.rename(collection, to);
    return {};
  },
  ({ body }) => {
    const from = body.get('renameCollection');
    if (typeof from !== 'string' || typeof body.get('to') !== 'string')
      fail('TypeMismatch', "'renameCollection' and 'to' must be strings");
    return from === body.get('to') ? fail('IllegalOperation', "Can't rename a collection to itself") : from;
  },
);

const collMod = changing((body, store, ns) => {
  if (body.has('validator')) unsupported('collMod with validator');
  const change = body.get('index');
  const collection = existing(store, ns);
  return isDoc(change) ? store.catalogue.modifyIndex(collection, change) : {};
});

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
    const createdCollectionAutomatically = catalogue.find(ns) === undefined;
    const collection = catalogue.ensure(ns);
    const old = [...collection.indexes];
    try {
      for (const spec of specs) catalogue.createIndex(collection, spec);
    } catch (error) {
      for (const index of collection.indexes) if (!old.includes(index)) catalogue.dropIndex(collection, index);
      if (createdCollectionAutomatically) catalogue.drop(collection);
      store.sweep();
      throw error;
    }
    const numIndexesAfter = collection.indexes.length;
    return { numIndexesBefore: old.length, numIndexesAfter, createdCollectionAutomatically };
  });
};

/** The indexes that a dropIndexes names: by name, by key, by a list of names, or all with "*". */
function named(collection: Collection, which: Value): IndexSpec[] {
  if (which === '*') return collection.indexes.slice(1);
  if (Array.isArray(which)) return which.flatMap((item) => named(collection, item));
  const found = collection.indexes.find(({ name, document }) => name === which || equal(document.get('key'), which));
  if (!found) fail('IndexNotFound', `index not found with name [${typeof which === 'string' ? which : show(which)}]`);
  return found.name === '_id_' ? fail('InvalidOptions', 'cannot drop _id index') : [found];
}

const dropIndexes = changing((body, store, ns) => {
  const collection = existing(store, ns);
  const nIndexesWas = collection.indexes.length;
  for (const index of named(collection, body.get('index'))) store.catalogue.dropIndex(collection, index);
  store.sweep();
  return { nIndexesWas };
});

const described = ({ name, options, uuid, indexes }: Collection): Doc =>
  doc({ name, type: 'collection', options, info: { readOnly: false, uuid }, idIndex: indexes[0]!.document });

const listCollections: Handler = ({ body, db }, store) => {
  const wanted = docFilter(docOf(body.get('filter')));
  const docs = store.catalogue.list(db).map(described).filter(wanted);
  const nameOnly = (item: Doc): Doc => doc({ name: item.get('name'), type: 'collection' });
  const shown = truthy(body.get('nameOnly')) ? docs.map(nameOnly) : docs;
  return store.cursors.first(`${db}.$cmd.listCollections`, docStream(shown), { size: cursorSize(body) });
};

const listDatabases: Handler = ({ body }, { catalogue }) => {
  const empty = (name: string): boolean => catalogue.list(name).every((item) => item.count === 0);
  const all = catalogue.databases().map((name) => doc({ name, sizeOnDisk: 0, empty: empty(name) }));
  const databases = all.filter(docFilter(docOf(body.get('filter'))));
  if (truthy(body.get('nameOnly'))) return { databases: databases.map((item) => ({ name: item.get('name') })) };
  return { databases, totalSize: 0, totalSizeMb: 0 };
};

const listIndexes: Handler = (request, store) => {
  const ns = namespace(request);
  const docs = existing(store, ns).indexes.map((index) => index.document);
  return store.cursors.first(ns, docStream(docs), { size: cursorSize(request.body) });
};

export const COLLECTIONS: Record<string, Handler> = {
  create,
  drop,
  dropDatabase,
  renameCollection,
  collMod,
  createIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
  listCollections,
  listDatabases,
  listIndexes,
};
