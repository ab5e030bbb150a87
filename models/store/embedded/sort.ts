import { type Doc, isDoc, isNumber, toNumber } from './bson/value.ts';
import { fail, unsupported } from './errors.ts';
import { decoded, parsePath, type Source } from './filter/path.ts';
import { bytesOf, type KeyField, valuesOf } from './keys/document.ts';
import { sortInTurns, Turn } from './turn.ts';

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

/** The sort key of a document, whose parts are in order as the values are, and the order of keys. */
export type Sorting = { keyOf(source: Source): Buffer[]; order(a: Buffer[], b: Buffer[]): number };

/** Sorts by these fields; of an array the least item counts, or the greatest where the direction is down. */
export function sortBy(fields: KeyField[]): Sorting {
  const best = (parts: Buffer[], direction: 1 | -1): Buffer =>
    parts.reduce((one, other) => (Buffer.compare(other, one) * direction < 0 ? other : one));
  return {
    keyOf: (source) => fields.map((field) => best(valuesOf(source, field).map(bytesOf), field.direction)),
    order(a, b) {
      for (let i = 0; i < fields.length; i++) {
        const result = Buffer.compare(a[i]!, b[i]!) * fields[i]!.direction;
        if (result !== 0) return result;
      }
      return 0;
    },
  };
}

/** Sorts decoded documents by these fields, in as many turns as it takes. */
export async function* sortDocs(docs: AsyncIterable<Doc>, fields: KeyField[]): AsyncIterable<Doc> {
  const { keyOf, order } = sortBy(fields);
  const entries: { item: Doc; key: Buffer[] }[] = [];
  for await (const item of docs) entries.push({ item, key: keyOf(decoded(item)) });
  const turn = new Turn();
  const sorts = sortInTurns(entries, (a, b) => order(a.key, b.key), turn);
  let step = sorts.next();
  for (; !step.done; step = sorts.next()) await turn.next();
  for (const { item } of step.value) yield item;
}
