import { compare, equal } from '../bson/compare.ts';
import { BSONRegExp, type Doc, doc, isDoc, rank, type Value } from '../bson/value.ts';
import { docFilter, isOperatorDoc } from '../filter/compile.ts';

type Condition = [operator: string, operand: Value];

const conditionsOf = (value: Value): Condition[] => (isOperatorDoc(value) ? [...value] : [['$eq', value]]);

const isScalar = (value: Value): boolean =>
  value !== null && !Array.isArray(value) && !isDoc(value) && !(value instanceof BSONRegExp);

/** Whether a query's condition on a field lets only values through that the index's condition lets through too. */
function implies([operator, operand]: Condition, [wanted, bound]: Condition): boolean {
  if (operator === wanted && equal(operand, bound)) return true;
  const values = operator === '$eq' ? [operand] : operator === '$in' ? operand : undefined;
  if (Array.isArray(values)) {
    const holds = docFilter(doc({ value: { [wanted]: bound } }));
    return values.every((value) => isScalar(value) && holds(new Map([['value', value]])));
  }
  const side = wanted.slice(0, 3);
  if ((side !== '$gt' && side !== '$lt') || operator.slice(0, 3) !== side || rank(operand) !== rank(bound))
    return false;
  const result = compare(operand, bound) * (side === '$gt' ? 1 : -1);
  return result > 0 || (result === 0 && operator === side);
}

/** Whether every document that a query finds is in a partial index with this filter, as far as its own fields tell. */
export const implied = (partial: Doc, query: Doc): boolean =>
  [...partial].every(([field, wanted]) => {
    const given = field.startsWith('$') || !query.has(field) ? [] : conditionsOf(query.get(field));
    return conditionsOf(wanted).every((item) => given.some((condition) => implies(condition, item)));
  });
