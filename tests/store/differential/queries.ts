// A plain model of sorts, projections and pipelines, by MongoDB's documentation.
import { Double, Int32, Long } from 'bson';
import { matches, valuesAt } from './filters.ts';
import { compare, copy, type Doc, EMPTY, equal, isDoc, isNumber, numberOf, type Value } from './values.ts';

/** The values that a document is sorted by at a path: those of an array are its elements. */
function sortValues(value: Value, steps: string[]): Value[] {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (!Array.isArray(value)) return [value];
    return value.length > 0 ? value : [EMPTY];
  }
  if (isDoc(value)) return sortValues(value[step], rest);
  if (!Array.isArray(value) || value.length === 0) return [undefined];
  return value.flatMap((item) => (isDoc(item) ? sortValues(item, steps) : [undefined]));
}

/** Documents sorted: by the least value upwards, by the greatest downwards; equal ones stay in order. */
export function sorted(docs: Doc[], sort: Record<string, number>): Doc[] {
  const keyed = docs.map((doc) => ({
    doc,
    key: Object.entries(sort).map(([path, direction]) => {
      const [first, ...others] = sortValues(doc, path.split('.')) as [Value, ...Value[]];
      return others.reduce((best, value) => (compare(value, best) * direction < 0 ? value : best), first);
    }),
  }));
  const directions = Object.values(sort);
  const order = (a: Value[], b: Value[]) =>
    directions.map((direction, i) => compare(a[i], b[i]) * direction).find((result) => result !== 0) ?? 0;
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ doc }) => doc);
}

/** A document with, or without, what paths lead to. */
function picked(value: Value, paths: string[][], including: boolean): Value {
  if (Array.isArray(value))
    return value.map((item) => picked(item, paths, including)).filter((item) => item !== undefined);
  if (!isDoc(value)) return including ? undefined : value;
  const out: Doc = {};
  for (const [name, item] of Object.entries(value)) {
    const inner = paths.filter(([step]) => step === name).map(([, ...rest]) => rest);
    const named = inner.some((path) => path.length === 0);
    const kept =
      inner.length === 0
        ? including
          ? undefined
          : item
        : named
          ? including
            ? item
            : undefined
          : picked(item, inner, including);
    if (kept !== undefined) out[name] = kept;
  }
  return out;
}

export function projected(doc: Doc, projection: Record<string, number>): Doc {
  const paths = Object.keys(projection).filter((path) => path !== '_id');
  const including = paths.length > 0 ? projection[paths[0]!] === 1 : projection._id === 1;
  const withId = including ? projection._id !== 0 : projection._id === 0;
  const all = withId ? ['_id', ...paths] : paths;
  return picked(
    doc,
    all.map((path) => path.split('.')),
    including,
  ) as Doc;
}

/** Each distinct value at a path, an array's elements one by one. */
export function distinctValues(docs: Doc[], path: string): Value[] {
  const found: Value[] = [];
  const values = docs.flatMap((doc) => valuesAt(doc, path.split('.'), false)).flat();
  for (const value of values) if (value !== undefined && !found.some((other) => equal(other, value))) found.push(value);
  return found.sort(compare);
}

/** A field path as expressions read it. */
function read(value: Value, steps: string[]): Value {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => read(item, steps)).filter((item) => item !== undefined);
  return isDoc(value) ? read(value[step], rest) : undefined;
}

function evaluated(doc: Doc, expression: Value): Value {
  if (isDoc(expression)) {
    const fields = Object.entries(expression).map(([name, part]) => [name, evaluated(doc, part)]);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression;
  return read(doc, expression.slice(1).split('.'));
}

function total(values: Value[]): Value {
  const numbers = values.filter(isNumber);
  const sum = numbers.reduce((all, value) => all + numberOf(value), 0);
  if (numbers.some((value) => value instanceof Double)) return new Double(sum);
  return numbers.some((value) => value instanceof Long) ? Long.fromNumber(sum) : new Int32(sum);
}

const extreme = (values: Value[], sign: number): Value =>
  values
    .filter((value) => value !== null && value !== undefined)
    .reduce((best: Value, value) => (best === undefined || compare(value, best) * sign < 0 ? value : best), undefined);

const ACCUMULATORS: Record<string, (values: Value[]) => Value> = {
  $sum: total,
  $min: (values) => extreme(values, 1) ?? null,
  $max: (values) => extreme(values, -1) ?? null,
  $first: ([first]) => first ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: (values) => values.filter((value) => value !== undefined),
  $addToSet: (values) =>
    values.filter(
      (value, i) =>
        value !== undefined && !values.slice(0, i).some((other) => other !== undefined && equal(other, value)),
    ),
};

function grouped(docs: Doc[], { _id, ...fields }: Doc): Doc[] {
  const groups: { id: Value; docs: Doc[] }[] = [];
  for (const doc of docs) {
    const id = evaluated(doc, _id) ?? null;
    const group = groups.find((one) => equal(one.id, id));
    if (group) group.docs.push(doc);
    else groups.push({ id, docs: [doc] });
  }
  return groups.map(({ id, docs: within }) => {
    const results = Object.entries(fields).map(([field, spec]) => {
      const [[operator, operand]] = Object.entries(spec as Doc) as [[string, Value]];
      return [field, ACCUMULATORS[operator]!(within.map((doc) => evaluated(doc, operand)))];
    });
    return { _id: id, ...Object.fromEntries(results) };
  });
}

function unwound(doc: Doc, field: string, keeps: boolean): Doc[] {
  const value = doc[field];
  if (Array.isArray(value) && value.length > 0) return value.map((item) => ({ ...doc, [field]: item }));
  const isEmpty = value === null || value === undefined || Array.isArray(value);
  if (!isEmpty) return [doc];
  const { [field]: _list, ...rest } = doc;
  return keeps ? [value === null ? doc : rest] : [];
}

/** The documents that a stage makes of others. */
function staged(docs: Doc[], stage: Doc): Doc[] {
  const [[name, operand]] = Object.entries(stage) as [[string, never]];
  if (name === '$match') return docs.filter((doc) => matches(doc, operand));
  if (name === '$sort') return sorted(docs, operand);
  if (name === '$skip') return docs.slice(operand);
  if (name === '$limit') return docs.slice(0, operand);
  if (name === '$project') return docs.map((doc) => projected(doc, operand));
  if (name === '$group') return grouped(docs, operand);
  if (name === '$count') return docs.length > 0 ? [{ [operand as string]: new Int32(docs.length) }] : [];
  const { path, preserveNullAndEmptyArrays } = operand as { path: string; preserveNullAndEmptyArrays: boolean };
  return docs.flatMap((doc) => unwound(doc, path.slice(1), preserveNullAndEmptyArrays));
}

export const aggregated = (docs: Doc[], pipeline: Doc[]): Doc[] => pipeline.reduce(staged, docs.map(copy));
