import type { Collator } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';
import { anyAt, type Path, type Question, type Source } from './path.ts';

/** A compiled condition on a document. */
export type Condition = (source: Source) => boolean;

/** What a filter is compiled with. */
export type FilterContext = {
  collator?: Collator;
  /** Compiles $expr; the aggregation gives it, so that filters need not know expressions. */
  expression?: (spec: Value) => (doc: Doc) => boolean;
};

/** An operator on a path: makes the condition of its operand. */
export type PathOperator = (operand: Value, path: Path, context: FilterContext, siblings: Doc) => Condition;

export const always: Condition = () => true;
export const never: Condition = () => false;
export const not =
  (condition: Condition): Condition =>
  (source) =>
    !condition(source);

export function every(conditions: Condition[]): Condition {
  if (conditions.length === 1) return conditions[0]!;
  return (source) => conditions.every((condition) => condition(source));
}

/** The condition that some value at the path answers `test`. */
export function ask(path: Path, test: (value: Value) => boolean, options: Partial<Question> = {}): Condition {
  const question: Question = { test, whole: true, elements: true, ...options };
  const first = path[0]!;
  return (source) => anyAt(source.field(first), path, 1, question);
}

/** Asks a single value, outside of any document, the way a field of that value would be asked. */
export function testValue(make: (path: Path) => Condition): (value: Value) => boolean {
  const condition = make([{ name: '', bytes: Buffer.alloc(0), index: -1 }]);
  return (value) => condition({ field: () => value, whole: () => new Map([['', value]]) });
}
