import type { Collator } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';
import { anyInBytes, anyInDoc, type Path, parsePath, type Question } from './path.ts';

/** A compiled condition; it reads either a decoded document or the bytes of one. */
export type Node = {
  doc(doc: Doc): boolean;
  raw(bytes: Buffer, at: number): boolean;
};

/** What a filter is compiled with. */
export type FilterContext = {
  collator?: Collator;
  /** Compiles $expr; the aggregation gives it, so that filters need not know expressions. */
  expression?: (spec: Value) => (doc: Doc) => boolean;
};

/** An operator on a path: makes the condition of its operand. */
export type PathOperator = (operand: Value, path: Path, context: FilterContext, siblings: Doc) => Node;

export const ALWAYS: Node = { doc: () => true, raw: () => true };

export function every(nodes: Node[]): Node {
  if (nodes.length === 1) return nodes[0]!;
  return {
    doc: (doc) => nodes.every((node) => node.doc(doc)),
    raw: (bytes, at) => nodes.every((node) => node.raw(bytes, at)),
  };
}

export function some(nodes: Node[]): Node {
  return {
    doc: (doc) => nodes.some((node) => node.doc(doc)),
    raw: (bytes, at) => nodes.some((node) => node.raw(bytes, at)),
  };
}

export function not(node: Node): Node {
  return { doc: (doc) => !node.doc(doc), raw: (bytes, at) => !node.raw(bytes, at) };
}

/** The condition that some value at the path answers `test`. */
export function ask(path: Path, test: (value: Value) => boolean, options: Partial<Question> = {}): Node {
  const question: Question = { test, whole: true, elements: true, ...options };
  return {
    doc: (doc) => anyInDoc(doc, path, 0, question),
    raw: (bytes, at) => anyInBytes(bytes, at, path, 0, question),
  };
}

const ITEM = parsePath('item');

/** Asks a single value, outside of any document, the way a field of that value would be asked. */
export function testValue(make: (path: Path) => Node): (value: Value) => boolean {
  const node = make(ITEM);
  return (value) => node.doc(new Map([['item', value]]));
}
