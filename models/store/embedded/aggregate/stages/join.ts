import { compare } from '../../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { docFilter } from '../../filter/compile.ts';
import { valueAt } from '../../filter/path.ts';
import { setComputed } from '../../projection/compile.ts';
import { compileExpression } from '../expression.ts';
import { environment } from '../scope.ts';
import { collectionDocs } from '../source.ts';
import { filterContext, type Stage, type StageContext, type StageMaker } from '../stage.ts';

/** The condition that a field equals a value the way a join compares: null finds missing, an array any of its items. */
const joinFilter = (field: string, value: Value): Doc =>
  new Map([[field, Array.isArray(value) ? new Map([['$in', value]]) : new Map([['$eq', value ?? null]])]]);

function stringField(operand: Doc, name: string, stage: string): string {
  const value = operand.get(name);
  if (typeof value !== 'string')
    fail('FailedToParse', `${stage} argument '${name}' must be a string, is type ${typeName(value)}`);
  return value;
}

const lookup: StageMaker = (operand, context) => {
  if (!isDoc(operand))
    fail('FailedToParse', `the $lookup specification must be an Object, but found ${typeName(operand)}`);
  const KNOWN = ['from', 'localField', 'foreignField', 'as', 'let', 'pipeline'];
  for (const key of operand.keys())
    if (!KNOWN.includes(key)) fail('FailedToParse', `unknown argument to $lookup: ${key}`);
  if (!operand.has('as')) fail('FailedToParse', "must specify 'as' field for a $lookup");
  const as = stringField(operand, 'as', '$lookup').split('.');
  const from = operand.has('from') ? stringField(operand, 'from', '$lookup') : undefined;
  const stages = operand.get('pipeline');
  if (stages !== undefined && !Array.isArray(stages))
    fail('TypeMismatch', "'pipeline' option must be specified as an array");
  const local = operand.has('localField') ? stringField(operand, 'localField', '$lookup').split('.') : undefined;
  const foreign = operand.has('foreignField') ? stringField(operand, 'foreignField', '$lookup') : undefined;
  if ((local === undefined) !== (foreign === undefined))
    fail('FailedToParse', '$lookup requires both or neither of localField and foreignField to be specified');
  if (!local && !stages)
    fail('FailedToParse', "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  const bound = isDoc(operand.get('let'))
    ? [...(operand.get('let') as Doc)].map(([name, spec]) => [name, compileExpression(spec)] as const)
    : [];
  const ns = `${context.db}.${from}`;
  return function* (input) {
    const now = new Date();
    for (const doc of input) {
      const inner = inside(context, ns);
      if (bound.length > 0) {
        const env = environment(doc, context.variables, now);
        inner.variables = new Map([
          ...(context.variables ?? []),
          ...bound.map(([name, value]): [string, Value] => [name, value(env) ?? null]),
        ]);
      }
      const filter = local && foreign ? joinFilter(foreign, valueAt(doc, local)) : new Map();
      const source = from === undefined ? [] : collectionDocs(inner, filter);
      const joined = stages ? context.pipeline(stages, inner)(source) : source;
      const out: Doc = new Map(doc);
      setComputed(out, as, [...joined]);
      yield out;
    }
  };
};

/** The context of a pipeline inside of another; 20 of them may nest. */
function inside(context: StageContext, ns: string): StageContext {
  if (context.depth >= 20)
    fail('MaxSubPipelineDepthExceeded', 'Maximum number of nested sub-pipelines exceeded. Limit is 20');
  return { ...context, ns, depth: context.depth + 1 };
}

const graphLookup: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail('FailedToParse', 'the $graphLookup stage specification must be an object');
  for (const key of ['from', 'startWith', 'connectFromField', 'connectToField', 'as']) {
    if (!operand.has(key))
      fail(
        40105,
        `$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.`,
      );
  }
  const start = compileExpression(operand.get('startWith'));
  const inner = inside(context, `${context.db}.${stringField(operand, 'from', '$graphLookup')}`);
  const connectFrom = stringField(operand, 'connectFromField', '$graphLookup').split('.');
  const connectTo = stringField(operand, 'connectToField', '$graphLookup');
  const as = stringField(operand, 'as', '$graphLookup').split('.');
  const most = isNumber(operand.get('maxDepth')) ? toNumber(operand.get('maxDepth')) : Number.POSITIVE_INFINITY;
  const depthField = operand.get('depthField');
  const restrict = operand.get('restrictSearchWithMatch');
  const restricted = docFilter(isDoc(restrict) ? restrict : new Map(), filterContext(context));
  const list = (value: Value): Value[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
  return function* (input) {
    const now = new Date();
    for (const doc of input) {
      const found: Doc[] = [];
      let frontier = list(start(environment(doc, context.variables, now)));
      for (let depth = 0; depth <= most && frontier.length > 0; depth++) {
        const next: Value[] = [];
        for (const item of collectionDocs(inner, new Map([[connectTo, new Map([['$in', frontier]])]]))) {
          if (!restricted(item) || found.some((other) => compare(other.get('_id'), item.get('_id')) === 0)) continue;
          const kept: Doc = new Map(item);
          if (typeof depthField === 'string') setComputed(kept, depthField.split('.'), BigInt(depth));
          found.push(kept);
          next.push(...list(valueAt(item, connectFrom)));
        }
        frontier = next;
      }
      const out: Doc = new Map(doc);
      setComputed(out, as, found);
      yield out;
    }
  };
};

const unionWith: StageMaker = (operand, context) => {
  const from = isDoc(operand) ? operand.get('coll') : operand;
  if (typeof from !== 'string') fail('FailedToParse', 'the $unionWith stage specification must be an object or string');
  const inner = inside(context, `${context.db}.${from}`);
  const stages = isDoc(operand) ? operand.get('pipeline') : undefined;
  const run: Stage = Array.isArray(stages) ? context.pipeline(stages, inner) : (docs) => docs;
  return function* (input) {
    yield* input;
    yield* run(collectionDocs(inner, new Map()));
  };
};

const facet: StageMaker = (operand, context) => {
  if (!isDoc(operand) || operand.size === 0) fail(40169, 'the $facet specification must be a non-empty object');
  const parts = [...operand].map(([name, stages]) => {
    if (!Array.isArray(stages)) fail(40170, `arguments to $facet must be arrays, ${name} is type ${typeName(stages)}`);
    for (const stage of stages) {
      const kind = isDoc(stage) ? (stage.keys().next().value ?? '') : '';
      if (['$out', '$merge', '$facet', '$collStats', '$indexStats'].includes(kind))
        fail(40600, `${kind} is not allowed to be used within a $facet stage`);
    }
    return [name, context.pipeline(stages, inside(context, context.ns))] as const;
  });
  return function* (input) {
    const docs = [...input];
    yield new Map(parts.map(([name, run]): [string, Value] => [name, [...run(docs)]]));
  };
};

export const JOIN: Record<string, StageMaker> = {
  $lookup: lookup,
  $graphLookup: graphLookup,
  $unionWith: unionWith,
  $facet: facet,
};
