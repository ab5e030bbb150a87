import { type Doc, isDoc, type Value } from '../bson/value.ts';
import { elementTest } from '../filter/array.ts';
import { docFilter, isOperatorDoc } from '../filter/compile.ts';
import type { FilterContext } from '../filter/condition.ts';
import { getAt } from './locate.ts';

type ArrayCondition = { path: string; test: (value: Value) => boolean };

/** Conditions of a query that single out elements of arrays in a document. */
function arrayConditions(filter: Doc, doc: Doc, context: FilterContext, out: ArrayCondition[]): void {
  for (const [key, value] of filter) {
    if ((key === '$and' || key === '$or') && Array.isArray(value)) {
      for (const clause of value) {
        if (isDoc(clause) && (key === '$and' || docFilter(clause, context)(doc)))
          arrayConditions(clause, doc, context, out);
      }
    }
    if (key.startsWith('$')) continue;
    const steps = key.split('.');
    for (let i = 1; i <= steps.length; i++) {
      if (!Array.isArray(getAt(doc, steps.slice(0, i)))) continue;
      const path = steps.slice(0, i).join('.');
      const rest = steps.slice(i);
      if (rest[0] !== undefined && /^\d+$/.test(rest[0])) break;
      const elemMatch = isOperatorDoc(value) ? value.get('$elemMatch') : undefined;
      if (rest.length === 0 && elemMatch !== undefined) out.push({ path, test: elementTest(elemMatch, context) });
      else {
        const test = docFilter(new Map([[rest.length === 0 ? 'item' : `item.${rest.join('.')}`, value]]), context);
        out.push({ path, test: (item) => test(new Map([['item', item]])) });
      }
      break;
    }
  }
}

/**
 * The position in the array at `path` that the query matched, as `$` stands for it: from a condition on that array, or
 * from one on another array of the document; -1 when the query singles out no element.
 */
export function matchedPosition(filter: Doc, doc: Doc, path: string[], context: FilterContext): number {
  const conditions: ArrayCondition[] = [];
  arrayConditions(filter, doc, context, conditions);
  const own = conditions.filter((item) => item.path === path.join('.'));
  const position = (condition: ArrayCondition): number => {
    const array = getAt(doc, condition.path.split('.'));
    return Array.isArray(array) ? array.findIndex(condition.test) : -1;
  };
  for (const condition of [...own, ...conditions]
    .reverse()
    .sort((a, b) => Number(own.includes(b)) - Number(own.includes(a)))) {
    const found = position(condition);
    if (found >= 0) return found;
  }
  return -1;
}
