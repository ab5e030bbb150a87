import { show } from '../bson/show.ts';
import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import { docFilter, elementTest, isOperatorDoc } from '../filter/compile.ts';
import type { FilterContext, Test } from '../filter/path.ts';
import { getAt } from './locate.ts';

/** Whether a step of a path stands for elements of an array: `$`, `$[]` or `$[name]`. */
export const isPositional = (step: string): boolean => step === '$' || /^\$\[.*\]$/.test(step);

/** Which elements `$[name]` stands for, by its name; `$[]`, whose name is empty, lets all through. */
type ElementTests = Map<string, Test>;

/** The names of the top-level fields in a filter, those of its clauses included. */
const fieldNames = (filter: Doc): string[] =>
  [...filter].flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0]!];
    return Array.isArray(value) ? value.filter(isDoc).flatMap(fieldNames) : [];
  });

/** The tests that arrayFilters make; throws MongoDB's errors. */
export function parseArrayFilters(given: Value, context: FilterContext): ElementTests {
  const tests: ElementTests = new Map([['', () => true]]);
  if (given !== undefined && !Array.isArray(given)) fail('TypeMismatch', 'arrayFilters must be an array');
  for (const item of given ?? []) {
    if (!isDoc(item)) fail('TypeMismatch', 'Each array filter must be an object');
    const [name, ...others] = new Set(fieldNames(item));
    if (name === undefined || others.length > 0)
      fail('FailedToParse', `Expected a single top-level field name in an array filter, found ${show(item)}`);
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
      refuse(`The name of an array filter must be alphanumeric and begin with a lowercase letter, found '${name}'`);
    if (tests.has(name)) fail('FailedToParse', `Found multiple array filters with the top-level field name ${name}`);
    const test = docFilter(item, context);
    tests.set(name, (value) => test(new Map([[name, value]])));
  }
  return tests;
}

/** What finds the position in the array at a path that a query matched; -1 when it singles out no element. */
type Matched = (arrayPath: string[]) => number;

/** The concrete paths that a path with positional steps stands for in a document. */
export function concretePaths(doc: Doc, path: string[], tests: ElementTests, matched: Matched): string[][] {
  const at = path.findIndex(isPositional);
  if (at < 0) return [path];
  const before = path.slice(0, at);
  return positions(doc, before, path[at]!, tests, matched).flatMap((position) =>
    concretePaths(doc, [...before, String(position), ...path.slice(at + 1)], tests, matched),
  );
}

/** The positions in the array at `before` that a positional step stands for. */
function positions(doc: Doc, before: string[], step: string, tests: ElementTests, matched: Matched): number[] {
  if (step === '$') {
    const position = matched(before);
    return position < 0 ? refuse('The positional operator did not find the match needed from the query.') : [position];
  }
  const [array, where] = [getAt(doc, before), before.join('.')];
  if (array === undefined) refuse(`The path '${where}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(array)) refuse(`Cannot apply array updates to non-array element ${where}: ${show(array)}`);
  const test = tests.get(step.slice(2, -1)) ?? refuse(`No array filter found for ${step} after '${where}'`);
  return [...array.keys()].filter((i) => test(array[i]));
}

type ArrayCondition = { path: string; array: Value[]; test: Test };

/** The conditions of a query that single out elements of arrays in a document. */
function arrayConditions(filter: Doc, doc: Doc, context: FilterContext): ArrayCondition[] {
  return [...filter].flatMap(([key, value]): ArrayCondition[] => {
    if ((key === '$and' || key === '$or') && Array.isArray(value)) {
      const holds = (clause: Doc) => key === '$and' || docFilter(clause, context)(doc);
      return value.filter(isDoc).flatMap((clause) => (holds(clause) ? arrayConditions(clause, doc, context) : []));
    }
    const steps = key.split('.');
    const length = steps.findIndex((_, i) => Array.isArray(getAt(doc, steps.slice(0, i + 1)))) + 1;
    const rest = steps.slice(length);
    if (key.startsWith('$') || length === 0 || /^\d+$/.test(rest[0] ?? '')) return [];
    const there = steps.slice(0, length);
    const found = { path: there.join('.'), array: getAt(doc, there) as Value[] };
    if (rest.length === 0 && isOperatorDoc(value) && value.has('$elemMatch'))
      return [{ ...found, test: elementTest(value.get('$elemMatch'), context) }];
    const test = docFilter(new Map([[['item', ...rest].join('.'), value]]), context);
    return [{ ...found, test: (item) => test(new Map([['item', item]])) }];
  });
}

/**
 * The position in the array at `path` that the query matched, as `$` stands for it: from the last condition on that
 * array, else from one on another array of the document; -1 when the query singles out no element.
 */
export function matchedPosition(filter: Doc, doc: Doc, path: string[], context: FilterContext): number {
  const isOther = (item: ArrayCondition): number => (item.path === path.join('.') ? 0 : 1);
  const conditions = arrayConditions(filter, doc, context).reverse();
  const found = conditions.sort((a, b) => isOther(a) - isOther(b)).map(({ array, test }) => array.findIndex(test));
  return found.find((position) => position >= 0) ?? -1;
}
