import { show } from '../../bson/show.ts';
import { type Doc, isDoc, typeName, type Value } from '../../bson/value.ts';
import { fail } from '../../errors.ts';
import { type Compute, compileProjection, setComputed } from '../../projection/compile.ts';
import { compileExpression } from '../expression.ts';
import { type Expression, environment } from '../scope.ts';
import { computeIn, filterContext, type Stage, type StageContext, type StageMaker } from '../stage.ts';

const each = (change: (doc: Doc) => Doc): Stage =>
  function* (input) {
    for (const doc of input) yield change(doc);
  };

const project: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail(15969, '$project specification must be an object');
  if (operand.size === 0)
    fail(51272, 'Invalid $project :: caused by :: projection specification must have at least one field');
  return each(compileProjection(operand, { ...filterContext(context), find: false, compute: computeIn(context) }));
};

type Added = { path: string[]; compute: Compute };

/** The fields of $addFields: a document without operators is a way to say dotted paths. */
function addedFields(spec: Doc, path: string[], context: StageContext, out: Added[] = []): Added[] {
  for (const [name, value] of spec) {
    if (name.startsWith('$'))
      fail(
        16410,
        `Invalid $addFields :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
      );
    const steps = name.split('.');
    if (steps.includes('')) fail(name.endsWith('.') ? 40353 : 40352, 'FieldPath field names may not be empty strings.');
    const whole = [...path, ...steps];
    if (isDoc(value) && value.size > 0 && !(value.keys().next().value ?? '').startsWith('$'))
      addedFields(value, whole, context, out);
    else out.push({ path: whole, compute: computeIn(context)(value) });
  }
  return out;
}

const addFields: StageMaker = (operand, context) => {
  if (!isDoc(operand)) fail(40272, `$addFields specification stage must be an object, got ${typeName(operand)}`);
  const fields = addedFields(operand, [], context);
  return each((doc) => {
    const out: Doc = new Map(doc);
    for (const { path, compute } of fields) setComputed(out, path, compute(doc));
    return out;
  });
};

const unset: StageMaker = (operand, context) => {
  const names = Array.isArray(operand) ? operand : [operand];
  if (names.length === 0) fail(31119, '$unset specification must be a string or an array with at least one field');
  if (!names.every((name) => typeof name === 'string'))
    fail(31002, '$unset specification must be a string or an array');
  return project(new Map(names.map((name) => [name as string, 0])), context);
};

function rootOf(spec: Value, context: StageContext): Stage {
  const compute = computeIn(context)(spec);
  return each((doc) => {
    const root = compute(doc);
    if (!isDoc(root))
      fail(
        40228,
        `'replacement document' must evaluate to an object, but resulting value was: ${root === undefined ? 'MISSING' : show(root)}. Type of resulting value: '${typeName(root)}'. Input document: ${show(doc)}`,
      );
    return root;
  });
}

const redact: StageMaker = (operand, context) => {
  const expression: Expression = compileExpression(operand);
  const visit = (doc: Doc, now: Date): Doc | undefined => {
    const verdict = expression(environment(doc, context.variables, now));
    if (verdict === '$$PRUNE') return undefined;
    if (verdict === '$$KEEP') return doc;
    if (verdict !== '$$DESCEND')
      fail(17053, '$redact must not evaluate to something other than $$DESCEND, $$PRUNE or $$KEEP');
    const inside = (value: Value): Value =>
      isDoc(value)
        ? visit(value, now)
        : Array.isArray(value)
          ? value.map(inside).filter((item) => item !== undefined)
          : value;
    const out: Doc = new Map();
    for (const [name, value] of doc) {
      const kept = inside(value);
      if (kept !== undefined) out.set(name, kept);
    }
    return out;
  };
  return function* (input) {
    const now = new Date();
    for (const doc of input) {
      const kept = visit(doc, now);
      if (kept) yield kept;
    }
  };
};

export const SHAPE: Record<string, StageMaker> = {
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $replaceRoot: (operand, context) => {
    if (!isDoc(operand) || !operand.has('newRoot'))
      fail(40231, 'expected an object with newRoot as specification for $replaceRoot stage');
    return rootOf(operand.get('newRoot'), context);
  },
  $replaceWith: rootOf,
  $redact: redact,
};
