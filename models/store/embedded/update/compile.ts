import { type Collator, equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, isDoc, isOperatorName, typeName, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { nested } from '../filter/path.ts';
import { ARRAYS } from './arrays.ts';
import { FIELDS } from './fields.ts';
import { changeAt, getAt } from './locate.ts';
import type { Change, UpdateOperator } from './operator.ts';
import { concretePaths, isPositional, matchedPosition, parseArrayFilters } from './positional.ts';

/** A compiled update: gives the new document, changing the decoded one it gets. */
type Update = (doc: Doc, options: { filter: Doc; inserting: boolean; now: Date }) => Doc;

/** The context in which an update is compiled; `pipeline` comes from the aggregation. */
type UpdateContext = {
  arrayFilters?: Value;
  collator?: Collator;
  pipeline?: (stages: Value[]) => (doc: Doc) => Doc;
  expression?: (spec: Value) => (doc: Doc) => boolean;
};

const OPERATORS: Record<string, UpdateOperator> = { ...FIELDS, ...ARRAYS };

/** One change of one path; sources of $rename go last. */
type Step = { path: string[]; change: Change; last?: boolean };

const dollarPrefixed = (field: string, path: string): never =>
  fail('DollarPrefixedFieldName', `The dollar ($) prefixed field '${field}' in '${path}' is not valid for storage.`);

const immutable = (): never =>
  fail('ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");

function checkPath(path: string): string[] {
  const steps = path.split('.');
  if (steps.includes('')) fail('EmptyFieldName', `The update path '${path}' contains an empty field name.`);
  if (isPositional(steps[0]!)) refuse(`Cannot have positional (i.e. '$') element in the first position in '${path}'`);
  const bad = steps.slice(1).find((step) => isOperatorName(step) && !isPositional(step));
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
  if (a.last !== b.last) return a.last ? 1 : -1;
  const at = a.path.findIndex((step, i) => step !== b.path[i]);
  const [x, y] = [a.path[at], b.path[at]];
  if (x === undefined || y === undefined) return a.path.length - b.path.length;
  return /^\d+$/.test(x) && /^\d+$/.test(y) ? Number(x) - Number(y) : x < y ? -1 : 1;
}

function renameSteps(from: string, to: Value): Step[] {
  if (typeof to !== 'string') refuse(`The 'to' field for $rename must be a string: ${from}: ${show(to)}`);
  if (from === to) refuse(`The source and target field for $rename must differ: ${from}: "${to}"`);
  const [source, target] = [checkPath(from), checkPath(to)];
  if ([...source, ...target].some(isPositional))
    refuse(`The source and destination of $rename may not be dynamic: ${from}: ${to}`);
  const move: Change = (current, { doc }) => {
    const inArray = source.slice(1).some((_, i) => Array.isArray(getAt(doc, source.slice(0, i + 1))));
    if (inArray) refuse(`The source field cannot be an array element, '${from}'`);
    const value = getAt(doc, source);
    return value === undefined ? current : value;
  };
  return [
    { path: target, change: move },
    { path: source, change: () => undefined, last: true },
  ];
}

function parseOperators(update: Doc, collator: Collator): Step[] {
  const steps = [...update].flatMap(([name, fields]) => {
    const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
    if (!operator && name !== '$rename')
      fail('FailedToParse', `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update`);
    if (!isDoc(fields))
      fail('FailedToParse', `Modifiers operate on fields but we found type ${typeName(fields)} instead`);
    return [...fields].flatMap(([path, operand]): Step[] =>
      operator
        ? [{ path: checkPath(path), change: operator(operand, path, collator, name) }]
        : renameSteps(path, operand),
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

/** An updated document, if it kept the `_id` that it had. */
function sameId(id: Value, doc: Doc): Doc {
  return id === undefined || equal(doc.get('_id'), id) ? doc : immutable();
}

/** Compiles an update: operators, a replacement document, or a pipeline. */
export function compileUpdate(update: Value, context: UpdateContext): Update {
  const { arrayFilters, collator } = context;
  if (Array.isArray(update)) {
    if (arrayFilters !== undefined)
      fail('FailedToParse', 'arrayFilters may not be specified for pipeline-style updates');
    const run = context.pipeline!(update);
    return (doc) => sameId(doc.get('_id'), run(doc));
  }
  if (!isDoc(update)) fail('FailedToParse', 'Update argument must be either an object or an array');
  if (isReplacement(update)) return replacement(update);
  const steps = parseOperators(update, collator);
  const tests = parseArrayFilters(arrayFilters, { collator });
  const unused = [...tests.keys()].find(
    (name) => name !== '' && !steps.some((step) => step.path.includes(`$[${name}]`)),
  );
  if (unused)
    fail('FailedToParse', `The array filter for identifier '${unused}' was not used in the update ${show(update)}`);
  const reserved = steps.find((step) => isOperatorName(step.path[0]))?.path.join('.');
  const withinId = steps.some((step) => step.path[0] === '_id' && step.path.length > 1);
  return (doc, { filter, inserting, now }) => {
    const id = doc.get('_id');
    if (isDoc(id) && withinId) immutable();
    // As with an insert, such a name may come in with a new document, and with no other.
    if (reserved && !inserting) dollarPrefixed(reserved, reserved);
    const matched = (path: string[]) => matchedPosition(filter, doc, path, context);
    // Every `$` is resolved before the first change, which may make what the query matched another.
    const concrete = steps.flatMap((step) =>
      concretePaths(doc, step.path, tests, matched).map((path) => ({ ...step, path })),
    );
    if (concrete.length !== steps.length) checkConflicts(concrete);
    for (const { path, change } of concrete)
      changeAt(doc, path, (current) => change(current, { doc, path, inserting, now }));
    return sameId(id, doc);
  };
}
