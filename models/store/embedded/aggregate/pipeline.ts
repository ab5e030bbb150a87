import { type Doc, doc, isDoc, isNumber, toNumber, typeName, type Value } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { compileProjection } from '../projection/compile.ts';
import { parseSort, sortDocs } from '../sort.ts';
import { compileGroup, type Documents } from './group.ts';

/** Turns a stream of documents into another. */
type Stage = (input: Documents) => Documents;

/** Makes a stage of its operand; throws MongoDB's errors for a wrong one. */
type StageMaker = (operand: Value) => Stage;

/** A stage that changes each document by itself; undefined leaves it out. */
const each = (change: (item: Doc) => Doc | undefined): Stage =>
  async function* (input) {
    for await (const item of input) {
      const changed = change(item);
      if (changed) yield changed;
    }
  };

/** The documents from position `from` on and before position `to`. */
const between = (from: number, to: number): Stage =>
  async function* (input) {
    let i = 0;
    for await (const item of input) {
      if (i >= from) yield item;
      if (++i >= to) return;
    }
  };

function wholeNumber(operand: Value, name: string): number {
  const count = isNumber(operand) ? toNumber(operand) : Number.NaN;
  if (!Number.isInteger(count) || count < 0) fail(5107200, `${name} needs a whole number that is not negative`);
  return count;
}

const documentOf = (operand: Value, name: string, code: number): Doc =>
  isDoc(operand) ? operand : fail(code, `${name} needs a document, found: ${typeName(operand)}`);

const sort: StageMaker = (operand) => {
  const spec = documentOf(operand, '$sort', 15973);
  if (spec.size === 0) fail(15976, '$sort stage must have at least one sort key');
  const fields = parseSort(spec);
  return (input) => sortDocs(input, fields);
};

const project: StageMaker = (operand) => {
  const spec = documentOf(operand, '$project', 15969);
  if (spec.size === 0) fail(51272, 'Invalid $project: projection specification must have at least one field');
  return each(compileProjection(spec));
};

const count: StageMaker = (operand) => {
  if (typeof operand !== 'string' || operand === '') fail(40156, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) fail(40160, "the count field cannot contain '.'");
  return async function* (input) {
    let n = 0;
    for await (const _ of input) n++;
    if (n > 0) yield doc({ [operand]: n });
  };
};

/** A copy of a document with another value at a path of documents; undefined removes it. */
function withValue(item: Doc, [step = '', ...rest]: string[], value: Value): Doc {
  const out: Doc = new Map(item);
  const changed = rest.length === 0 ? value : withValue(item.get(step) as Doc, rest, value);
  if (changed === undefined) out.delete(step);
  else out.set(step, changed);
  return out;
}

const UNWIND = ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'];

function unwindOptions(operand: Value) {
  const given = isDoc(operand) ? operand : doc({ path: operand });
  const unknown = [...given.keys()].find((name) => !UNWIND.includes(name));
  if (unknown) fail(28811, `unrecognized option to $unwind stage: ${unknown}`);
  const [path, index, keep = false] = UNWIND.map((name) => given.get(name));
  if (typeof path !== 'string') fail(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  if (typeof keep !== 'boolean') fail(28809, 'expected a boolean for the preserveNullAndEmptyArrays option to $unwind');
  if (index !== undefined && (typeof index !== 'string' || index === ''))
    fail(28810, 'expected a non-empty string for the includeArrayIndex option to $unwind stage');
  if (index?.startsWith('$')) fail(28822, 'includeArrayIndex option to $unwind should not be prefixed with a $');
  if (index?.includes('.')) unsupported('a dotted includeArrayIndex');
  const steps = path.slice(1).split('.');
  if (steps.includes('')) fail(40353, 'FieldPath field names may not be empty strings.');
  return { steps, index, keep };
}

const unwind: StageMaker = (operand) => {
  const { steps, index, keep } = unwindOptions(operand);
  const placed = (item: Doc, at: Value) => (index ? new Map(item).set(index, at) : item);
  return async function* (input) {
    for await (const item of input) {
      const value = steps.reduce<Value>((at, step) => (isDoc(at) ? at.get(step) : undefined), item);
      const isList = Array.isArray(value);
      const isEmpty = isList ? value.length === 0 : value === null || value === undefined;
      if (isEmpty && !keep) continue;
      if (!isList) yield placed(item, null);
      else if (isEmpty) yield placed(withValue(item, steps, undefined), null);
      else for (const [i, one] of value.entries()) yield placed(withValue(item, steps, one), BigInt(i));
    }
  };
};

const STAGES: Record<string, StageMaker> = {
  $match: (operand) => {
    const test = docFilter(documentOf(operand, '$match', 15959));
    return each((item) => (test(item) ? item : undefined));
  },
  $limit: (operand) => between(0, wholeNumber(operand, '$limit') || fail(15958, 'the limit must be positive')),
  $skip: (operand) => between(wholeNumber(operand, '$skip'), Infinity),
  $sort: sort,
  $project: project,
  $group: compileGroup,
  $unwind: unwind,
  $count: count,
};

/** The name and operand of one stage; throws 40323 for what is no stage. */
export function stageParts(stage: Value): [name: string, operand: Value] {
  if (!isDoc(stage)) fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, 'A pipeline stage specification object must contain exactly one field.');
  return stage.entries().next().value!;
}

/** Compiles stages into one. Throws 115 for a stage that this store does not have. */
export function compilePipeline(stages: Value[]): Stage {
  const compiled = stages.map((stage) => {
    const [name, operand] = stageParts(stage);
    return Object.hasOwn(STAGES, name) ? STAGES[name]!(operand) : unsupported(`the stage ${name}`);
  });
  return (input) => compiled.reduce((items, stage) => stage(items), input);
}

/** The field that a `{$group: {_id: <constant>, n: {$sum: 1}}}` counts into, as countDocuments sends it. */
export function countField(rest: Value[]): { id: Value; field: string } | undefined {
  const [name, spec] = rest.length === 1 ? stageParts(rest[0]) : [];
  if (name !== '$group' || !isDoc(spec) || spec.size !== 2) return undefined;
  const id = spec.get('_id');
  const [field, sum] = [...spec].find(([key]) => key !== '_id') ?? [];
  const counts = field && isDoc(sum) && sum.size === 1 && sum.get('$sum') === 1;
  return counts && (id === null || typeof id === 'number') ? { id, field } : undefined;
}
