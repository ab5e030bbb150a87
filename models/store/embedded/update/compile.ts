import { type Collator, equal } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, isDoc, typeName, type Value } from '../bson/value.ts';
import { CommandError, fail, refuse } from '../errors.ts';
import { docFilter } from '../filter/compile.ts';
import { ARRAYS } from './arrays.ts';
import { FIELDS } from './fields.ts';
import { changeAt, concretePaths, type ElementTests, getAt } from './locate.ts';
import { type Change, idDoc, KEEP, REMOVE, type UpdateOperator } from './operator.ts';
import { matchedPosition } from './positional.ts';

/** A compiled update: gives the new document, changing the decoded one it gets. */
export type Update = (doc: Doc, options: { filter: Doc; inserting: boolean; now: Date }) => Doc;

/** What an update is compiled with; `pipeline` comes from the aggregation. */
export type UpdateContext = {
  arrayFilters?: Value;
  collator?: Collator;
  pipeline?: (stages: Value[]) => (doc: Doc) => Doc;
  expression?: (spec: Value) => (doc: Doc) => boolean;
};

const OPERATORS: Record<string, UpdateOperator> = { ...FIELDS, ...ARRAYS };

/** One change of one path; sources of $rename go last. */
type Step = { path: string[]; change: Change; last?: boolean };

function checkPath(path: string): string[] {
  if (path === '') fail('EmptyFieldName', 'An empty update path is not valid.');
  const steps = path.split('.');
  for (const [i, step] of steps.entries()) {
    if (step === '')
      fail('EmptyFieldName', `The update path '${path}' contains an empty field name, which is not allowed.`);
    const positional = step === '$' || /^\$\[.*\]$/.test(step);
    if (positional && i === 0)
      refuse(`Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
    if (step.startsWith('$') && !positional && !/^\$(ref|id|db)$/.test(step)) {
      fail(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${step}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return steps;
}

/** Refuses two changes of one path, or of a path and its parent (code 40). */
function checkConflicts(steps: Step[]): void {
  const taken = new Set<string>();
  const parents = new Set<string>();
  for (const { path } of steps) {
    const whole = path.join('.');
    const conflict = (at: string) =>
      new CommandError('ConflictingUpdateOperators', `Updating the path '${whole}' would create a conflict at '${at}'`);
    if (taken.has(whole) || parents.has(whole)) throw conflict(whole);
    for (let i = 1; i < path.length; i++) {
      const parent = path.slice(0, i).join('.');
      if (taken.has(parent)) throw conflict(parent);
      parents.add(parent);
    }
    taken.add(whole);
  }
}

/** Fields are processed by name, numbers by value, so that new fields come in that order. */
function byName(a: Step, b: Step): number {
  if (a.last !== b.last) return a.last ? 1 : -1;
  for (let i = 0; i < a.path.length && i < b.path.length; i++) {
    const x = a.path[i]!;
    const y = b.path[i]!;
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.path.length - b.path.length;
}

function renameSteps(from: string, to: Value): Step[] {
  if (typeof to !== 'string') refuse(`The 'to' field for $rename must be a string: ${from}: ${show(to)}`);
  const source = checkPath(from);
  const target = checkPath(to);
  if (from === to) refuse(`The source and target field for $rename must differ: ${from}: "${to}"`);
  for (const [side, steps] of [
    ['source', source],
    ['destination', target],
  ] as const) {
    if (steps.some((step) => step.startsWith('$')))
      refuse(`The ${side} field for $rename may not be dynamic: ${steps.join('.')}`);
  }
  const sourceIn = (doc: Doc): Value => {
    for (let i = 1; i < source.length; i++) {
      if (Array.isArray(getAt(doc, source.slice(0, i)))) {
        refuse(
          `The source field cannot be an array element, '${from}' in doc with ${show(idDoc(doc))} has an array field called '${source[i - 1]}'`,
        );
      }
    }
    return getAt(doc, source);
  };
  return [
    {
      path: target,
      change: (_current, { doc }) => {
        const value = sourceIn(doc);
        return value === undefined ? KEEP : value;
      },
    },
    { path: source, change: () => REMOVE, last: true },
  ];
}

function parseArrayFilters(given: Value, context: UpdateContext): ElementTests {
  const tests: ElementTests = new Map();
  if (given === undefined) return tests;
  if (!Array.isArray(given)) fail('TypeMismatch', 'arrayFilters must be an array');
  for (const item of given) {
    if (!isDoc(item)) fail('TypeMismatch', 'Each array filter must be an object');
    const names = new Set<string>();
    const collect = (filter: Doc): void => {
      for (const [key, value] of filter) {
        if (key.startsWith('$') && Array.isArray(value)) for (const part of value) isDoc(part) && collect(part);
        else if (!key.startsWith('$')) names.add(key.split('.')[0]!);
      }
    };
    collect(item);
    if (names.size === 0)
      fail('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
    if (names.size > 1) {
      fail(
        'FailedToParse',
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
      );
    }
    const name = [...names][0]!;
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
      refuse(
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    if (tests.has(name))
      fail('FailedToParse', `Found multiple array filters with the same top-level field name ${name}`);
    const test = docFilter(item, { collator: context.collator });
    tests.set(name, (value) => test(new Map([[name, value]])));
  }
  return tests;
}

function parseOperators(update: Doc, context: UpdateContext): Step[] {
  const steps: Step[] = [];
  for (const [name, fields] of update) {
    const operator = OPERATORS[name];
    if (!operator && name !== '$rename') {
      fail(
        'FailedToParse',
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (!isDoc(fields)) {
      fail(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${typeName(fields)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${show(fields)}}`,
      );
    }
    for (const [path, operand] of fields) {
      if (name === '$rename') steps.push(...renameSteps(path, operand));
      else steps.push({ path: checkPath(path), change: operator!(operand, path, context.collator) });
    }
  }
  checkConflicts(steps);
  return steps.sort(byName);
}

