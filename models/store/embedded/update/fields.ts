import { add } from '../bson/arithmetic.ts';
import { compare } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { clone, isDoc, isNumber, Timestamp, typeName } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { shown, type UpdateOperator } from './operator.ts';

const increment: UpdateOperator = (operand, field) => {
  if (!isNumber(operand)) fail('TypeMismatch', `Cannot $inc '${field}' with the non-numeric ${show(operand)}`);
  return (current, { path }) => {
    if (current === undefined) return operand;
    if (!isNumber(current)) fail('TypeMismatch', `Cannot $inc ${shown(path)}, which is of type ${typeName(current)}`);
    return add(current, operand) ?? refuse(`Failed to $inc ${shown(path)}, which is ${show(current)}`);
  };
};

const extreme =
  (wins: (result: number) => boolean): UpdateOperator =>
  (operand) =>
  (current) =>
    current === undefined || wins(compare(operand, current)) ? clone(operand) : current;

const currentDate: UpdateOperator = (operand) => {
  const type = isDoc(operand) && operand.size === 1 ? operand.get('$type') : 'date';
  if ((!isDoc(operand) && typeof operand !== 'boolean') || (type !== 'date' && type !== 'timestamp'))
    refuse(`$currentDate takes true or {$type: 'date'} or {$type: 'timestamp'}, not ${show(operand)}`);
  return (_current, { now }) => (type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }));
};

export const FIELDS: Record<string, UpdateOperator> = {
  $set: (operand) => () => clone(operand),
  $setOnInsert: (operand) => (current, context) => (context.inserting ? clone(operand) : current),
  $unset: () => () => undefined,
  $inc: increment,
  $min: extreme((result) => result < 0),
  $max: extreme((result) => result > 0),
  $currentDate: currentDate,
};
