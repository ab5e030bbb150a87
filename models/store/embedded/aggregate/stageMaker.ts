import type { Collator } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';
import type { Store } from '../commands/context.ts';

/** Turns documents into documents, one at a time where it can. */
export type Stage = (input: Iterable<Doc>) => Iterable<Doc>;

/**
 * The context in which stages are compiled: `ns` is what the pipeline reads, `variables` are the command's `let`,
 * `pipeline` compiles one that runs inside of a stage, `depth` says how deep they are nested.
 */
export type StageContext = {
  store: Store;
  db: string;
  ns: string;
  collator: Collator;
  variables?: Doc;
  pipeline: (stages: Value[], context: StageContext) => Stage;
  depth: number;
};

/** Makes a stage of its operand; throws MongoDB's errors. The name is for messages. */
export type StageMaker = (operand: Value, context: StageContext, name: string) => Stage;
