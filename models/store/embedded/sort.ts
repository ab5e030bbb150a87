import { type Collator, compare } from './bson/compare.ts';
import { type Doc, isDoc, isNumber, MinKey, toNumber, type Value } from './bson/value.ts';
import { fail, unsupported } from './errors.ts';
import { decoded, parsePath, type Source } from './filter/path.ts';
import { bytesOf, isEmptyArray, type KeyField, valuesOf } from './keys/document.ts';

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

/** The sort key of a document, one part for each field, and the order of keys. */
export type Sorting<Part> = { keyOf(source: Source): Part[]; order(a: Part[], b: Part[]): number };

/** Of an array the least item counts, or the greatest where the direction is down. */
function sorting<Part>(
  fields: KeyField[],
  partOf: (value: Value) => Part,
  by: (a: Part, b: Part) => number,
): Sorting<Part> {
  const best = (parts: Part[], direction: 1 | -1): Part =>
    parts.reduce((one, other) => (by(other, one) * direction < 0 ? other : one));
  return {
    keyOf: (source) => fields.map((field) => best(valuesOf(source, field).map(partOf), field.direction)),
    order(a, b) {
      for (let i = 0; i < fields.length; i++) {
        const result = by(a[i]!, b[i]!) * fields[i]!.direction;
        if (result !== 0) return result;
      }
      return 0;
    },
  };
}

/** Sorts by bytes whose order is that of the values. */
export const byBytes = (fields: KeyField[]): Sorting<Buffer> => sorting(fields, bytesOf, Buffer.compare);

/** Sorts by the values themselves: a collation has no bytes. An empty array is below null there too. */
export const byValues = (fields: KeyField[], collator: Collator): Sorting<Value> => {
  const below = new MinKey();
  const partOf = (value: Value): Value => (isEmptyArray(value) ? below : value);
  return sorting<Value>(fields, partOf, (a, b) => compare(a, b, collator));
};

/** A comparison of decoded documents by these fields. */
export function compareBy(fields: KeyField[], collator?: Collator): (a: Doc, b: Doc) => number {
  const { keyOf, order } = byValues(fields, collator);
  return (a, b) => order(keyOf(decoded(a)), keyOf(decoded(b)));
}
