import { compare } from '../../bson/compare.ts';
import { isDoc, truthy, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { any, array, body, document, nullish, optional, partsOf, special } from '../kind.ts';
import { atLeast, named, type Operator, strict } from '../operator.ts';

/** Missing sorts below null when expressions compare. */
function order(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  return compare(a, b);
}

const comparison = (accept: (result: number) => boolean): Operator => strict([any, any], (a, b) => accept(order(a, b)));

type Choice = { if: () => Value; then: () => Value; else: () => Value };
const choose = (choice: Choice): Value => (truthy(choice.if()) ? choice.then() : choice.else());

// biome-ignore lint/suspicious/noThenProperty: the operator's own word
const CHOICE = { if: body, then: body, else: body };
const condOfParts = named([17083, 17083, 17080, 17081, 17082], CHOICE, choose);
// biome-ignore lint/suspicious/noThenProperty: the operator's own word
const condOfList = strict([body, body, body], (test, yes, no) => choose({ if: test, then: yes, else: no }));

/** The branches of $switch: gives the result of the first whose case is true, or of what is to be done otherwise. */
const branches = special((spec, compile, name) => {
  const list = array(40061).check(spec, name);
  if (list.length === 0) fail(40068, '$switch requires at least one branch.');
  const cases = list.map((item) => {
    // biome-ignore lint/suspicious/noThenProperty: the operator's own word
    const branch = partsOf(item, 'a branch of $switch', [40062, 40063, 40064, 40065], { case: any, then: any });
    return { test: compile(branch.get('case')), result: compile(branch.get('then')) };
  });
  return (env) => (otherwise: () => Value) => {
    const found = cases.find(({ test }) => truthy(test(env)));
    return found ? found.result(env) : otherwise();
  };
});

const SWITCH = { branches, default: optional(body) };
const noBranch = () => fail(40066, '$switch found no matching branch, and no default was specified.');

/** The variables of $let with their values. */
const variables = special((spec, compile, name) => {
  const all = [...document(16876).check(spec, name)].map(([key, item]) => ({ key, value: compile(item) }));
  return (env) => all.map(({ key, value }): [string, Value] => [key, value(env)]);
});

export const LOGIC: Record<string, Operator> = {
  $eq: comparison((result) => result === 0),
  $ne: comparison((result) => result !== 0),
  $gt: comparison((result) => result > 0),
  $gte: comparison((result) => result >= 0),
  $lt: comparison((result) => result < 0),
  $lte: comparison((result) => result <= 0),
  $cmp: strict([any, any], (a, b) => Math.sign(order(a, b))),
  $and: atLeast(0)(body, (parts) => parts.every((part) => truthy(part()))),
  $or: atLeast(0)(body, (parts) => parts.some((part) => truthy(part()))),
  $not: strict([any], (value) => !truthy(value)),
  $cond: (operand, compile, name) => (isDoc(operand) ? condOfParts : condOfList)(operand, compile, name),
  $switch: named([40060, 40067, 40068], SWITCH, ({ branches: run, default: other = noBranch }) => run(other)),
  $ifNull: atLeast(2, 1257300)(body, (parts) =>
    parts.reduce<Value>((value, part) => (nullish(value) ? part() : value), undefined),
  ),
  $let: named([16874, 16875, 16876, 16877], { vars: variables, in: body }, ({ vars, in: result }) => result(...vars)),
  $literal: (operand) => () => operand,
};
