import { show } from '../../bson/show.ts';
import { type Doc, isDoc, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { type Compute, compileProjection, setComputed } from '../../projection/compile.ts';
import { compileCompute } from '../expression.ts';
import { any, document, optionsOf, text } from '../kind.ts';
import { operands } from '../operator.ts';
import { computeIn, each, filterContext } from '../stage.ts';
import type { StageContext, StageMaker } from '../stageMaker.ts';

const $project: StageMaker = (operand, context, name) => {
  const spec = document(15969).check(operand, name);
  if (spec.size === 0) fail(51272, 'Invalid $project: projection specification must have at least one field');
  const compute = compileCompute(context.variables);
  return each(compileProjection(spec, { ...filterContext(context), find: false, compute }));
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
    return nested ? addedFields(value, whole, context) : [{ path: whole, compute: computeIn(value, context) }];
  });
}

const $addFields: StageMaker = (operand, context, name) => {
  const fields = addedFields(document(40272).check(operand, name), [], context);
  return each((doc) => {
    const out: Doc = new Map(doc);
    for (const { path, compute } of fields) setComputed(out, path, compute(doc));
    return out;
  });
};

const $unset: StageMaker = (operand, context, name) => {
  const paths = operands(operand);
  if (paths.length === 0) fail(31119, '$unset specification must be a string or an array with at least one field');
  const excluded = paths.map((path): [string, Value] => [text(31002).check(path, name), 0]);
  return $project(new Map(excluded), context, '$project');
};

const $replaceWith: StageMaker = (operand, context) => {
  const compute = computeIn(operand, context);
  return each((doc) => {
    const root = compute(doc);
    return isDoc(root) ? root : fail(40228, `the new root must evaluate to an object, but was: ${show(root)}`);
  });
};

const $replaceRoot: StageMaker = (operand, context, name) =>
  $replaceWith(optionsOf(operand, name, [40229, 40415, 40231], { newRoot: any }).newRoot, context, name);

/** Stages that make another document of each. */
export const SHAPE = { $project, $addFields, $set: $addFields, $unset, $replaceRoot, $replaceWith };
