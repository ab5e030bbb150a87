import { type Doc, doc, isDoc, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { valueAt } from '../../filter/path.ts';
import { identity } from '../accumulators.ts';
import { any, array, document, integer, optional, optionsOf, text } from '../kind.ts';
import { collectionDocs, computeIn, each, filterIn, withValue } from '../stage.ts';
import type { StageContext, StageMaker } from '../stageMaker.ts';

const string = text('FailedToParse');
const stages = array('TypeMismatch');

/** The context of a pipeline inside of another; 20 of them may nest. */
function inside(context: StageContext, ns: string): StageContext {
  if (context.depth >= 20) fail('MaxSubPipelineDepthExceeded', 'Maximum number of nested sub-pipelines exceeded: 20');
  return { ...context, ns, depth: context.depth + 1 };
}

const JOINED = { from: optional(string), localField: optional(string), foreignField: optional(string), as: string };
const LOOKUP = { ...JOINED, let: optional(document('FailedToParse')), pipeline: optional(stages) };

const $lookup: StageMaker = (operand, context, name) => {
  const options = optionsOf(operand, name, [9, 9, 9], LOOKUP);
  const { from, localField: local, foreignField: foreign, as, pipeline } = options;
  if ((local === undefined) !== (foreign === undefined) || (!local && !pipeline))
    fail('FailedToParse', "$lookup requires 'pipeline', or both 'localField' and 'foreignField' to be specified");
  const bound = [...(options.let ?? [])].map(([key, item]) => ({ key, compute: computeIn(item, context) }));
  // A join's equality: null finds what is missing, an array finds any of its items.
  const joinedBy = (value: Value): Value => doc(Array.isArray(value) ? { $in: value } : { $eq: value ?? null });
  return each((item) => {
    const inner = inside(context, `${context.db}.${from}`);
    const variables = bound.map(({ key, compute }): [string, Value] => [key, compute(item) ?? null]);
    inner.variables = new Map([...(context.variables ?? []), ...variables]);
    const filter: Doc = local && foreign ? new Map([[foreign, joinedBy(valueAt(item, local.split('.')))]]) : new Map();
    const source = from === undefined ? [] : collectionDocs(inner, filter);
    return withValue(item, as, [...(pipeline ? context.pipeline(pipeline, inner)(source) : source)]);
  });
};

const EDGES = { from: string, startWith: any, connectFromField: string, connectToField: string, as: string };
const BOUNDS = { maxDepth: optional(integer(40100, 0)), restrictSearchWithMatch: optional(document(40185)) };
const GRAPH = { ...EDGES, ...BOUNDS, depthField: optional(string) };

const $graphLookup: StageMaker = (operand, context, name) => {
  const options = optionsOf(operand, name, [9, 40104, 40105], GRAPH);
  const { connectFromField, connectToField, as, maxDepth = Infinity, depthField } = options;
  const start = computeIn(options.startWith, context);
  const inner = inside(context, `${context.db}.${options.from}`);
  const restricted = filterIn(options.restrictSearchWithMatch ?? new Map(), context);
  const list = (value: Value): Value[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
  return each((item) => {
    const found = new Map<unknown, Doc>();
    let frontier = list(start(item));
    for (let depth = 0; depth <= maxDepth && frontier.length > 0; depth++) {
      const linked = [...collectionDocs(inner, new Map([[connectToField, doc({ $in: frontier })]]))];
      const near = linked.filter((other) => restricted(other) && !found.has(identity(other.get('_id'))));
      for (const other of near) {
        const shown = depthField ? withValue(other, depthField, BigInt(depth)) : other;
        found.set(identity(other.get('_id')), shown);
      }
      frontier = near.flatMap((other) => list(valueAt(other, connectFromField.split('.'))));
    }
    return withValue(item, as, [...found.values()]);
  });
};

const $unionWith: StageMaker = (operand, context, name) => {
  const given = isDoc(operand) ? operand : doc({ coll: operand });
  const { coll, pipeline = [] } = optionsOf(given, name, [9, 9, 9], { coll: string, pipeline: optional(stages) });
  const inner = inside(context, `${context.db}.${coll}`);
  const run = context.pipeline(pipeline, inner);
  return function* (input) {
    yield* input;
    yield* run(collectionDocs(inner, new Map()));
  };
};

const NOT_IN_FACET = ['$out', '$merge', '$facet', '$collStats', '$indexStats'];

const $facet: StageMaker = (operand, context, name) => {
  const spec = document(40169).check(operand, name);
  if (spec.size === 0) fail(40169, 'the $facet specification must be a non-empty object');
  const parts = [...spec].map(([field, given]) => {
    const within = array(40170).check(given, name);
    const kinds = within.flatMap((stage) => (isDoc(stage) ? [...stage.keys()] : []));
    const wrong = kinds.find((kind) => NOT_IN_FACET.includes(kind));
    if (wrong) fail(40600, `${wrong} is not allowed to be used within a $facet stage`);
    return { field, run: context.pipeline(within, inside(context, context.ns)) };
  });
  return function* (input) {
    const docs = [...input];
    yield new Map(parts.map(({ field, run }): [string, Value] => [field, [...run(docs)]]));
  };
};

/** Stages that read other collections, or the same documents several times. */
export const JOIN = { $lookup, $graphLookup, $unionWith, $facet };
