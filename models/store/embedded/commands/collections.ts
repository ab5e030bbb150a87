import { equal } from '../bson/compare.ts';
import { type Doc, doc, isDoc, truthy, typeName, type Value } from '../bson/value.ts';
import type { Collection } from '../catalogue/collection.ts';
import { fail } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { iterableStream } from './aggregate.ts';
import { docArgument, namespace } from './arguments.ts';
import type { Handler } from './context.ts';
import { batchSize } from './cursors.ts';
import { ok } from './reply.ts';

/** Options of create that this store cannot honour. */
const UNSUPPORTED = [
  'capped',
  'viewOn',
  'pipeline',
  'timeseries',
  'clusteredIndex',
  'encryptedFields',
  'changeStreamPreAndPostImages',
];
/** Parts of every command, which are no options of a collection. */
const GENERIC = new Set([
  'create',
  'lsid',
  '$db',
  '$clusterTime',
  '$readPreference',
  'writeConcern',
  'comment',
  'autoIndexId',
  'maxTimeMS',
  'txnNumber',
  'apiVersion',
]);

const create: Handler = (request, store) => {
  const ns = namespace(request);
  const options: Doc = new Map();
  for (const [name, value] of request.body) {
    if (GENERIC.has(name)) continue;
    if (
      UNSUPPORTED.includes(name) &&
      (isDoc(value) || Array.isArray(value) || typeof value === 'string' || truthy(value))
    ) {
      fail('CommandNotSupported', `create with ${name} is not supported by the embedded store`);
    }
    if (name === 'validator' && isDoc(value) && value.size > 0)
      fail('CommandNotSupported', 'validators are not supported by the embedded store');
    if (!UNSUPPORTED.includes(name)) options.set(name, value);
  }
  const existing = store.catalogue.find(ns);
  if (existing) {
    if (equal(existing.options, options)) return ok();
    fail('NamespaceExists', `Collection ${ns} already exists.`);
  }
  return store.queue.run(() => {
    store.catalogue.ensure(ns, options);
    return ok();
  });
};

const drop: Handler = (request, store) => {
  const ns = namespace(request);
  if (!store.catalogue.find(ns)) return ok();
  return store.queue.run(() => {
    const collection = store.catalogue.find(ns);
    if (!collection) return ok();
    store.catalogue.drop(collection);
    store.sweep();
    return doc({ nIndexesWas: collection.indexes.length, ns, ok: 1 });
  });
};

const dropDatabase: Handler = (request, store) =>
  store.queue.run(() => {
    const collections = store.catalogue.list(request.db);
    for (const collection of collections) store.catalogue.drop(collection);
    store.sweep();
    return collections.length > 0 ? doc({ dropped: request.db, ok: 1 }) : ok();
  });

function describe(collection: Collection, nameOnly: boolean): Doc {
  const shown: Doc = new Map<string, Value>([
    ['name', collection.name],
    ['type', 'collection'],
  ]);
  if (nameOnly) return shown;
  shown.set('options', collection.options);
  shown.set('info', doc({ readOnly: false, uuid: collection.uuid }));
  shown.set('idIndex', collection.indexes[0]!.document);
  return shown;
}

const listCollections: Handler = (request, store) => {
  const test = docFilter(docArgument(request.body, 'filter', 'listCollections'));
  const nameOnly = truthy(request.body.get('nameOnly'));
  const docs = store.catalogue
    .list(request.db)
    .filter((collection) => test(describe(collection, false)))
    .map((collection) => describe(collection, nameOnly));
  const cursor = request.body.get('cursor');
  return store.cursors.first(
    `${request.db}.$cmd.listCollections`,
    iterableStream(docs),
    batchSize(isDoc(cursor) ? cursor.get('batchSize') : undefined),
  );
};

const renameCollection: Handler = (request, store) => {
  const from = request.body.get('renameCollection');
  const to = request.body.get('to');
  if (typeof from !== 'string' || typeof to !== 'string')
    fail('TypeMismatch', `'renameCollection' and 'to' must be strings, not ${typeName(to)}`);
  if (from === to) fail('IllegalOperation', "Can't rename a collection to itself");
  return store.queue.run(() => {
    const collection = store.catalogue.find(from);
    if (!collection) fail('NamespaceNotFound', `Source collection ${from} does not exist`);
    const target = store.catalogue.find(to);
    if (target && !truthy(request.body.get('dropTarget'))) fail('NamespaceExists', 'target namespace exists');
    if (target) store.catalogue.drop(target);
    store.catalogue.rename(collection, to);
    return ok();
  });
};

const collMod: Handler = (request, store) => {
  const ns = namespace(request);
  const change = request.body.get('index');
  if (request.body.has('validator')) fail('CommandNotSupported', 'validators are not supported by the embedded store');
  return store.queue.run(() => {
    const collection = store.catalogue.find(ns);
    if (!collection) fail('NamespaceNotFound', `ns does not exist: ${ns}`);
    return isDoc(change) ? store.catalogue.modifyIndex(collection, change) : ok();
  });
};

export const COLLECTIONS: Record<string, Handler> = {
  create,
  drop,
  dropDatabase,
  listCollections,
  renameCollection,
  collMod,
};
