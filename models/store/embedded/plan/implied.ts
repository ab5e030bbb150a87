import { compare } from '../bson/compare.ts';
import { BSONRegExp, type Doc, isDoc, rank, truthy, type Value } from '../bson/value.ts';
import { docFilter, isOperatorDoc } from '../filter/compile.ts';

type Condition = [operator: string, operand: Value];

function conditions(filter: Doc, out: Map<string, Condition[]> = new Map()): Map<string, Condition[]> {
  for (const [key, value] of filter) {
    if (key === '$and' && Array.isArray(value)) for (const part of value) if (isDoc(part)) conditions(part, out);
    if (key.startsWith('$')) continue;
    const list = out.get(key) ?? [];
    if (isOperatorDoc(value)) list.push(...value);
    else list.push([value instanceof BSONRegExp ? '$regex' : '$eq', value]);
    out.set(key, list);
  }
  return out;
}

const SAME_SIDE: Record<string, (query: number) => boolean> = {
  $gt: (result) => result > 0,
  $gte: (result) => result >= 0,
  $lt: (result) => result < 0,
  $lte: (result) => result <= 0,
};

/** Whether a query's condition on a field lets only values through that the index's condition lets through too. */
function implies(query: Condition, index: Condition): boolean {
  const [operator, operand] = query;
  const [wanted, bound] = index;
  if (operator === wanted && rank(operand) === rank(bound) && compare(operand, bound) === 0) return true;
  if (operator === '$eq' && !(operand instanceof Map) && !Array.isArray(operand)) {
    if (operand === null) return false;
    return docFilter(new Map([['x', new Map([index])]]))(new Map([['x', operand]]));
  }
  if (operator === '$in' && Array.isArray(operand)) {
    return operand.every((item) => !(item instanceof BSONRegExp) && implies(['$eq', item], index));
  }
  if (wanted === '$exists' && truthy(bound))
    return operand !== null && (operator in SAME_SIDE || operator === '$regex' || operator === '$type');
  const side = SAME_SIDE[wanted];
  if (!side || rank(operand) !== rank(bound) || operator.slice(0, 3) !== wanted.slice(0, 3)) return false;
  const result = compare(operand, bound);
  return side(result) || (result === 0 && operator === wanted.slice(0, 3));
}

/** Whether every document that the query finds is in a partial index with this filter. */
export function implied(partial: Doc, query: Doc): boolean {
  const known = conditions(query);
  for (const key of partial.keys()) if (key.startsWith('$') && key !== '$and') return false;
  for (const [field, wanted] of conditions(partial)) {
    const given = known.get(field) ?? [];
    for (const item of wanted) if (!given.some((condition) => implies(condition, item))) return false;
  }
  return true;
}
