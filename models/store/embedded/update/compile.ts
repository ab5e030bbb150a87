import { equal } from '../bson/compare.ts';
import { type Doc, isDoc, isOperatorName, typeName, type Value } from '../bson/value.ts';
import { fail, unsupported } from '../errors.ts';
import { nested } from '../filter/path.ts';
import { ARRAYS } from './arrays.ts';
import { FIELDS } from './fields.ts';
import { changeAt } from './locate.ts';
import type { Change, UpdateOperator } from './operator.ts';

/** A compiled update: gives the new document, changing the decoded one it gets. */
type Update = (doc: Doc, options: { inserting: boolean; now: Date }) => Doc;

const OPERATORS: Record<string, UpdateOperator> = { ...FIELDS, ...ARRAYS };
const UNSUPPORTED = ['$mul', '$rename', '$bit'];

/** One change of one path. */
type Step = { path: string[]; change: Change };

const dollarPrefixed = (field: string, path: string): never =>
  fail('DollarPrefixedFieldName', `The dollar ($) prefixed field '${field}' in '${path}' is not valid for storage.`);

const immutable = (): never =>
  fail('ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");

/** Whether a step of a path stands for elements of an array: `$`, `$[]` or `$[name]`. */
const isPositional = (step: string): boolean => step === '$' || /^\$\[.*\]$/.test(step);

function checkPath(path: string): string[] {
  const steps = path.split('.');
  if (steps.includes('')) fail('EmptyFieldName', `The update path '${path}' contains an empty field name.`);
  if (steps.some(isPositional)) unsupported(`the positional path '${path}'`);
  const bad = steps.find((step) => isOperatorName(step));
  return bad ? dollarPrefixed(bad, path) : steps;
}

/** Refuses two changes of one path, or of a path and its parent (code 40). */
function checkConflicts(steps: Step[]): void {
  const path = nested(steps.map((step) => step.path));
  if (path !== undefined)
    fail('ConflictingUpdateOperators', `Updating the path '${path}' would create a conflict at '${path}'`);
}

/** Fields are processed by name, numbers by value, so that new fields come in that order. */
function byName(a: Step, b: Step): number {
  const at = a.path.findIndex((step, i) => step !== b.path[i]);
  const [x, y] = [a.path[at], b.path[at]];
  if (x === undefined || y === undefined) return a.path.length - b.path.length;
  return /^\d+$/.test(x) && /^\d+$/.test(y) ? Number(x) - Number(y) : x < y ? -1 : 1;
}

function parseOperators(update: Doc): Step[] {
  const steps = [...update].flatMap(([name, fields]) => {
    if (UNSUPPORTED.includes(name)) unsupported(name);
    const operator = Object.hasOwn(OPERATORS, name)
      ? OPERATORS[name]!
      : fail('FailedToParse', `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update`);
    if (!isDoc(fields))
      fail('FailedToParse', `Modifiers operate on fields but we found type ${typeName(fields)} instead`);
    return [...fields].map(
      ([path, operand]): Step => ({ path: checkPath(path), change: operator(operand, path, name) }),
    );
  });
  checkConflicts(steps);
  return steps.sort(byName);
}

/** The replacement, with the `_id` of what it replaces; a different one is refused (code 66). */
function replacement(update: Doc): Update {
  for (const key of update.keys()) if (key.startsWith('$')) dollarPrefixed(key, key);
  return (doc) => {
    const id = doc.get('_id') ?? update.get('_id');
    if (update.has('_id') && !equal(id, update.get('_id'))) immutable();
    return new Map([['_id', id], ...[...update].filter(([key]) => key !== '_id')]);
  };
}

export const isReplacement = (update: Value): boolean =>
  isDoc(update) && !(update.keys().next().value ?? '').startsWith('$');

/** Compiles an update: operators, or a replacement document. */
export function compileUpdate(update: Value): Update {
  if (Array.isArray(update)) unsupported('an update that is a pipeline');
  if (!isDoc(update)) fail('FailedToParse', 'Update argument must be either an object or an array');
  if (isReplacement(update)) return replacement(update);
  const steps = parseOperators(update);
  const withinId = steps.some((step) => step.path[0] === '_id' && step.path.length > 1);
  return (doc, { inserting, now }) => {
    const id = doc.get('_id');
    if (isDoc(id) && withinId) immutable();
    for (const { path, change } of steps) changeAt(doc, path, (current) => change(current, { path, inserting, now }));
    return id === undefined || equal(doc.get('_id'), id) ? doc : immutable();
  };
}
