import { show } from '../bson/show.ts';
import { isNumber, TYPES, toNumber, truthy, typeName, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { always, ask, not, type PathOperator } from './path.ts';
import { matches, patternOf } from './regex.ts';

/** The names of types that an item of $type stands for: a name or a number, "number" for all that are numbers. */
function typesOf(item: Value): string[] {
  if (item === 'number') return ['int', 'long', 'double', 'decimal'];
  if (typeof item === 'string' && Object.hasOwn(TYPES, item)) return [item];
  if (typeof item === 'string') refuse(`Unknown type name alias: ${item}`);
  if (!isNumber(item)) fail('TypeMismatch', 'type must be represented as a number or a string');
  const name = Object.entries(TYPES).find(([, [code]]) => code === toNumber(item))?.[0];
  return [name ?? refuse(`Invalid numerical type code: ${toNumber(item)}`)];
}

const type: PathOperator = (operand, path) => {
  const names = (Array.isArray(operand) ? operand : [operand]).flatMap(typesOf);
  if (names.length === 0) fail('FailedToParse', '$type must match at least one type');
  return ask(path, (value) => names.includes(typeName(value)));
};

const size: PathOperator = (operand, path) => {
  const count = toNumber(operand);
  if (!Number.isInteger(count) || count < 0)
    refuse(`Failed to parse $size. Expected a non-negative integer in: $size: ${show(operand)}`);
  return ask(path, (value) => Array.isArray(value) && value.length === count, false);
};

export const ELEMENT: Record<string, PathOperator> = {
  $exists: (operand, path) => {
    const exists = ask(path, (value) => value !== undefined);
    return truthy(operand) ? exists : not(exists);
  },
  $type: type,
  $size: size,
  $regex: (operand, path, siblings) => ask(path, matches(patternOf(operand, siblings))),
  $options: (_operand, _path, siblings) => (siblings.has('$regex') ? always : refuse('$options needs a $regex')),
};
