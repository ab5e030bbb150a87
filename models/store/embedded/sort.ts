import { type Collator, compare } from './bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, type Value } from './bson/value.ts';
import { fail, unsupported } from './errors.ts';
import { parsePath } from './filter/path.ts';
import { docReader, type KeyField, sortValues } from './keys/document.ts';

/** Reads a sort document; throws code 15975 for directions that are not 1 or -1. */
export function parseSort(sort: Doc): KeyField[] {
  return [...sort].map(([name, value]) => {
    if (isDoc(value)) unsupported('a $meta sort');
    if (!isNumber(value)) fail(15974, `Illegal key in $sort specification: ${name}: ${String(value)}`);
    const direction = toNumber(value);
    if (direction !== 1 && direction !== -1) fail(15975, '$sort key ordering must be 1 or -1');
    if (name.split('.').includes('')) fail(40352, 'FieldPath cannot be constructed with empty string');
    return { name, path: parsePath(name), direction };
  });
}

/** The order of the values that documents sort by. */
export const orderOf =
  (fields: KeyField[], by: (a: Value, b: Value) => number) =>
  (a: Value[], b: Value[]): number => {
    for (const [i, { direction }] of fields.entries()) {
      const result = by(a[i], b[i]) * direction;
      if (result !== 0) return result;
    }
    return 0;
  };

/** A comparison of decoded documents by these fields. */
export function compareBy(fields: KeyField[], collator?: Collator): (a: Doc, b: Doc) => number {
  const by = (a: Value, b: Value) => compare(a, b, collator);
  const order = orderOf(fields, by);
  return (a, b) => order(sortValues(docReader(a), fields, by), sortValues(docReader(b), fields, by));
}
