import type { Collator } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';
import type { Store } from '../commands/context.ts';
import { compileCompute, expressionTest } from './expression.ts';

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
