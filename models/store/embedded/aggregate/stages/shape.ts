import { show } from '../../bson/show.ts';
import { type Doc, isDoc, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { type Compute, compileProjection, setComputed } from '../../projection/compile.ts';
import { computeIn, each, evaluated, filterContext, type StageContext, type StageMaker, specOf } from '../stage.ts';

const project: StageMaker = (operand, context) => {
  const spec = specOf(operand, '$project', 15969);
  if (spec.size === 0) fail(51272, 'Invalid $project: projection specification must have at least one field');
  return each(compileProjection(spec, { ...filterContext(context), find: false, compute: computeIn(context) }));
};

type Added = { path: string[]; compute: Compute };

/** The fields of $addFields: a document without operators is a way to say dotted paths. */
function addedFields(spec: Doc, path: string[], context: StageContext): Added[] {
  return [...spec].flatMap(([name, value]): Added[] => {
    if (name.startsWith('$')) fail(16410, "Invalid $addFields: FieldPath field names may not start with '$'.");
    const steps = name.split('.');
    if (steps.includes('')) fail(name.endsWith('.') ? 40353 : 40352, 'FieldPath field names may not be empty strings.');
    const nested = isDoc(value) && value.size > 0 && !value.keys().next().value!.startsWith('$');
    const whole = [...path, ...steps];
    return nested ? addedFields(value, whole, context) : [{ path: whole, compute: computeIn(context)(value) }];
  });
}

const addFields: StageMaker = (operand, context) => {
  const fields = addedFields(specOf(operand, '$addFields', 40272), [], context);
  return each((doc) => {
    const out: Doc = new Map(doc);
    for (const { path, compute } of fields) setComputed(out, path, compute(doc));
    return out;
  });
};

const unset: StageMaker = (operand, context) => {
  const names = Array.isArray(operand) ? operand : [operand];
  if (names.length === 0) fail(31119, '$unset specification must be a string or an array with at least one field');
  const excluded = names.map((name): [string, Value] =>
    typeof name === 'string' ? [name, 0] : fail(31002, '$unset specification must be a string or an array'),
  );
  return project(new Map(excluded), context);
};

const replaceWith: StageMaker = (operand, context) => {
  const compute = computeIn(context)(operand);
  return each((doc) => {
    const root = compute(doc);
    return isDoc(root)
      ? root
      : fail(40228, `'replacement document' must evaluate to an object, but was: ${show(root)}. Input: ${show(doc)}`);
  });
};

const redact: StageMaker = (operand, context) => {
  const judge = evaluated(operand, context);
  const inside = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(inside).filter((item) => item !== undefined);
    return isDoc(value) ? visit(value) : value;
  };
  const visit = (doc: Doc): Doc | undefined => {
    const verdict = judge(doc).value;
    if (verdict === '$$PRUNE') return undefined;
    if (verdict === '$$KEEP') return doc;
    if (verdict !== '$$DESCEND') fail(17053, '$redact must evaluate to $$DESCEND, $$PRUNE or $$KEEP');
    const kept = [...doc].map(([name, value]): [string, Value] => [name, inside(value)]);
    return new Map(kept.filter(([, value]) => value !== undefined));
  };
  return each(visit);
};

export const SHAPE: Record<string, StageMaker> = {
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: (operand, context) =>
    replaceWith(specOf(operand, '$replaceRoot', 40229, { newRoot: 40231 }).get('newRoot'), context),
  $replaceWith: replaceWith,
  $redact: redact,
};
