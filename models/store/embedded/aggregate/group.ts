import { compare } from '../bson/compare.ts';
import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';
import { identity } from '../keys/encode.ts';
import { newSum } from './sum.ts';

export type Documents = AsyncIterable<Doc>;

/** Reads a value from a document; undefined where it is missing. */
type Read = (item: Doc) => Value;

/** Accumulates the values of one group. */
type Accumulator = { add(value: Value): void; result(): Value };

/** The value at a path as expressions read it: arrays on the way are mapped over. */
function valueAt(value: Value, path: string[]): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path)).filter((item) => item !== undefined);
  return isDoc(value) ? valueAt(value.get(step), rest) : undefined;
}

/** A field path ("$a.b") or a constant; every other expression is refused. */
function compileRead(spec: Value): Read {
  if (Array.isArray(spec) || isDoc(spec)) unsupported('an expression other than a field path or a constant');
  if (typeof spec !== 'string' || !spec.startsWith('$')) return () => spec;
  if (spec.startsWith('$$')) unsupported(`the variable ${spec}`);
  if (spec === '$') fail(16872, "'$' by itself is not a valid FieldPath");
  const path = spec.slice(1).split('.');
  if (path.includes('')) fail(spec.endsWith('.') ? 40353 : 15998, 'FieldPath field names may not be empty strings.');
  if (path.some((step) => step.startsWith('$'))) fail(16410, "FieldPath field names may not start with '$'.");
  return (item) => valueAt(item, path);
}

/** The key of a group: as any other read, or a document of them. */
function compileId(spec: Value): Read {
  if (!isDoc(spec)) return compileRead(spec);
  const fields = [...spec].map(([name, part]) => {
    if (name.startsWith('$')) unsupported(`the expression ${name}`);
    if (name.includes('.')) fail(16412, "FieldPath field names may not contain '.'.");
    return { name, read: compileRead(part) };
  });
  return (item) => {
    const values = fields.map(({ name, read }): [string, Value] => [name, read(item)]);
    return new Map(values.filter(([, value]) => value !== undefined));
  };
}

/** The least (1) or greatest (-1) value; null and missing ones do not count. */
const extreme = (sign: 1 | -1) => (): Accumulator => {
  let best: Value;
  return {
    add(value) {
      if (value === null || value === undefined) return;
      if (best === undefined || compare(value, best) * sign < 0) best = value;
    },
    result: () => best,
  };
};

/** Every value that is not missing, or each distinct one. */
const list = (isSet: boolean) => (): Accumulator => {
  const values = new Map<unknown, Value>();
  return {
    add(value) {
      const key = isSet ? identity(value) : values.size;
      if (value !== undefined && !values.has(key)) values.set(key, value);
    },
    result: () => [...values.values()],
  };
};

const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: newSum,
  $min: extreme(1),
  $max: extreme(-1),
  $first: () => {
    let first: Value;
    return {
      add(value) {
        if (first === undefined) first = value ?? null;
      },
      result: () => first,
    };
  },
  $last: () => {
    let last: Value;
    return {
      add(value) {
        last = value;
      },
      result: () => last,
    };
  },
  $push: list(false),
  $addToSet: list(true),
};

function compileField([field, spec]: [string, Value]) {
  if (field.includes('.')) fail(40235, `The field name '${field}' cannot contain '.'`);
  if (field.startsWith('$')) fail(40236, `The field name '${field}' cannot be an operator name`);
  if (!isDoc(spec) || spec.size !== 1) fail(40234, `The field '${field}' must be an accumulator object`);
  const [name, operand] = spec.entries().next().value!;
  const make = Object.hasOwn(ACCUMULATORS, name) ? ACCUMULATORS[name]! : unsupported(`the accumulator ${name}`);
  return { field, make, read: compileRead(operand) };
}

/** Compiles a $group stage. */
export function compileGroup(spec: Value): (input: Documents) => Documents {
  if (!isDoc(spec)) fail(15947, "a group's fields must be specified in an object");
  if (!spec.has('_id')) fail(15955, 'a group specification must include an _id');
  const idOf = compileId(spec.get('_id'));
  const fields = [...spec].filter(([field]) => field !== '_id').map(compileField);
  return async function* (input) {
    const groups = new Map<unknown, { id: Value; accumulators: Accumulator[] }>();
    for await (const item of input) {
      const id = idOf(item) ?? null;
      const key = identity(id);
      const group = groups.get(key) ?? { id, accumulators: fields.map(({ make }) => make()) };
      groups.set(key, group);
      for (const [i, { read }] of fields.entries()) group.accumulators[i]!.add(read(item));
    }
    for (const { id, accumulators } of groups.values()) {
      const results = fields.map(({ field }, i): [string, Value] => [field, accumulators[i]!.result() ?? null]);
      yield new Map([['_id', id], ...results]);
    }
  };
}
