import { type Doc, isDoc, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { array, nullable, nullish, type Operator, partsOf, strict } from '../operator.ts';

const document = (value: Value, code: number, name: string): Doc =>
  isDoc(value) ? value : fail(code, `${name} requires a document, found: ${typeName(value)}`);

const getField: Operator = (operand, compile, operator) => {
  const named = isDoc(operand) && operand.has('field');
  const field = compile(named ? operand.get('field') : operand);
  const input = compile(named && operand.has('input') ? operand.get('input') : '$$ROOT');
  return (env) => {
    const name = field(env);
    if (typeof name !== 'string') fail(5654602, `${operator} requires a string 'field', found: ${typeName(name)}`);
    const value = input(env);
    return isDoc(value) ? value.get(name) : nullish(value) ? null : undefined;
  };
};

const setField: Operator = (operand, compile, operator) => {
  const given = partsOf(operand, operator, ['field', 'input'], ['value'], [4161100, 4161101, 4161102]);
  const [field, input, value] = ['field', 'input', 'value'].map((part) => compile(given.get(part)));
  return (env) => {
    const holder = input!(env);
    if (nullish(holder)) return null;
    const out: Doc = new Map(document(holder, 4161105, operator));
    const next = value!(env);
    if (next === undefined) out.delete(String(field!(env)));
    else out.set(String(field!(env)), next);
    return out;
  };
};

/** The name and value that an entry of $arrayToObject stands for. */
function pairOf(entry: Value): [string, Value] {
  const [name, value] = Array.isArray(entry) ? entry : isDoc(entry) ? [entry.get('k'), entry.get('v')] : [];
  if (typeof name !== 'string') fail(40394, '$arrayToObject requires pairs whose key is a string');
  return [name, value ?? null];
}

/** The operators on a document as a whole and on its fields by computed names. */
export const DOCUMENT: Record<string, Operator> = {
  $getField: getField,
  $setField: setField,
  $unsetField: setField,
  $mergeObjects: strict(0, Number.POSITIVE_INFINITY, (values, name) => {
    const all = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
    return new Map(all.filter((value) => !nullish(value)).flatMap((value) => [...document(value, 40400, name)]));
  }),
  $objectToArray: nullable(1, 1, ([value], name) =>
    [...document(value, 40390, name)].map(
      ([k, v]) =>
        new Map<string, Value>([
          ['k', k],
          ['v', v],
        ]),
    ),
  ),
  $arrayToObject: nullable(1, 1, ([value], name) => new Map(array(value, 40386, name).map(pairOf))),
};