/** The replacement, with the `_id` of what it replaces; a different one is refused (code 66). */
function replacement(update: Doc): Update {
  for (const key of update.keys()) {
    if (key.startsWith('$'))
      fail(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${key}' in '${key}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
  }
  return (doc) => {
    const id = doc.get('_id');
    const given = update.get('_id');
    if (id !== undefined && given !== undefined && !equal(id, given)) {
      fail(
        'ImmutableField',
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${show(given)}`,
      );
    }
    const out: Doc = new Map();
    if (id !== undefined || given !== undefined) out.set('_id', id ?? given);
    for (const [key, value] of update) if (key !== '_id') out.set(key, value);
    return out;
  };
}

export const isReplacement = (update: Value): boolean =>
  isDoc(update) && !(update.keys().next().value ?? '').startsWith('$');

/** Compiles an update: operators, a replacement document, or a pipeline. */
export function compileUpdate(update: Value, context: UpdateContext): Update {
  if (Array.isArray(update)) {
    if (context.arrayFilters !== undefined)
      fail('FailedToParse', 'arrayFilters may not be specified for pipeline-syle updates');
    const run = context.pipeline!(update);
    return (doc) => {
      const id = doc.get('_id');
      const out = run(doc);
      if (id !== undefined && !equal(out.get('_id'), id)) throw immutable('_id');
      return out;
    };
  }
  if (!isDoc(update)) fail('FailedToParse', 'Update argument must be either an object or an array');
  if (isReplacement(update)) return replacement(update);
  const steps = parseOperators(update, context);
  const tests = parseArrayFilters(context.arrayFilters, context);
  for (const name of tests.keys()) {
    if (!steps.some((step) => step.path.includes(`$[${name}]`)))
      fail('FailedToParse', `The array filter for identifier '${name}' was not used in the update ${show(update)}`);
  }
  return (doc, { filter, inserting, now }) => applySteps(steps, tests, doc, filter, inserting, now, context);
}

function applySteps(
  steps: Step[],
  tests: ElementTests,
  doc: Doc,
  filter: Doc,
  inserting: boolean,
  now: Date,
  context: UpdateContext,
): Doc {
  const id = doc.get('_id');
  const matched = (path: string[]): number => {
    const position = matchedPosition(filter, doc, path, { collator: context.collator, expression: context.expression });
    if (position < 0) refuse('The positional operator did not find the match needed from the query.');
    return position;
  };
  // Every `$` is resolved before the first change, which may make what the query matched another.
  const resolved = steps.flatMap(({ path, change }) => {
    const dynamic = path.some((step) => step.startsWith('$'));
    return (dynamic ? concretePaths(doc, path, tests, matched) : [path]).map((concrete) => ({
      path: concrete,
      change,
    }));
  });
  if (resolved.length !== steps.length) checkConflicts(resolved);
  for (const { path, change } of resolved) {
    const at = path.join('.');
    changeAt(doc, path, (current) => change(current, { doc, path: at, inserting, now, collator: context.collator }));
  }
  if (id !== undefined && !equal(doc.get('_id'), id)) throw immutable('_id');
  if (id !== undefined && isDoc(id) && steps.some((step) => step.path[0] === '_id' && step.path.length > 1))
    throw immutable('_id');
  return doc;
}

function immutable(path: string): CommandError {
  return new CommandError(
    'ImmutableField',
    `Performing an update on the path '${path}' would modify the immutable field '${path}'`,
  );
}
