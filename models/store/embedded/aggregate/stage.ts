import type { Collator } from '../bson/compare.ts';
import { readDoc } from '../bson/read.ts';
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts';
import type { Store } from '../commands/context.ts';
import { fail } from '../errors.ts';
import { compileFilter } from '../filter/compile.ts';
import { documentOf, type Query, runQuery } from '../plan/query.ts';
import { compileCompute, compileExpression, expressionTest } from './expression.ts';
import { type Env, environment } from './operator.ts';

/** Turns documents into documents, one at a time where it can. */
export type Stage = (input: Iterable<Doc>) => Iterable<Doc>;

/** What stages are made with. */
export type StageContext = {
  store: Store;
  db: string;
  /** The namespace the pipeline reads. */
  ns: string;
  collator: Collator;
  /** The command's `let` variables. */
  variables?: Doc;
  /** Compiles a pipeline that runs inside of a stage. */
  pipeline: (stages: Value[], context: StageContext) => Stage;
  /** How deep pipelines are nested. */
  depth: number;
};

/** Makes a stage of its operand; throws MongoDB's errors. */
export type StageMaker = (operand: Value, context: StageContext) => Stage;

export const computeIn = (context: StageContext) => compileCompute(context.variables);
export const filterContext = (context: StageContext) => ({
  collator: context.collator,
  expression: expressionTest(context.variables),
});

/** Evaluates an expression in the documents of one run of a stage. */
export function evaluated(spec: Value, context: StageContext): (doc: Doc) => { env: Env; value: Value } {
  const expression = compileExpression(spec);
  const now = new Date();
  return (doc) => {
    const env = environment(doc, context.variables, now);
    return { env, value: expression(env) };
  };
}

/** A stage that changes each document by itself; undefined leaves it out. */
export const each = (change: (doc: Doc) => Doc | undefined): Stage =>
  function* (input) {
    for (const doc of input) {
      const changed = change(doc);
      if (changed) yield changed;
    }
  };

/** The operand of a stage that must be a document, with the code for what is none and those for missing fields. */
export function specOf(operand: Value, stage: string, code: number, required: Record<string, number> = {}): Doc {
  if (!isDoc(operand)) fail(code, `the ${stage} specification must be an object, but found ${typeName(operand)}`);
  for (const [field, missing] of Object.entries(required))
    if (!operand.has(field)) fail(missing, `${stage} requires '${field}' to be specified`);
  return operand;
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
