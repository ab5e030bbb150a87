import { type Doc, doc, isDoc, isNumber, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { docFilter } from '../../filter/compile.ts';
import { valueAt } from '../../filter/path.ts';
import { setComputed } from '../../projection/compile.ts';
import { identity } from '../accumulators.ts';
import {
  collectionDocs,
  each,
  evaluated,
  filterContext,
  type Stage,
  type StageContext,
  type StageMaker,
  specOf,
} from '../stage.ts';

/** The string at a field of a stage that may be left out. */
function name(spec: Doc, field: string, stage: string): string | undefined {
  const value = spec.get(field);
  if (value !== undefined && typeof value !== 'string')
    fail('FailedToParse', `${stage} argument '${field}' must be a string, is type ${typeName(value)}`);
  return value;
}

const arrayOf = (value: Value, what: string): Value[] =>
  Array.isArray(value) ? value : fail('TypeMismatch', `${what} must be specified as an array`);

/** A document with a value at a path. */
function withValue(item: Doc, path: string, value: Value): Doc {
  const out: Doc = new Map(item);
  setComputed(out, path.split('.'), value);
  return out;
}

/** The context of a pipeline inside of another; 20 of them may nest. */
function inside(context: StageContext, ns: string): StageContext {
  if (context.depth >= 20) fail('MaxSubPipelineDepthExceeded', 'Maximum number of nested sub-pipelines exceeded: 20');
  return { ...context, ns, depth: context.depth + 1 };
}

const LOOKUP = ['from', 'localField', 'foreignField', 'as', 'let', 'pipeline'];

const lookup: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$lookup', 9, { as: 9 });
  const unknown = [...spec.keys()].find((key) => !LOOKUP.includes(key));
  if (unknown) fail('FailedToParse', `unknown argument to $lookup: ${unknown}`);
  const [from, local, foreign, as = ''] = LOOKUP.slice(0, 4).map((field) => name(spec, field, '$lookup'));
  const stages = spec.has('pipeline') ? arrayOf(spec.get('pipeline'), "'pipeline' option") : undefined;
  if ((local === undefined) !== (foreign === undefined) || (!local && !stages))
    fail('FailedToParse', "$lookup requires 'pipeline', or both 'localField' and 'foreignField' to be specified");
  const given = spec.get('let');
  const bound = isDoc(given) ? [...given].map(([key, item]) => ({ key, value: evaluated(item, context) })) : [];
  // A join's equality: null finds what is missing, an array finds any of its items.
  const joinedBy = (value: Value): Value => doc(Array.isArray(value) ? { $in: value } : { $eq: value ?? null });
  return each((item) => {
    const inner = inside(context, `${context.db}.${from}`);
    const variables = bound.map(({ key, value }): [string, Value] => [key, value(item).value ?? null]);
    inner.variables = new Map([...(context.variables ?? []), ...variables]);
    const filter: Doc = local && foreign ? new Map([[foreign, joinedBy(valueAt(item, local.split('.')))]]) : new Map();
    const source = from === undefined ? [] : collectionDocs(inner, filter);
    return withValue(item, as, [...(stages ? context.pipeline(stages, inner)(source) : source)]);
  });
};

const GRAPH = { from: 40105, startWith: 40105, connectFromField: 40105, connectToField: 40105, as: 40105 };

const graphLookup: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$graphLookup', 9, GRAPH);
  const part = (field: string): string => name(spec, field, '$graphLookup') ?? '';
  const [from, connectFrom, connectTo, as, depthField] = [
    'from',
    'connectFromField',
    'connectToField',
    'as',
    'depthField',
  ].map(part);
  const start = evaluated(spec.get('startWith'), context);
  const inner = inside(context, `${context.db}.${from}`);
  const most = isNumber(spec.get('maxDepth')) ? toNumber(spec.get('maxDepth')) : Number.POSITIVE_INFINITY;
  const restrict = spec.get('restrictSearchWithMatch');
  const restricted = docFilter(isDoc(restrict) ? restrict : new Map(), filterContext(context));
  const list = (value: Value): Value[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
  return each((item) => {
    const found = new Map<unknown, Doc>();
    let frontier = list(start(item).value);
    for (let depth = 0; depth <= most && frontier.length > 0; depth++) {
      const near = [...collectionDocs(inner, new Map([[connectTo!, doc({ $in: frontier })]]))].filter(
        (other) => restricted(other) && !found.has(identity(other.get('_id'))),
      );
      for (const other of near)
        found.set(identity(other.get('_id')), depthField ? withValue(other, depthField, BigInt(depth)) : other);
      frontier = near.flatMap((other) => list(valueAt(other, connectFrom!.split('.'))));
    }
    return withValue(item, as!, [...found.values()]);
  });
};

const unionWith: StageMaker = (operand, context) => {
  const from = isDoc(operand) ? operand.get('coll') : operand;
  if (typeof from !== 'string') fail('FailedToParse', '$unionWith needs the name of a collection');
  const inner = inside(context, `${context.db}.${from}`);
  const stages = isDoc(operand) ? operand.get('pipeline') : undefined;
  const run: Stage = Array.isArray(stages) ? context.pipeline(stages, inner) : (docs) => docs;
  return function* (input) {
    yield* input;
    yield* run(collectionDocs(inner, new Map()));
  };
};

const facet: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$facet', 40169);
  if (spec.size === 0) fail(40169, 'the $facet specification must be a non-empty object');
  const parts = [...spec].map(([field, stages]) => {
    if (!Array.isArray(stages)) fail(40170, `arguments to $facet must be arrays, ${field} is type ${typeName(stages)}`);
    for (const stage of stages) {
      const kind = isDoc(stage) ? (stage.keys().next().value ?? '') : '';
      if (['$out', '$merge', '$facet', '$collStats', '$indexStats'].includes(kind))
        fail(40600, `${kind} is not allowed to be used within a $facet stage`);
    }
    return [field, context.pipeline(stages, inside(context, context.ns))] as const;
  });
  return function* (input) {
    const docs = [...input];
    yield new Map(parts.map(([field, run]): [string, Value] => [field, [...run(docs)]]));
  };
};

export const JOIN: Record<string, StageMaker> = {
  $lookup: lookup,
  $graphLookup: graphLookup,
  $unionWith: unionWith,
  $facet: facet,
};
