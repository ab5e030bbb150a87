import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { elementTest } from '../filter/array.ts';
import { docFilter, isOperatorDoc } from '../filter/compile.ts';
import type { FilterContext } from '../filter/path.ts';
import { getAt } from './locate.ts';

type ArrayCondition = { path: string; test: (value: Value) => boolean };

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
    const path = steps.slice(0, length).join('.');
    if (rest.length === 0 && isOperatorDoc(value) && value.has('$elemMatch'))
      return [{ path, test: elementTest(value.get('$elemMatch'), context) }];
    const test = docFilter(new Map([[['item', ...rest].join('.'), value]]), context);
    return [{ path, test: (item) => test(new Map([['item', item]])) }];
  });
}

/**
 * The position in the array at `path` that the query matched, as `$` stands for it: from the last condition on that
 * array, else from one on another array of the document; -1 when the query singles out no element.
 */
export function matchedPosition(filter: Doc, doc: Doc, path: string[], context: FilterContext): number {
  const conditions = arrayConditions(filter, doc, context).reverse();
  const own = (item: ArrayCondition): boolean => item.path === path.join('.');
  for (const item of [...conditions.filter(own), ...conditions.filter((other) => !own(other))]) {
    const array = getAt(doc, item.path.split('.'));
    const found = Array.isArray(array) ? array.findIndex(item.test) : -1;
    if (found >= 0) return found;
  }
  return -1;
}
