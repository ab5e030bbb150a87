import { equal } from '../bson/compare.ts';
import { type Doc, isDoc, toNumber, type Value } from '../bson/value.ts';
import { type Collection, prefix } from '../catalogue/collection.ts';
import type { IndexSpec } from '../catalogue/spec.ts';
import { refuse } from '../errors.ts';
import type { KeyField } from '../keys/document.ts';
import { after, invert } from '../keys/encode.ts';
import type { Range } from '../storage/engine.ts';
import { type Constraints, constraintsOf, type Interval, intersect } from './bounds.ts';
import { implied } from './implied.ts';

export type IndexPlan = { kind: 'index'; index: IndexSpec; ranges: Range[]; reverse: boolean; sorted: boolean };

/** How documents are found: by ranges of one index, by several of them joined, or by reading all. */
export type Plan =
  | IndexPlan
  | { kind: 'union'; plans: IndexPlan[]; sorted: false }
  | { kind: 'all'; reverse: boolean; sorted: boolean };

export type PlanRequest = { filter: Doc; sort?: KeyField[]; hint?: Value; collated?: boolean };

/** An index is not used for more separate ranges than this. */
const MAX_RANGES = 2000;

type Scored = IndexPlan & { score: number };

/** An interval of a field of an index, behind the fields before it; turned for a descending field. */
function behind(before: Buffer, interval: Interval, direction: 1 | -1): Range {
  if (direction === 1)
    return { start: Buffer.concat([before, interval.low]), end: Buffer.concat([before, interval.high]) };
  return {
    start: after(Buffer.concat([before, invert(interval.high)])),
    end: after(Buffer.concat([before, invert(interval.low)])),
  };
}

/** The direction in which the index has the sort's order, its first `fixed` fields being equal throughout. */
function sortDirection(index: IndexSpec, fixed: number, sort: KeyField[]): 1 | -1 | undefined {
  if (index.multikey || index.shortened || index.fold) return undefined;
  const equalFields = new Set(index.fields.slice(0, fixed).map((field) => field.name));
  const wanted = sort.filter((field) => !equalFields.has(field.name));
  const rest = index.fields.slice(fixed);
  if (wanted.length === 0) return 1;
  if (wanted.length > rest.length) return undefined;
  const direction = wanted[0]!.direction === rest[0]!.direction ? 1 : -1;
  const fits = wanted.every(
    (field, i) => field.name === rest[i]!.name && field.direction * direction === rest[i]!.direction,
  );
  return fits ? direction : undefined;
}

/** The use of one index for a request; undefined when it does not help. A hint forces it. */
function planWith(
  index: IndexSpec,
  constraints: Constraints,
  request: PlanRequest,
  forced: boolean,
): Scored | undefined {
  if (!forced && index.hidden) return undefined;
  if (index.partial && !implied(index.partial.filter, request.filter)) return undefined;
  let prefixes = [prefix(index.number)];
  let ranges: Range[] | undefined;
  let points = 0;
  let fixed = 0;
  let findsMissing = true;
  for (const field of index.fields) {
    const all = constraints.get(field.name);
    const list = index.fold || request.collated ? all?.filter((item) => !item.text) : all;
    if (!list || list.length === 0) break;
    const { intervals, findsMissing: missing } = intersect(list, index.multikey);
    if (prefixes.length * intervals.length > MAX_RANGES) break;
    findsMissing &&= missing;
    if (!intervals.every((item) => item.point)) {
      ranges = prefixes.flatMap((before) => intervals.map((item) => behind(before, item, field.direction)));
      break;
    }
    prefixes = prefixes.flatMap((before) =>
      intervals.map((item) => Buffer.concat([before, field.direction === 1 ? item.low : invert(item.low)])),
    );
    points++;
    if (intervals.length === 1 && fixed === points - 1) fixed = points;
  }
  if (index.sparse && findsMissing && !forced) return undefined;
  const used = ranges ?? prefixes.map((start) => ({ start, end: after(start) }));
  used.sort((a, b) => a.start.compare(b.start));
  const direction =
    request.sort && !request.collated && used.length === 1 ? sortDirection(index, fixed, request.sort) : undefined;
  if (points === 0 && !ranges && direction === undefined && !forced) return undefined;
  const whole = index.unique && points === index.fields.length;
  const score =
    (whole ? 100 : 0) + points * 4 + (ranges ? 2 : 0) + (direction === undefined ? 0 : 3) - index.fields.length / 100;
  return { kind: 'index', index, ranges: used, reverse: direction === -1, sorted: direction !== undefined, score };
}

function best(collection: Collection, constraints: Constraints, request: PlanRequest): Scored | undefined {
  const uses = collection.indexes.map((index) => planWith(index, constraints, request, false));
  return uses.filter((use) => use !== undefined).sort((a, b) => b.score - a.score)[0];
}

/** The index a hint names; throws BadValue when there is none. */
function hinted(collection: Collection, hint: Value): IndexSpec {
  const index = collection.indexes.find((item) =>
    typeof hint === 'string' ? item.name === hint : equal(item.document.get('key'), hint),
  );
  return index ?? refuse('planner returned error: hint provided does not correspond to an existing index');
}

/** Plans for the clauses of an $or, if an index helps each of them. */
function union(collection: Collection, request: PlanRequest): IndexPlan[] | undefined {
  const clauses = request.filter.get('$or');
  if (!Array.isArray(clauses)) return undefined;
  const rest = [...request.filter].filter(([key]) => key !== '$or');
  const plans = clauses.filter(isDoc).map((clause) => {
    const filter: Doc = new Map([...rest.filter(([key]) => !clause.has(key)), ...clause]);
    return best(collection, constraintsOf(filter), { filter, collated: request.collated });
  });
  return plans.every((plan) => plan !== undefined) ? plans : undefined;
}

/** Chooses how to find what a request asks for. Throws BadValue for a hint to a missing index. */
export function choosePlan(collection: Collection, request: PlanRequest): Plan {
  const { hint } = request;
  if (hint !== undefined && !(isDoc(hint) && hint.size === 0)) {
    if (isDoc(hint) && hint.has('$natural'))
      return { kind: 'all', reverse: toNumber(hint.get('$natural')) < 0, sorted: false };
    const use = planWith(hinted(collection, hint), constraintsOf(request.filter), request, true);
    if (use) return use;
  }
  const natural = request.sort?.[0];
  if (natural?.name === '$natural') return { kind: 'all', reverse: natural.direction < 0, sorted: true };
  const single = best(collection, constraintsOf(request.filter), request);
  if (single && (single.score >= 4 || !request.filter.has('$or'))) return single;
  const plans = union(collection, request);
  if (plans) return { kind: 'union', plans, sorted: false };
  return single ?? { kind: 'all', reverse: false, sorted: false };
}
