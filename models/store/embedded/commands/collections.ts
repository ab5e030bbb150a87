import { type Doc, doc, isDoc, truthy, type Value } from '../bson/value.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Collection } from '../catalogue/collection.ts';
import type { IndexSpec } from '../catalogue/spec.ts';
import { fail, refuse } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { Turn } from '../turn.ts';
import { docOf } from './arguments.ts';
import type { Call, Fields, Handler, Store } from './context.ts';
import { docStream } from './cursors.ts';

const existing = (catalogue: Catalogue, ns: string): Collection =>
  catalogue.find(ns) ?? fail('NamespaceNotFound', `ns does not exist: ${ns}`);

/** A command that changes the catalogue, in one transaction: it is done as a whole or not at all. */
const changing =
  (change: (call: Call, catalogue: Catalogue) => Fields): Handler =>
  (call) =>
    call.store.queue.run(() => change(call, call.store.catalogue));

/** Documents of a collection up to which its indexes are built in one transaction. */
const BUILT_AT_ONCE = 1000;

/** Builds the indexes of one command in as many transactions as it takes: all of them, or none where one fails. */
async function buildInTurns({ catalogue, queue }: Store, ns: string, specs: Doc[]): Promise<Fields> {
  const [numIndexesBefore, numbers] = await queue.run(() => {
    const filled = existing(catalogue, ns);
    return [filled.indexes.length, specs.flatMap((spec) => catalogue.beginIndex(filled, spec))] as const;
  });
  const end = (areComplete: boolean) =>
    queue.run(() => {
      const filled = existing(catalogue, ns);
      catalogue.endIndexes(filled, [...numbers], areComplete);
      return filled.indexes.length;
    });
  try {
    for (const number of numbers) {
      const goOn = (from?: Buffer) => queue.run(() => catalogue.continueIndex(ns, number, from, new Turn()));
      for (let from = await goOn(); from; ) from = await goOn(from);
    }
    return { numIndexesBefore, numIndexesAfter: await end(true), createdCollectionAutomatically: false };
  } catch (error) {
    await end(false).catch(() => undefined);
    throw error;
  }
}

export const COLLECTIONS: Record<string, Handler> = {
  create: changing(({ ns }, catalogue) => {
    catalogue.ensure(ns);
    return {};
  }),

  drop: changing(({ ns, collection }, catalogue) => {
    if (!collection) return {};
    catalogue.drop(collection);
    return { nIndexesWas: collection.indexes.length, ns };
  }),

  dropDatabase: changing(({ db }, catalogue) => {
    const collections = catalogue.list(db);
    for (const collection of collections) catalogue.drop(collection);
    return collections.length > 0 ? { dropped: db } : {};
  }),

  createIndexes: ({ body, ns, collection, store }) => {
    const { catalogue, queue } = store;
    const specs = (body.get('indexes') as Value[]).map((spec) =>
      isDoc(spec) ? spec : fail('TypeMismatch', "The elements of the 'indexes' array must be objects"),
    );
    if (specs.length === 0) refuse('Must specify at least one index to create');
    if (collection && specs.every((spec) => catalogue.hasIndex(collection, spec))) {
      const n = collection.indexes.length;
      return { numIndexesBefore: n, numIndexesAfter: n, note: 'all indexes already exist' };
    }
    if ((collection?.count ?? 0) > BUILT_AT_ONCE) return buildInTurns(store, ns, specs);
    return queue.run(() => {
      const createdCollectionAutomatically = catalogue.find(ns) === undefined;
      const filled = catalogue.ensure(ns);
      const numIndexesBefore = filled.indexes.length;
      for (const spec of specs) catalogue.createIndex(filled, spec);
      return { numIndexesBefore, numIndexesAfter: filled.indexes.length, createdCollectionAutomatically };
    });
  },

  dropIndexes: changing(({ body, ns }, catalogue) => {
    const collection = existing(catalogue, ns);
    const nIndexesWas = collection.indexes.length;
    /** By name, by key, by a list of names, or all with "*". */
    const named = (which: Value): IndexSpec[] => {
      if (which === '*') return collection.indexes.slice(1);
      return Array.isArray(which) ? which.flatMap(named) : [catalogue.findIndex(collection, which)];
    };
    for (const index of named(body.get('index'))) {
      if (index.name === '_id_') fail('InvalidOptions', 'cannot drop _id index');
      catalogue.dropIndex(collection, index);
    }
    return { nIndexesWas };
  }),

  listCollections: ({ body, db, store }) => {
    const described = ({ ns, options, uuid, indexes }: Collection): Doc => {
      const name = ns.slice(db.length + 1);
      return doc({ name, type: 'collection', options, info: { readOnly: false, uuid }, idIndex: indexes[0]!.document });
    };
    const wanted = docFilter(docOf(body.get('filter')));
    const docs = store.catalogue.list(db).map(described).filter(wanted);
    const nameOnly = (item: Doc): Doc => doc({ name: item.get('name'), type: 'collection' });
    const shown = truthy(body.get('nameOnly')) ? docs.map(nameOnly) : docs;
    return store.cursors.first(`${db}.$cmd.listCollections`, docStream(shown), body);
  },

  listDatabases: ({ body, store: { catalogue } }) => {
    const empty = (name: string): boolean => catalogue.list(name).every((item) => item.count === 0);
    const all = catalogue.databases().map((name) => doc({ name, sizeOnDisk: 0, empty: empty(name) }));
    const databases = all.filter(docFilter(docOf(body.get('filter'))));
    if (truthy(body.get('nameOnly'))) return { databases: databases.map((item) => ({ name: item.get('name') })) };
    return { databases, totalSize: 0, totalSizeMb: 0 };
  },

  listIndexes: ({ body, ns, store }) => {
    const { indexes } = existing(store.catalogue, ns);
    return store.cursors.first(ns, docStream(indexes.map((index) => index.document)), body);
  },
};
