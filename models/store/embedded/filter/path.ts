import { cstringEnd, int32, readArray, readValue, seek, valueSize } from '../bson/read.ts';
import type { Doc, Value } from '../bson/value.ts';

/** One step of a dotted path, with its bytes for reading raw documents and its place if it may name an array index. */
export type Step = { name: string; bytes: Buffer; index: number };

export type Path = Step[];

export function parsePath(path: string): Path {
  return path
    .split('.')
    .map((name) => ({ name, bytes: Buffer.from(name), index: /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1 }));
}

/**
 * What is asked of the values at a path. An array at its end is asked for each of its elements and, with `whole`,
 * for itself; with `elements` false only for itself. A missing value is asked as undefined.
 */
export type Question = { test: (value: Value) => boolean; whole: boolean; elements: boolean };

function leaf(value: Value, question: Question): boolean {
  if (!Array.isArray(value)) return question.test(value);
  if (question.elements && value.some(question.test)) return true;
  return question.whole && question.test(value);
}

/** Whether any value at the path, from step `i` on, answers the question. */
export function anyInDoc(doc: Doc, path: Path, i: number, question: Question): boolean {
  const value = doc.get(path[i]!.name);
  if (i === path.length - 1) return leaf(value, question);
  if (value instanceof Map) return anyInDoc(value, path, i + 1, question);
  if (Array.isArray(value)) return anyInArray(value, path, i + 1, question);
  return question.test(undefined);
}

function anyInArray(array: Value[], path: Path, i: number, question: Question): boolean {
  for (const item of array) if (item instanceof Map && anyInDoc(item, path, i, question)) return true;
  const index = path[i]!.index;
  if (index < 0 || index >= array.length) return false;
  const item = array[index];
  if (i === path.length - 1) return leaf(item, question);
  if (item instanceof Map) return anyInDoc(item, path, i + 1, question);
  return Array.isArray(item) && anyInArray(item, path, i + 1, question);
}

/** The same on the bytes of a document at `at`: only the values asked for are decoded. */
export function anyInBytes(bytes: Buffer, at: number, path: Path, i: number, question: Question): boolean {
  const step = path[i]!;
  const element = seek(bytes, at, step.bytes);
  if (element < 0) return question.test(undefined);
  const type = bytes[element]!;
  const value = element + step.bytes.length + 2;
  if (i === path.length - 1) return leafInBytes(type, bytes, value, question);
  if (type === 3) return anyInBytes(bytes, value, path, i + 1, question);
  if (type === 4) return anyInArray(readArray(bytes, value), path, i + 1, question);
  return question.test(undefined);
}

function leafInBytes(type: number, bytes: Buffer, at: number, question: Question): boolean {
  if (type !== 4) return question.test(readValue(type, bytes, at));
  if (question.elements) {
    const end = at + int32(bytes, at) - 1;
    for (let offset = at + 4; offset < end; ) {
      const itemType = bytes[offset]!;
      offset = cstringEnd(bytes, offset + 1) + 1;
      if (question.test(readValue(itemType, bytes, offset))) return true;
      offset += valueSize(itemType, bytes, offset);
    }
  }
  return question.whole && question.test(readArray(bytes, at));
}

/** The value at a path as expressions read it: arrays on the way are mapped over, nothing found is undefined. */
export function valueAt(doc: Value, path: readonly string[], from = 0): Value {
  let value = doc;
  for (let i = from; i < path.length; i++) {
    if (value instanceof Map) value = value.get(path[i]!);
    else if (Array.isArray(value))
      return value.map((item) => valueAt(item, path, i)).filter((item) => item !== undefined);
    else return undefined;
  }
  return value;
}
