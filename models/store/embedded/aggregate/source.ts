import { readDoc } from '../bson/read.ts';
import type { Doc } from '../bson/value.ts';
import { compileFilter } from '../filter/compile.ts';
import { type Query, runQuery } from '../plan/query.ts';
import { filterContext, type StageContext } from './stage.ts';

/** The documents of the context's collection that a filter finds, by its indexes. */
export function* collectionDocs(context: StageContext, filter: Doc, part: Partial<Query> = {}): Iterable<Doc> {
  const { store, ns, collator } = context;
  const collection = store.catalogue.find(ns);
  if (!collection) return;
  const condition = compileFilter(filter, filterContext(context));
  const found = runQuery(store.engine, collection, { filter, condition, collator, ...part });
  while (found.next() >= 0) yield readDoc(found.copy());
}
