import { equal } from '../bson/compare.ts';
import { type Doc, isDoc, toNumber, type Value } from '../bson/value.ts';
import { type Collection, prefix } from '../catalogue/collection.ts';
import type { IndexSpec } from '../catalogue/spec.ts';
import { refuse } from '../errors.ts';
import type { KeyField } from '../keys/document.ts';
import { after, invert } from '../keys/encode.ts';
import type { Range } from '../storage/engine.ts';
import { arePoints, type Constraints, constraintsOf, findsMissing, type Interval, intersect } from './bounds.ts';
import { implied } from './implied.ts';

/**
 * A query plan: ranges of one index, or of several joined by $or; a full scan where there are none. `sorted` means that
 * documents come in the requested order.
 */
export type Plan = { uses: { index: IndexSpec; ranges: Range[] }[]; reverse: boolean; sorted: boolean };

/** What is looked for in a collection, and in which order. */
export type Request = { filter: Doc; sort?: KeyField[]; hint?: Value };

/** An index is not used for more separate ranges than this. */
const MAX_RANGES = 2000;

/** An interval of a field of an index, behind the fields before it; turned for a descending field. */
function behind(before: Buffer, { low, high, point }: Interval, direction: 1 | -1): Range {
  const at = (key: Buffer): Buffer => Buffer.concat([before, direction === 1 ? key : invert(key)]);
  const one = at(low);
  if (point) return { start: one, end: after(one) };
  return direction === 1 ? { start: one, end: at(high) } : { start: after(at(high)), end: after(one) };
}

/** The direction in which the index has the sort's order, its first `fixed` fields being equal throughout. */
function sortDirection(index: IndexSpec, fixed: number, sort: KeyField[]): 1 | -1 | undefined {
  if (index.multikey || index.shortened) return undefined;
  const equalFields = index.fields.slice(0, fixed).map((field) => field.name);
  const wanted = sort.filter((field) => !equalFields.includes(field.name));
  const rest = index.fields.slice(fixed);
  const direction = wanted.length === 0 || wanted[0]!.direction === rest[0]?.direction ? 1 : -1;
  const fits = wanted.every(
    (field, i) => field.name === rest[i]?.name && field.direction * direction === rest[i].direction,
  );
  return fits ? direction : undefined;
}

/** The use of one index for a request; undefined when it does not help. A hint forces it. */
function planWith(index: IndexSpec, constraints: Constraints, request: Request, forced = false) {
  if (index.hidden && !forced) return undefined;
  if (index.partial && !implied(index.partial.filter, request.filter)) return undefined;
  const start = prefix(index.number);
  let ranges: Range[] = [{ start, end: after(start) }];
  let bounded = 0;
  let points = 0;
  let missing = true;
  for (const { name, path, direction } of index.fields) {
    // A filter looks at a number in a path both as a position and as a name; an index has one of the two.
    const list = path.some((step) => step.index >= 0) ? undefined : constraints.get(name);
    if (!list || list.length === 0) break;
    const intervals = intersect(list, index.multikey);
    if (ranges.length * intervals.length > MAX_RANGES) break;
    ranges = ranges.flatMap((before) => intervals.map((item) => behind(before.start, item, direction)));
    bounded++;
    missing &&= findsMissing(intervals);
    if (!arePoints(intervals)) break;
    points++;
  }
  if (index.sparse && missing && !forced) return undefined;
  ranges.sort((a, b) => a.start.compare(b.start));
  const ordered = request.sort && ranges.length === 1;
  const direction = ordered ? sortDirection(index, points, request.sort!) : undefined;
  const sorted = direction !== undefined;
  if (bounded === 0 && !sorted && !forced) return undefined;
  const whole = index.unique && points === index.fields.length;
  const score = (whole ? 100 : 0) + points * 4 + (bounded - points) * 2 + (sorted ? 3 : 0) - index.fields.length / 100;
  return { uses: [{ index, ranges }], reverse: direction === -1, sorted, score };
}

function best(collection: Collection, request: Request) {
  const constraints = constraintsOf(request.filter);
  const plans = collection.indexes.map((index) => planWith(index, constraints, request));
  return plans.filter((plan) => plan !== undefined).sort((a, b) => b.score - a.score)[0];
}

/** The index a hint names; throws BadValue when there is none. */
function hinted(collection: Collection, hint: Value): IndexSpec {
  const index = collection.indexes.find((item) =>
    typeof hint === 'string' ? item.name === hint : equal(item.document.get('key'), hint),
  );
  return index ?? refuse('planner returned error: hint provided does not correspond to an existing index');
}

/** The plans for the clauses of an $or joined, if an index helps each of them. */
function union(collection: Collection, { filter }: Request): Plan | undefined {
  const clauses = (filter.get('$or') ?? []) as Doc[];
  const plans = clauses.map((clause) => {
    const merged: Doc = new Map([...filter, ...clause]);
    if (!clause.has('$or')) merged.delete('$or');
    return best(collection, { filter: merged });
  });
  if (clauses.length === 0 || !plans.every((plan) => plan !== undefined)) return undefined;
  return { uses: plans.flatMap((plan) => plan.uses), reverse: false, sorted: false };
}

const readAll = (reverse = false, sorted = false): Plan => ({ uses: [], reverse, sorted });

/** Chooses how to find what a request asks for. Throws BadValue for a hint to a missing index. */
export function choosePlan(collection: Collection, request: Request): Plan {
  const { filter, hint } = request;
  if (hint !== undefined && !(isDoc(hint) && hint.size === 0)) {
    if (isDoc(hint) && hint.has('$natural')) return readAll(toNumber(hint.get('$natural')) < 0);
    const forced = planWith(hinted(collection, hint), constraintsOf(filter), request, true);
    if (forced) return forced;
  }
  const natural = request.sort?.[0];
  if (natural?.name === '$natural') return readAll(natural.direction < 0, true);
  const single = best(collection, request);
  // An index for single values is preferred to one that only narrows or sorts.
  if (single && single.score >= 4) return single;
  return union(collection, request) ?? single ?? readAll();
}
