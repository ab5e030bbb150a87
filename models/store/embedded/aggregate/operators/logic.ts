import { compare } from '../../bson/compare.ts';
import { isDoc, truthy, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { bind, type Expression, nullish, type Operator, operands, partsOf, strict } from '../operator.ts';

/** Missing sorts below null when expressions compare. */
function order(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return compare(a, b);
}

const comparison = (accept: (result: number) => boolean): Operator => strict(2, 2, ([a, b]) => accept(order(a, b)));

const cond: Operator = (operand, compile) => {
  const named =
    isDoc(operand) && partsOf(operand, '$cond', ['if', 'then', 'else'], [], [0, 17083, 17080, 17081, 17082]);
  const parts = named ? [named.get('if'), named.get('then'), named.get('else')] : operands(operand);
  if (parts.length !== 3) fail(16020, `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`);
  const [test, yes, no] = parts.map(compile) as [Expression, Expression, Expression];
  return (env) => (truthy(test(env)) ? yes(env) : no(env));
};

const branches: Operator = (operand, compile) => {
  const given = partsOf(operand, '$switch', ['branches'], ['default'], [40060, 40067, 40068]);
  const list = given.get('branches');
  if (!Array.isArray(list)) fail(40061, "$switch expected an array for 'branches'");
  if (list.length === 0) fail(40068, '$switch requires at least one branch.');
  const cases = list.map((item) => {
    const branch = partsOf(item, 'a branch of $switch', ['case', 'then'], [], [40062, 40063, 40064, 40065]);
    return { test: compile(branch.get('case')), result: compile(branch.get('then')) };
  });
  const otherwise = given.has('default') ? compile(given.get('default')) : undefined;
  return (env) => {
    for (const item of cases) if (truthy(item.test(env))) return item.result(env);
    return otherwise ? otherwise(env) : fail(40066, '$switch found no matching branch, and no default was specified.');
  };
};

const ifNull: Operator = (operand, compile) => {
  const parts = operands(operand).map(compile);
  if (parts.length < 2) fail(1257300, `$ifNull needs at least two arguments, had: ${parts.length}`);
  return (env) => {
    let value: Value;
    for (const part of parts) {
      value = part(env);
      if (!nullish(value)) break;
    }
    return value;
  };
};

const letIn: Operator = (operand, compile) => {
  const given = partsOf(operand, '$let', ['vars', 'in'], [], [16874, 16875, 16876, 16877]);
  const vars = given.get('vars');
  if (!isDoc(vars)) fail(16876, "$let needs a document 'vars'");
  const bound = [...vars].map(([name, spec]) => [name, compile(spec)] as const);
  const body = compile(given.get('in'));
  return (env) => body(bound.reduce((inner, [name, value]) => bind(inner, name, value(env)), env));
};

const joined =
  (combine: 'every' | 'some'): Operator =>
  (operand, compile) => {
    const parts = operands(operand).map(compile);
    return (env) => parts[combine]((part) => truthy(part(env)));
  };

export const LOGIC: Record<string, Operator> = {
  $eq: comparison((result) => result === 0),
  $ne: comparison((result) => result !== 0),
  $gt: comparison((result) => result > 0),
  $gte: comparison((result) => result >= 0),
  $lt: comparison((result) => result < 0),
  $lte: comparison((result) => result <= 0),
  $cmp: strict(2, 2, ([a, b]) => Math.sign(order(a, b))),
  $and: joined('every'),
  $or: joined('some'),
  $not: strict(1, 1, ([value]) => !truthy(value)),
  $cond: cond,
  $switch: branches,
  $ifNull: ifNull,
  $let: letIn,
  $literal: (operand) => () => operand,
};
