import { compare } from '../../bson/compare.ts';
import { type Doc, Double, isDoc, isNumber, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { encodeKey } from '../../keys/encode.ts';
import { type Accumulator, compileAccumulator } from '../accumulators.ts';
import { compileExpression } from '../expression.ts';
import { environment } from '../scope.ts';
import type { StageMaker } from '../stage.ts';

type Field = { name: string; make: () => Accumulator };

function accumulated(spec: Iterable<[string, Value]>): Field[] {
  const fields: Field[] = [];
  for (const [name, item] of spec) {
    if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
    if (name.startsWith('$')) fail(40236, `The field name '${name}' cannot be an operator name`);
    fields.push({ name, make: compileAccumulator(item, name) });
  }
  return fields;
}

type Group = { id: Value; parts: Accumulator[] };

const output = (group: Group, fields: Field[]): Doc => {
  const out: Doc = new Map([['_id', group.id ?? null]]);
  fields.forEach((field, i) => {
    const value = group.parts[i]!.result();
    out.set(field.name, value === undefined ? null : value);
  });
  return out;
};

/** A group's key: scalars by themselves where that is exact, else by their ordered bytes. */
function keyOf(value: Value): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (value === null) return null;
  if (value === undefined) return undefined;
  return `\u0000${encodeKey(value).latin1Slice()}`;
}

const group: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail(15947, "a group's fields must be specified in an object");
  if (!operand.has('_id')) fail(15955, 'a group specification must include an _id');
  const id = compileExpression(operand.get('_id'));
  const fields = accumulated([...operand].filter(([name]) => name !== '_id'));
  return function* (input) {
    const groups = new Map<unknown, Group>();
    const now = new Date();
    for (const doc of input) {
      const env = environment(doc, context.variables, now);
      const value = id(env);
      const normal =
        value instanceof Double && Number.isInteger(value.value) && Math.abs(value.value) < 2 ** 31
          ? value.value
          : typeof value === 'bigint' && value < 2n ** 31n && value >= -(2n ** 31n)
            ? Number(value)
            : value;
      const key = keyOf(value === undefined ? null : normal);
      let found = groups.get(key);
      if (!found) {
        found = { id: value, parts: fields.map((field) => field.make()) };
        groups.set(key, found);
      }
      for (const part of found.parts) part.add(env);
    }
    for (const item of groups.values()) yield output(item, fields);
  };
};

const sortByCount: StageMaker = (operand, context) => {
  const counted = group(
    new Map<string, Value>([
      ['_id', operand],
      ['count', new Map([['$sum', 1]])],
    ]),
    context,
  );
  return (input) => [...counted(input)].sort((a, b) => compare(b.get('count'), a.get('count')));
};

/** Groups with given bounds or as many of equal size; both take the same output. */
function outputFields(operand: Doc): Field[] {
  const given = operand.get('output');
  return accumulated(isDoc(given) ? given : new Map<string, Value>([['count', new Map([['$sum', 1]])]]));
}

const bucket: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail(40201, `Argument to $bucket stage must be an object, but found type: ${typeName(operand)}`);
  const boundaries = operand.get('boundaries');
  if (!operand.has('groupBy') || !Array.isArray(boundaries))
    fail(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  if (boundaries.length < 2)
    fail(40192, `The $bucket 'boundaries' field must have at least 2 values, but found ${boundaries.length} value(s).`);
  for (let i = 1; i < boundaries.length; i++) {
    if (compare(boundaries[i - 1], boundaries[i]) >= 0)
      fail(40194, "The 'boundaries' option to $bucket must be sorted, but elements are not in ascending order");
  }
  const by = compileExpression(operand.get('groupBy'));
  const fields = outputFields(operand);
  return function* (input) {
    const groups = new Map<Value, Group>();
    const now = new Date();
    for (const doc of input) {
      const env = environment(doc, context.variables, now);
      const value = by(env);
      let at = -1;
      for (let i = 0; i + 1 < boundaries.length; i++)
        if (compare(value, boundaries[i]) >= 0 && compare(value, boundaries[i + 1]) < 0) at = i;
      if (at < 0 && !operand.has('default'))
        fail(40066, '$switch could not find a matching branch for an input, and no default was specified.');
      const id = at < 0 ? operand.get('default') : boundaries[at];
      if (!groups.has(id)) groups.set(id, { id, parts: fields.map((field) => field.make()) });
      for (const part of groups.get(id)!.parts) part.add(env);
    }
    for (const item of [...groups.values()].sort((a, b) => compare(a.id, b.id))) yield output(item, fields);
  };
};

const bucketAuto: StageMaker = (operand, context) => {
  if (!isDoc(operand))
    fail(40240, `The argument to $bucketAuto must be an object, but found type: ${typeName(operand)}`);
  const asked = operand.get('buckets');
  const count = isNumber(asked) ? toNumber(asked) : 0;
  if (!operand.has('groupBy') || asked === undefined)
    fail(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified.");
  if (!Number.isInteger(count) || count < 1)
    fail(40243, `The $bucketAuto 'buckets' field must be greater than 0, but found: ${count}`);
  const by = compileExpression(operand.get('groupBy'));
  const fields = outputFields(operand);
  return function* (input) {
    const now = new Date();
    const rows = [...input].map((doc) => {
      const env = environment(doc, context.variables, now);
      return { env, value: by(env) ?? null };
    });
    rows.sort((a, b) => compare(a.value, b.value));
    let at = 0;
    for (let i = 0; i < count && at < rows.length; i++) {
      const start = at;
      let end =
        i === count - 1 ? rows.length : Math.min(rows.length, start + Math.max(1, Math.round(rows.length / count)));
      while (end < rows.length && compare(rows[end]!.value, rows[end - 1]!.value) === 0) end++;
      const item: Group = { id: undefined, parts: fields.map((field) => field.make()) };
      for (const row of rows.slice(start, end)) for (const part of item.parts) part.add(row.env);
      const max = end < rows.length ? rows[end]!.value : rows[end - 1]!.value;
      item.id = new Map([
        ['min', rows[start]!.value],
        ['max', max],
      ]);
      yield output(item, fields);
      at = end;
    }
  };
};

export const GROUP: Record<string, StageMaker> = {
  $group: group,
  $sortByCount: sortByCount,
  $bucket: bucket,
  $bucketAuto: bucketAuto,
};
