import { compare } from '../../bson/compare.ts';
import { isDoc, truthy, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { nullish, operands, strict } from '../operator.ts';
import { bind, type Expression, type Operator } from '../scope.ts';

/** Missing sorts below null when expressions compare. */
function order(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  return compare(a, b);
}

const comparison = (accept: (result: number) => boolean): Operator => strict(2, 2, ([a, b]) => accept(order(a, b)));

const cond: Operator = (operand, compile) => {
  let parts: Value[];
  if (isDoc(operand)) {
    for (const key of operand.keys())
      if (!['if', 'then', 'else'].includes(key)) fail(17083, `Unrecognized parameter to $cond: ${key}`);
    for (const [key, code] of [
      ['if', 17080],
      ['then', 17081],
      ['else', 17082],
    ] as const) {
      if (!operand.has(key)) fail(code, `Missing '${key}' parameter to $cond`);
    }
    parts = [operand.get('if'), operand.get('then'), operand.get('else')];
  } else parts = operands(operand);
  if (parts.length !== 3) fail(16020, `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`);
  const [test, yes, no] = parts.map(compile) as [Expression, Expression, Expression];
  return (env) => (truthy(test(env)) ? yes(env) : no(env));
};

const branches: Operator = (operand, compile) => {
  if (!isDoc(operand)) fail(40060, `$switch requires an object as an argument, found: ${typeName(operand)}`);
  const list = operand.get('branches');
  if (!Array.isArray(list)) fail(40061, "$switch expected an array for 'branches'");
  if (list.length === 0) fail(40068, '$switch requires at least one branch.');
  const cases = list.map((item) => {
    if (!isDoc(item)) fail(40062, '$switch expected each branch to be an object');
    if (!item.has('case')) fail(40064, "$switch requires each branch have a 'case' expression");
    if (!item.has('then')) fail(40065, "$switch requires each branch have a 'then' expression.");
    return { test: compile(item.get('case')), result: compile(item.get('then')) };
  });
  const otherwise = operand.has('default') ? compile(operand.get('default')) : undefined;
  return (env) => {
    for (const item of cases) if (truthy(item.test(env))) return item.result(env);
    if (!otherwise) fail(40066, '$switch could not find a matching branch for an input, and no default was specified.');
    return otherwise(env);
  };
};

const ifNull: Operator = (operand, compile) => {
  const parts = operands(operand).map(compile);
  if (parts.length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${parts.length}`);
  return (env) => {
    let value: Value;
    for (const part of parts) {
      value = part(env);
      if (!nullish(value)) return value;
    }
    return value;
  };
};

const letIn: Operator = (operand, compile) => {
  const vars = isDoc(operand) ? operand.get('vars') : undefined;
  if (!isDoc(operand) || !isDoc(vars)) fail(16874, "$let only supports an object as its argument with 'vars' and 'in'");
  if (!operand.has('in')) fail(16877, "Missing 'in' parameter to $let");
  const bound = [...vars].map(([name, spec]) => [name, compile(spec)] as const);
  const body = compile(operand.get('in'));
  return (env) => body(bound.reduce((inner, [name, value]) => bind(inner, name, value(env)), env));
};

export const LOGIC: Record<string, Operator> = {
  $eq: comparison((result) => result === 0),
  $ne: comparison((result) => result !== 0),
  $gt: comparison((result) => result > 0),
  $gte: comparison((result) => result >= 0),
  $lt: comparison((result) => result < 0),
  $lte: comparison((result) => result <= 0),
  $cmp: strict(2, 2, ([a, b]) => Math.sign(order(a, b))),
  $and: (operand, compile) => {
    const parts = operands(operand).map(compile);
    return (env) => parts.every((part) => truthy(part(env)));
  },
  $or: (operand, compile) => {
    const parts = operands(operand).map(compile);
    return (env) => parts.some((part) => truthy(part(env)));
  },
  $not: strict(1, 1, ([value]) => !truthy(value)),
  $cond: cond,
  $switch: branches,
  $ifNull: ifNull,
  $let: letIn,
  $literal: (operand) => () => operand,
};
