import { BSONRegExp, type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { isOperatorDoc } from '../filter/compile.ts';
import { changeAt } from './locate.ts';

/** The equalities that a query demands: they become fields of what an upsert inserts. */
function equalities(filter: Doc, out: [string, Value][]): void {
  for (const [key, value] of filter) {
    if ((key === '$and' || (key === '$or' && Array.isArray(value) && value.length === 1)) && Array.isArray(value)) {
      for (const part of value) if (isDoc(part)) equalities(part, out);
    }
    if (key.startsWith('$') || value instanceof BSONRegExp) continue;
    if (!isOperatorDoc(value)) out.push([key, value]);
    else if (value.has('$eq')) out.push([key, value.get('$eq')]);
    else {
      const literal = (item: Value) => !(item instanceof BSONRegExp) && !isOperatorDoc(item);
      const all = value.get('$all');
      if (Array.isArray(all)) for (const item of all) if (literal(item)) out.push([key, item]);
      const one = value.get('$in');
      if (Array.isArray(one) && one.length === 1 && literal(one[0])) out.push([key, one[0]]);
    }
  }
}

/** The document that an upsert starts from. Throws NotSingleValueField (54) when the query demands a field twice. */
export function upsertBase(filter: Doc): Doc {
  const found: [string, Value][] = [];
  equalities(filter, found);
  const base: Doc = new Map();
  const seen = new Set<string>();
  for (const [path, value] of found) {
    if (seen.has(path))
      fail('NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`);
    for (const other of seen) {
      if (path.startsWith(`${other}.`) || other.startsWith(`${path}.`))
        fail(
          'NotSingleValueField',
          `cannot infer query fields to set, both paths '${path}' and '${other}' are matched`,
        );
    }
    seen.add(path);
    changeAt(base, path.split('.'), () => value);
  }
  if (!base.has('_id')) return base;
  const ordered: Doc = new Map([['_id', base.get('_id')]]);
  for (const [key, value] of base) ordered.set(key, value);
  return ordered;
}
