import { type Collator, compare } from './bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, type Value } from './bson/value.ts';
import { fail } from './errors.ts';
import { parsePath } from './filter/path.ts';
import { docReader, type KeyField, sortValues } from './keys/document.ts';

/** Reads a sort document; throws code 2 for directions that are not 1 or -1, 17312 for $meta. */
export function parseSort(sort: Doc): KeyField[] {
  return [...sort].map(([name, value]) => {
    if (isDoc(value)) fail('CommandNotSupported', '$meta sorts are not supported by the embedded store');
    if (!isNumber(value)) fail(15974, `Illegal key in $sort specification: ${name}: ${String(value)}`);
    const direction = toNumber(value);
    if (direction !== 1 && direction !== -1)
      fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    if (name === '' || name.split('.').some((step) => step === ''))
      fail(40352, 'FieldPath cannot be constructed with empty string');
    return { name, path: parsePath(name), direction };
  });
}

/** A comparison of decoded documents by these fields. */
export function compareBy(fields: KeyField[], collator?: Collator): (a: Doc, b: Doc) => number {
  const by = (a: Value, b: Value) => compare(a, b, collator);
  return (a, b) => {
    const left = sortValues(docReader(a), fields, by);
    const right = sortValues(docReader(b), fields, by);
    for (let i = 0; i < fields.length; i++) {
      const result = by(left[i], right[i]) * fields[i]!.direction;
      if (result !== 0) return result;
    }
    return 0;
  };
}
