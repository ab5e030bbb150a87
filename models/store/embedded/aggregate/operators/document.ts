import { doc, isDoc, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { any, array, document, optional, text } from '../kind.ts';
import { named, nullable, type Operator } from '../operator.ts';

const fieldOf = named([3041701, 3041701, 3041702], { input: any, field: text(5654602) }, ({ input, field }) =>
  isDoc(input) ? input.get(field) : undefined,
);

const getField: Operator = (operand, compile, name) => {
  const given = isDoc(operand) && operand.has('field') ? operand : doc({ field: operand });
  return fieldOf(new Map([['input', '$$ROOT'], ...given]), compile, name);
};

const FIELD = { input: document(4161105), field: text(4161108), value: optional(any) };

const setField = named([4161100, 4161101, 4161102], FIELD, ({ input, field, value }) => {
  const out = new Map(input);
  if (value === undefined) out.delete(field);
  else out.set(field, value);
  return out;
});

/** The name and value that an entry of $arrayToObject stands for. */
function pairOf(entry: Value): [string, Value] {
  const [name, value] = Array.isArray(entry) ? entry : isDoc(entry) ? [entry.get('k'), entry.get('v')] : [];
  return typeof name === 'string'
    ? [name, value ?? null]
    : fail(40394, '$arrayToObject needs pairs with a text as key');
}

/** The operators on a document as a whole and on its fields by computed names. */
export const DOCUMENT: Record<string, Operator> = {
  $getField: getField,
  $setField: setField,
  $unsetField: setField,
  $objectToArray: nullable([document(40390)], (fields) => [...fields].map(([k, v]) => doc({ k, v }))),
  $arrayToObject: nullable([array(40386)], (pairs) => new Map(pairs.map(pairOf))),
};
