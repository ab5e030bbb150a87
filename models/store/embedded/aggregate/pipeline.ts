import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail, refused } from '../errors.ts';
import { BORROWED_STAGES } from './mingo.ts';
import type { Stage, StageContext, StageMaker } from './stageMaker.ts';
import { FLOW } from './stages/flow.ts';
import { GROUP } from './stages/group.ts';
import { JOIN } from './stages/join.ts';
import { SHAPE } from './stages/shape.ts';

const last: StageMaker = (_operand, _context, name) =>
  fail(40601, `${name} can only be the final stage in the pipeline`);

const STAGES = new Map<string, StageMaker>(
  Object.entries({
    ...{ ...FLOW, ...SHAPE, ...GROUP, ...JOIN, ...BORROWED_STAGES },
    $out: last,
    $merge: last,
    $changeStream: () => fail(40573, 'The $changeStream stage is only supported on replica sets'),
    ...refused('$bucketAuto', '$redact', '$geoNear', '$search', '$searchMeta', '$vectorSearch'),
    ...refused('$listSessions', '$currentOp', '$planCacheStats'),
  }),
);

/** The name and operand of one stage; throws 40323 for what is no stage. */
export function stageParts(stage: Value): [name: string, operand: Value] {
  if (!isDoc(stage)) fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, 'A pipeline stage specification object must contain exactly one field.');
  return stage.entries().next().value!;
}

/** Compiles stages into one. Throws 40324 for an unknown stage, 72 for one that is not among the `allowed` ones. */
export function compilePipeline(stages: Value[], context: StageContext, allowed?: string[]): Stage {
  const compiled = stages.map((stage) => {
    const [name, operand] = stageParts(stage);
    const maker = STAGES.get(name) ?? fail(40324, `Unrecognized pipeline stage name: '${name}'`);
    if (allowed?.includes(name) === false) fail('InvalidOptions', `${name} is not allowed to be used within an update`);
    return maker(operand, context, name);
  });
  return (input) => compiled.reduce<Iterable<Doc>>((docs, stage) => stage(docs), input);
}

const UPDATE_STAGES = ['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith'];

/** Compiles the pipeline form of an update. */
export function compilePipelineUpdate(variables?: Doc): (stages: Value[]) => (doc: Doc) => Doc {
  return (stages) => {
    const run = compilePipeline(stages, { variables, collator: undefined, depth: 0 } as StageContext, UPDATE_STAGES);
    return (doc) => [...run([doc])][0]!;
  };
}
