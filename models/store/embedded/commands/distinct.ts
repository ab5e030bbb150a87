import { compare } from '../bson/compare.ts';
import { readDoc } from '../bson/read.ts';
import { doc, typeName, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { type Path, parsePath } from '../filter/path.ts';
import { runQuery } from '../plan/query.ts';
import { namespace } from './arguments.ts';
import type { Handler } from './context.ts';
import { queryOf } from './find.ts';

/** All values at a path, arrays spread once at its end. */
function valuesAt(value: Value, path: Path, i: number, out: Value[]): void {
  if (i === path.length) {
    if (Array.isArray(value)) out.push(...value);
    else if (value !== undefined) out.push(value);
  } else if (value instanceof Map) valuesAt(value.get(path[i]!.name), path, i + 1, out);
  else if (Array.isArray(value)) {
    for (const item of value) if (item instanceof Map) valuesAt(item, path, i, out);
    const index = path[i]!.index;
    if (index >= 0 && index < value.length && !(value[index] instanceof Map && value[index].has(path[i]!.name)))
      valuesAt(value[index], path, i + 1, out);
  }
}

const distinct: Handler = (request, store) => {
  const key = request.body.get('key');
  if (typeof key !== 'string')
    fail('TypeMismatch', `BSON field 'distinct.key' is the wrong type '${typeName(key)}', expected type 'string'`);
  const collection = store.catalogue.find(namespace(request));
  const query = queryOf(request.body, 'query', 'distinct', collection);
  if (!collection) return doc({ values: [], ok: 1 });
  const path = parsePath(key);
  const all: Value[] = [];
  const found = runQuery(store.engine, collection, query);
  while (found.next() >= 0) valuesAt(readDoc(found.copy()), path, 0, all);
  all.sort((a, b) => compare(a, b, query.collator));
  const values = all.filter((value, i) => i === 0 || compare(value, all[i - 1], query.collator) !== 0);
  return doc({ values, ok: 1 });
};

export const DISTINCT: Record<string, Handler> = { distinct };
