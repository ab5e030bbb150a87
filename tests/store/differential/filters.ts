// A plain model of MongoDB's filters, by its documentation ("Query Predicates", "Query an Array", "Query for Null").
import { compare, type Doc, equal, isDoc, rank, typesOf, type Value } from './values.ts';

const indexOf = (step: string): number => (/^\d+$/.test(step) ? Number(step) : -1);

/**
 * The values that a path leads to, undefined for a missing one. An array on the way is looked into: each of its
 * documents, and the element that the path names by its position.
 * @param enters whether an array at the end stands for its elements, and for itself
 */
export function valuesAt(value: Value, steps: string[], enters: boolean): Value[] {
  const [step, ...rest] = steps;
  if (step === undefined) return Array.isArray(value) && enters ? [...value, value] : [value];
  if (isDoc(value)) return valuesAt(value[step], rest, enters);
  if (!Array.isArray(value)) return [undefined];
  const inDocuments = value.filter(isDoc).flatMap((item) => valuesAt(item, steps, enters));
  const named = value[indexOf(step)];
  if (named === undefined) return inDocuments;
  // An array that is named by its position is not looked into at the end of a path.
  if (rest.length === 0) return [...inDocuments, named];
  return isDoc(named) || Array.isArray(named) ? [...inDocuments, ...valuesAt(named, rest, enters)] : inDocuments;
}

type Test = (value: Value) => boolean;

const orders: Record<string, (result: number) => boolean> = {
  $gt: (result) => result > 0,
  $gte: (result) => result >= 0,
  $lt: (result) => result < 0,
  $lte: (result) => result <= 0,
};

const equals =
  (operand: Value): Test =>
  (value) =>
    operand === null ? value === null || value === undefined : value !== undefined && equal(value, operand);

const isIn = (operand: Value): Test => {
  const tests = (operand as Value[]).map((item) => (item instanceof RegExp ? matchesText(item) : equals(item)));
  return (value) => tests.some((test) => test(value));
};

const matchesText =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

/** The test that an operator makes of each value at a path; undefined for those that ask otherwise. */
function testOf(operator: string, operand: Value): Test | undefined {
  if (operator === '$eq') return equals(operand);
  if (operator === '$in') return isIn(operand);
  if (operator === '$exists') return operand ? (value) => value !== undefined : undefined;
  if (operator === '$type') return (value) => typesOf(value).includes(operand as string);
  const accepts = orders[operator];
  if (!accepts) return undefined;
  if (operand === null) return accepts(0) ? equals(null) : () => false;
  return (value) => value !== undefined && rank(value) === rank(operand) && accepts(compare(value, operand));
}

/** Whether a document, or a value for the path of no steps, meets one operator. */
function meets(root: Value, path: string[], operator: string, operand: Value, enters: boolean): boolean {
  const all = (item: Value) => meets(root, path, '$eq', item, enters);
  const wholes = () => valuesAt(root, path, false);
  switch (operator) {
    case '$ne':
      return !meets(root, path, '$eq', operand, enters);
    case '$nin':
      return !meets(root, path, '$in', operand, enters);
    case '$not':
      return !meetsAll(root, path, operand as Doc, enters);
    case '$all':
      return (operand as Value[]).length > 0 && (operand as Value[]).every(all);
    case '$size':
      return wholes().some((value) => Array.isArray(value) && value.length === Number(operand));
    case '$elemMatch':
      return wholes().some((value) => Array.isArray(value) && value.some((item) => meetsElement(item, operand as Doc)));
  }
  if (operator === '$exists' && !operand) return !meets(root, path, '$exists', true, enters);
  return valuesAt(root, path, enters).some(testOf(operator, operand)!);
}

const meetsAll = (root: Value, path: string[], operators: Doc, enters: boolean): boolean =>
  Object.entries(operators).every(([operator, operand]) => meets(root, path, operator, operand, enters));

/** Whether an element meets operators on itself, or a filter on its fields; an array's are its positions. */
export function meetsElement(item: Value, condition: Doc): boolean {
  if (isOperators(condition)) return meetsAll(item, [], condition, false);
  if (isDoc(item)) return matches(item, condition);
  return Array.isArray(item) && matches(Object.fromEntries(item.entries()), condition);
}

export const isOperators = (value: Value): value is Doc =>
  isDoc(value) && Object.keys(value)[0]?.startsWith('$') === true;

/** Whether a document matches a filter. */
export function matches(doc: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([key, value]) => {
    const clauses = value as Doc[];
    if (key === '$and') return clauses.every((clause) => matches(doc, clause));
    if (key === '$or') return clauses.some((clause) => matches(doc, clause));
    if (key === '$nor') return !clauses.some((clause) => matches(doc, clause));
    const path = key.split('.');
    if (value instanceof RegExp) return valuesAt(doc, path, true).some(matchesText(value));
    return isOperators(value) ? meetsAll(doc, path, value, true) : meets(doc, path, '$eq', value, true);
  });
}
