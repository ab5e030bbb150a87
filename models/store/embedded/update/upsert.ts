import { BSONRegExp, type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail } from '../errors.ts';
import { isOperatorDoc } from '../filter/compile.ts';
import { nested } from '../filter/path.ts';
import { changeAt } from './locate.ts';

const listOf = (value: Value): Value[] => (Array.isArray(value) ? value : []);
const isLiteral = (item: Value): boolean => !(item instanceof BSONRegExp) && !isOperatorDoc(item);

/** The equalities that a query demands: they become fields of what an upsert inserts. */
const equalities = (filter: Doc): [string, Value][] =>
  [...filter].flatMap(([key, value]): [string, Value][] => {
    const clauses = listOf(value).filter(isDoc);
    if (key === '$and' || (key === '$or' && listOf(value).length === 1)) return clauses.flatMap(equalities);
    if (key.startsWith('$') || value instanceof BSONRegExp) return [];
    if (!isOperatorDoc(value)) return [[key, value]];
    if (value.has('$eq')) return [[key, value.get('$eq')]];
    const one = listOf(value.get('$in')).length === 1 ? listOf(value.get('$in')) : [];
    return [...listOf(value.get('$all')), ...one].filter(isLiteral).map((item) => [key, item]);
  });

/** The document that an upsert starts from. Throws NotSingleValueField (54) when the query demands a field twice. */
export function upsertBase(filter: Doc): Doc {
  const found = equalities(filter);
  const base: Doc = new Map(found.some(([path]) => path.split('.')[0] === '_id') ? [['_id', undefined]] : []);
  const twice = nested(found.map(([path]) => path.split('.')));
  if (twice !== undefined) fail('NotSingleValueField', `cannot infer query fields to set, '${twice}' is matched twice`);
  for (const [path, value] of found) changeAt(base, path.split('.'), () => value);
  return base;
}
