import type { Doc, Value } from '../bson/value.ts';
import { isDoc } from '../bson/value.ts';
import { fail } from '../errors.ts';
import type { Stage, StageContext, StageMaker } from './stage.ts';
import { FLOW } from './stages/flow.ts';
import { GROUP } from './stages/group.ts';
import { JOIN } from './stages/join.ts';
import { RARE } from './stages/rare.ts';
import { SHAPE } from './stages/shape.ts';

const unsupported =
  (name: string): StageMaker =>
  () =>
    fail('CommandNotSupported', `${name} is not supported by the embedded store`);

const STAGES: Record<string, StageMaker> = {
  ...FLOW,
  ...SHAPE,
  ...GROUP,
  ...JOIN,
  ...RARE,
  $changeStream: () => fail(40573, 'The $changeStream stage is only supported on replica sets'),
  ...Object.fromEntries(
    ['$geoNear', '$search', '$searchMeta', '$vectorSearch', '$listSessions', '$currentOp', '$planCacheStats'].map(
      (name) => [name, unsupported(name)],
    ),
  ),
};

/** The name and operand of one stage; throws 40323 for what is no stage. */
export function stageParts(stage: Value): [name: string, operand: Value] {
  if (!isDoc(stage)) fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  if (stage.size !== 1) fail(40323, 'A pipeline stage specification object must contain exactly one field.');
  return stage.entries().next().value!;
}

/** Compiles stages into one. Throws 40324 for an unknown stage. */
export function compilePipeline(stages: Value[], context: StageContext): Stage {
  const compiled = stages.map((stage) => {
    const [name, operand] = stageParts(stage);
    const maker = STAGES[name];
    if (!maker) {
      if (name === '$out' || name === '$merge') fail(40601, `${name} can only be the final stage in the pipeline`);
      fail(40324, `Unrecognized pipeline stage name: '${name}'`);
    }
    return maker(operand, context);
  });
  return (input) => compiled.reduce<Iterable<Doc>>((docs, stage) => stage(docs), input);
}

const UPDATE_STAGES = new Set(['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith']);

/** Compiles the pipeline form of an update. */
export function compilePipelineUpdate(variables?: Doc): (stages: Value[]) => (doc: Doc) => Doc {
  return (stages) => {
    for (const stage of stages) {
      const [name] = stageParts(stage);
      if (!STAGES[name]) fail(40324, `Unrecognized pipeline stage name: '${name}'`);
      if (!UPDATE_STAGES.has(name)) fail('InvalidOptions', `${name} is not allowed to be used within an update`);
    }
    const run = compilePipeline(stages, { variables, collator: undefined, depth: 0 } as StageContext);
    return (doc) => [...run([doc])][0]!;
  };
}
