import { compare } from '../../bson/compare.ts';
import { type Doc, doc, isDoc, isNumber, toNumber, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { type Accumulator, compileAccumulator, identity } from '../accumulators.ts';
import { compileExpression } from '../expression.ts';
import type { Env } from '../operator.ts';
import { evaluated, type StageMaker, specOf } from '../stage.ts';

const COUNT: Doc = new Map([['$sum', 1]]);

/** A group in the making: takes documents in, and says at last what it is. */
type Group = { add(env: Env): void; result(id: Value): Doc };

/** Compiles accumulated fields; gives a new group each time. */
function groups(spec: Iterable<[string, Value]>): () => Group {
  const fields = [...spec].map(([name, item]) => {
    if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
    if (name.startsWith('$')) fail(40236, `The field name '${name}' cannot be an operator name`);
    return { name, make: compileAccumulator(item, name, compileExpression) };
  });
  return () => {
    const parts = fields.map(({ name, make }): [string, Accumulator] => [name, make()]);
    return {
      add: (env) => parts.forEach(([, part]) => void part.add(env)),
      result: (id) =>
        new Map([['_id', id ?? null], ...parts.map(([name, part]): [string, Value] => [name, part.result() ?? null])]),
    };
  };
}

const group: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$group', 15947, { _id: 15955 });
  const idOf = evaluated(spec.get('_id'), context);
  const make = groups([...spec].filter(([name]) => name !== '_id'));
  return function* (input) {
    const found = new Map<unknown, { id: Value; group: Group }>();
    for (const item of input) {
      const { env, value } = idOf(item);
      const key = identity(value);
      const here = found.get(key) ?? { id: value, group: make() };
      found.set(key, here);
      here.group.add(env);
    }
    for (const { id, group } of found.values()) yield group.result(id);
  };
};

const sortByCount: StageMaker = (operand, context) =>
  context.pipeline([doc({ $group: { _id: operand, count: COUNT } }), doc({ $sort: { count: -1 } })], context);

const outputOf = (spec: Doc): Doc => {
  const given = spec.get('output');
  return isDoc(given) ? given : new Map([['count', COUNT]]);
};

/** Groups with given bounds: each document's group is the bound below it, found by a $switch. */
const bucket: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$bucket', 40201, { groupBy: 40198, boundaries: 40198 });
  const bounds = spec.get('boundaries');
  if (!Array.isArray(bounds)) fail(40200, "The $bucket 'boundaries' field must be an array");
  if (bounds.length < 2)
    fail(40192, `The $bucket 'boundaries' field must have at least 2 values, found ${bounds.length}`);
  if (bounds.some((bound, i) => i > 0 && compare(bounds[i - 1], bound) >= 0))
    fail(40194, "The 'boundaries' option to $bucket must be sorted in ascending order");
  const by = spec.get('groupBy');
  const branches = bounds.slice(0, -1).map((low, i) => {
    const within = [doc({ $gte: [by, low] }), doc({ $lt: [by, bounds[i + 1]] })];
    // biome-ignore lint/suspicious/noThenProperty: the operator's own word
    return doc({ case: { $and: within }, then: { $literal: low } });
  });
  const otherwise = spec.has('default') ? doc({ $literal: spec.get('default') }) : undefined;
  const id = doc({ $switch: { branches, default: otherwise } });
  const grouped = new Map<string, Value>([['_id', id], ...outputOf(spec)]);
  return context.pipeline([doc({ $group: grouped }), doc({ $sort: { _id: 1 } })], context);
};

/** As many groups of about the same size; equal values stay together. */
const bucketAuto: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$bucketAuto', 40240, { groupBy: 40246, buckets: 40246 });
  const asked = spec.get('buckets');
  const count = isNumber(asked) ? toNumber(asked) : 0;
  if (!Number.isInteger(count) || count < 1) fail(40243, `The $bucketAuto 'buckets' field must be greater than 0`);
  const byOf = evaluated(spec.get('groupBy'), context);
  const make = groups(outputOf(spec));
  return function* (input) {
    const rows = [...input].map(byOf).sort((a, b) => compare(a.value, b.value));
    const size = Math.max(1, Math.round(rows.length / count));
    let end = 0;
    for (let i = 0; i < count && end < rows.length; i++) {
      const start = end;
      end = i === count - 1 ? rows.length : Math.min(rows.length, start + size);
      while (end < rows.length && compare(rows[end]!.value, rows[end - 1]!.value) === 0) end++;
      const made = make();
      for (const { env } of rows.slice(start, end)) made.add(env);
      yield made.result(
        doc({ min: rows[start]!.value ?? null, max: rows[Math.min(end, rows.length - 1)]!.value ?? null }),
      );
    }
  };
};

export const GROUP: Record<string, StageMaker> = {
  $group: group,
  $sortByCount: sortByCount,
  $bucket: bucket,
  $bucketAuto: bucketAuto,
};
