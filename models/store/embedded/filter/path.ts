import { field } from '../bson/read.ts';
import type { Doc, Value } from '../bson/value.ts';

/** One step of a dotted path, with its bytes for reading raw documents and its place if it may name an array index. */
type Step = { name: string; bytes: Buffer; index: number };

export type Path = Step[];

const stepOf = (name: string): Step => {
  return { name, bytes: Buffer.from(name), index: /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1 };
};

export const parsePath = (path: string): Path => path.split('.').map(stepOf);

/** One of the paths that is given twice, or lies within another of them; undefined where none does. */
export function nested(paths: string[][]): string | undefined {
  // In this order a path comes right before what lies within it.
  const sorted = paths.map((path) => `${path.join('.')}.`).sort();
  return sorted.find((path, i) => i > 0 && path.startsWith(sorted[i - 1]!))?.slice(0, -1);
}

/** A document as conditions see it: only the fields they ask for are decoded where it is still raw. */
export type Source = { field(step: Step): Value };

export const decoded = (doc: Doc): Source => ({ field: (step) => doc.get(step.name) });

/** A class, for one is made of every document that a scan passes. */
export class Raw implements Source {
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  field(step: Step): Value {
    return field(this.bytes, step.bytes);
  }
}

/** A compiled condition on a document. */
export type Condition = (source: Source) => boolean;

/** An operator on a path: makes the condition of its operand, beside which its siblings stand. */
export type PathOperator = (operand: Value, path: Path, siblings: Doc, name: string) => Condition;

export const always: Condition = () => true;
export const never: Condition = () => false;
export const not =
  (condition: Condition): Condition =>
  (source) =>
    !condition(source);

export const every = (conditions: Condition[]): Condition =>
  conditions.length === 1 ? conditions[0]! : (source) => conditions.every((condition) => condition(source));

export type Test = (value: Value) => boolean;

/**
 * A test of the values at a path. For an array at its end, each element is tested and, with `whole`, the array itself.
 * A missing value is tested as undefined.
 */
type Question = { test: Test; whole: boolean; elements: boolean };

/** The condition that some value at the path answers `test`; with `elements` false not those of an array at its end. */
export function ask(path: Path, test: Test, elements = true): Condition {
  const question: Question = { test, whole: true, elements };
  const first = path[0]!;
  if (path === ITSELF) return (source) => test(source.field(first));
  return (source) => anyAt(source.field(first), path, 1, question);
}

/** Stands for a value itself, as $elemMatch and $pull ask it: an array is not entered. */
const ITSELF: Path = [stepOf('')];

/** Asks a single value, outside of any document. */
export function testValue(make: (path: Path) => Condition): Test {
  const condition = make(ITSELF);
  return (value) => condition({ field: () => value });
}

/** Whether any value at the path answers the question, when `value` is what lies at the path's first `i` steps. */
export function anyAt(value: Value, path: Path, i: number, question: Question): boolean {
  if (i === path.length) {
    if (!Array.isArray(value)) return question.test(value);
    return (question.elements && value.some(question.test)) || (question.whole && question.test(value));
  }
  if (value instanceof Map) return anyAt(value.get(path[i]!.name), path, i + 1, question);
  if (!Array.isArray(value)) return question.test(undefined);
  for (const item of value) if (item instanceof Map && anyAt(item, path, i, question)) return true;
  const index = path[i]!.index;
  if (index < 0 || index >= value.length) return false;
  const item = value[index];
  // An array that a filter names by its position is not entered.
  if (i === path.length - 1 && question.whole) return question.test(item);
  return (i === path.length - 1 || item instanceof Map || Array.isArray(item)) && anyAt(item, path, i + 1, question);
}
