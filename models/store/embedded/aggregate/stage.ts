import { readDoc } from '../bson/read.ts';
import type { Doc, Value } from '../bson/value.ts';
import { compileFilter, docFilter } from '../filter/compile.ts';
import { documentOf, type Query, runQuery } from '../plan/query.ts';
import { type Compute, setComputed } from '../projection/compile.ts';
import { compileCompute, expressionTest } from './expression.ts';
import type { Stage, StageContext } from './stageMaker.ts';

export const computeIn = (spec: Value, { variables }: StageContext): Compute => compileCompute(variables)(spec);

export function filterContext({ collator, variables }: StageContext) {
  return { collator, expression: expressionTest(variables) };
}

export const filterIn = (filter: Doc, context: StageContext) => docFilter(filter, filterContext(context));

/** A stage that changes each document by itself; undefined leaves it out. */
export const each = (change: (doc: Doc) => Doc | undefined): Stage =>
  function* (input) {
    for (const doc of input) {
      const changed = change(doc);
      if (changed) yield changed;
    }
  };

/** A copy of a document with a value at a dotted path; undefined removes the value. */
export function withValue(doc: Doc, path: string, value: Value): Doc {
  const out: Doc = new Map(doc);
  setComputed(out, path.split('.'), value);
  return out;
}

/** The documents of the context's collection that a filter finds, by its indexes. */
export function* collectionDocs(context: StageContext, filter: Doc, part: Partial<Query> = {}): Iterable<Doc> {
  const { store, ns, collator } = context;
  const collection = store.catalogue.find(ns);
  if (!collection) return;
  const condition = compileFilter(filter, filterContext(context));
  const found = runQuery(store.engine, collection, { filter, condition, collator, ...part });
  while (found.next() >= 0) yield readDoc(documentOf(found));
}
