import type { Condition, Query } from '../../../../models/contracts/askedQuery.ts';
import type { Entity } from '../entity.ts';
import { evaluate, fieldOf, fieldsIn, keyOf } from '../evaluate.ts';
import { MAX_LISTED } from '../listLines.ts';
import type { How } from './followUp.ts';

/** The query that a message goes on to; two where both can be meant; or why there is none, as a sentence. */
type GoneOn = { query: Query } | { either: [Query, Query] } | { cannot: string };

const MAX_PARTS = 12;
const TOO_MANY = 'These are more conditions than one question can have. Ask in full, with fewer.';

const partsOf = (where: Condition | null): Condition[] => (!where ? [] : 'all' in where ? where.all : [where]);

/** Conditions that must all hold; null where there is none. */
function allOf(parts: readonly Condition[]): Condition | null {
  const own = parts.filter((part, at) => parts.findIndex((one) => isSame(one, part)) === at);
  const [only] = own;
  return own.length < 2 ? (only ?? null) : { all: own };
}
const isSame = (one: Condition, other: Condition) => JSON.stringify(one) === JSON.stringify(other);

const bothOf = (one: Condition | null, other: Condition | null) => allOf([...partsOf(one), ...partsOf(other)]);

/** The values of a condition on a choice; null for any other condition. */
const valuesIn = (condition: Condition) => ('is' in condition ? condition : null);

/** What a row must have of a field that it has only once; null for any other condition. */
function sidesOf(condition: Condition): { field: string; sides: string[] } | null {
  if ('is' in condition) return { field: condition.field, sides: condition.is.map(keyOf) };
  if ('flag' in condition) return { field: condition.field, sides: [String(condition.flag)] };
  return null;
}

/** Whether two conditions ask one field for different values, so that no row has both. */
function areApart(one: Condition | null, other: Condition | null): boolean {
  return partsOf(one).some((part) => {
    const own = sidesOf(part);
    return partsOf(other).some((beside) => {
      const asked = sidesOf(beside);
      return own && asked && own.field === asked.field && !asked.sides.some((side) => own.sides.includes(side));
    });
  });
}

/** Whether an order shows all rows rather than the best. */
const isWholeOrder = ({ sort, limit }: Query, total: number) => sort !== undefined && (limit ?? 1) >= total;

/**
 * A query of which the conditions alone pick its rows: "the five with the highest risk" becomes the lowest risk among
 * them, which ties share.
 * @returns null where its rows are the first ones in no order
 */
function withoutLimit<Row>(entity: Entity<Row>, query: Query): Query | null {
  const { sort, limit, group: _group, ...rest } = query;
  if (!sort) {
    const isCut = limit !== undefined && limit < evaluate(entity, rest).rows.length;
    return isCut ? null : rest;
  }
  if (isWholeOrder(query, entity.rows.length)) return { ...rest, sort, limit: entity.rows.length };
  const last = evaluate(entity, { ...rest, sort, ...(limit === undefined ? {} : { limit }) }).rows.at(-1);
  const value = last === undefined ? null : fieldOf(entity, sort.field).read(last);
  if (value === null || typeof value === 'boolean') return rest;
  const least: Condition = { field: sort.field, operator: sort.highestFirst ? '>=' : '<=', value };
  return { ...rest, where: bothOf(rest.where, least) };
}

const CUT = 'The last answer showed the first rows in no order, so I can’t tell which of them you mean. Ask in full.';

function narrow<Row>(entity: Entity<Row>, base: Query, asked: Query): GoneOn {
  // "The first three" of rows in an order.
  if (!asked.where && asked.limit !== undefined && !asked.sort && base.sort)
    return { query: { ...base, limit: asked.limit, onlyCount: false } };
  const fixed = withoutLimit(entity, base);
  if (!fixed) return { cannot: CUT };
  const { sort, limit } = asked.sort || asked.group ? asked : { ...fixed, limit: asked.limit ?? fixed.limit };
  const where = bothOf(fixed.where, asked.where);
  if (partsOf(where).length > MAX_PARTS) return { cannot: TOO_MANY };
  return {
    query: {
      ...{ entity: base.entity, where, onlyCount: asked.onlyCount },
      ...(sort && !asked.group ? { sort } : {}),
      ...(limit === undefined || asked.group ? {} : { limit }),
      ...(asked.group === undefined ? {} : { group: asked.group }),
    },
  };
}

/** The earlier query with other values in the place of its own; null where it has none on these fields. */
function replace(base: Query, asked: Query): Query | null {
  const fields = fieldsIn(asked.where);
  const others = partsOf(base.where).filter(
    (part) => fieldsIn(part).length === 0 || !fieldsIn(part).every((field) => fields.includes(field)),
  );
  const isReplaced = base.where === null || others.length < partsOf(base.where).length;
  return isReplaced ? { ...base, where: allOf([...others, ...partsOf(asked.where)]) } : null;
}

function goOnInstead<Row>(entity: Entity<Row>, base: Query, asked: Query): GoneOn {
  if (!asked.where) return narrow(entity, base, asked);
  const replaced = replace(base, asked);
  if (replaced) return { query: replaced };
  const narrowed = narrow(entity, base, asked);
  return 'query' in narrowed ? { either: [narrowed.query, asked] } : narrowed;
}

function goOnNarrowly<Row>(entity: Entity<Row>, base: Query, asked: Query, isSure: boolean): GoneOn {
  const narrowed = narrow(entity, base, asked);
  const replaced = asked.where && base.where ? replace(base, asked) : null;
  const isEither = replaced && (areApart(base.where, asked.where) || !isSure);
  return isEither && 'query' in narrowed ? { either: [narrowed.query, replaced] } : narrowed;
}

function goOnWithout<Row>(entity: Entity<Row>, base: Query, asked: Query): GoneOn {
  if (!asked.where || asked.sort || asked.group) return { cannot: 'I can’t tell what to leave out. Ask in full.' };
  return narrow(entity, base, { ...asked, where: { not: asked.where } });
}

/** Values of one field together: open, or closed. */
function widen<Row>(entity: Entity<Row>, base: Query, asked: Query): GoneOn {
  if (!asked.where || asked.sort || asked.group) return { cannot: 'I can’t tell what to add. Ask in full.' };
  if (!base.where) return { cannot: `The last answer was about all ${entity.many} already.` };
  if (base.sort ? !isWholeOrder(base, entity.rows.length) : base.limit !== undefined)
    return {
      cannot: 'The last answer showed only the first rows, so I can’t tell whether to add to those. Ask in full.',
    };
  const added = valuesIn(asked.where);
  const parts = partsOf(base.where);
  const at = parts.findIndex((part) => added !== null && valuesIn(part)?.field === added.field);
  const own = parts[at] && valuesIn(parts[at]);
  if (own && added) {
    const is = [...own.is, ...added.is.filter((value) => !own.is.map(keyOf).includes(keyOf(value)))];
    if (is.length > MAX_PARTS) return { cannot: TOO_MANY };
    return { query: { ...base, where: allOf(parts.with(at, { field: own.field, is })) } };
  }
  const any = 'any' in base.where ? base.where.any : [base.where];
  if (any.length >= MAX_PARTS) return { cannot: TOO_MANY };
  if (parts.length > 1)
    return {
      cannot: 'I can’t tell whether the earlier conditions hold for those too. Ask in full, with “or” between them.',
    };
  return { query: { ...base, where: { any: [...any, asked.where] } } };
}

const negated = (where: Condition): Condition => ('not' in where ? where.not : { not: where });

function others<Row>(entity: Entity<Row>, base: Query): GoneOn {
  const fixed = withoutLimit(entity, base);
  if (!fixed) return { cannot: CUT };
  if (!fixed.where) return { cannot: `The last answer was about all ${entity.many}: there are no others.` };
  const listed = base.onlyCount || base.group ? 0 : evaluate(entity, base).rows.length;
  if (listed > MAX_LISTED)
    return {
      cannot: `The last answer named ${MAX_LISTED} of ${listed} ${entity.many}, so “the others” may be those that it did not name, or those that it was not about. For the first, open its rows in the table; for the second, ask in full, with “not”.`,
    };
  const { where } = fixed;
  const whole = { ...fixed, onlyCount: false, where: negated(where) };
  const parts = partsOf(where);
  const last = parts.at(-1);
  // After "the unowned" and "of those the open", the others may be unowned.
  if (!last || parts.length < 2) return { query: whole };
  return { either: [{ ...whole, where: allOf([...parts.slice(0, -1), negated(last)]) }, whole] };
}

function reverse<Row>(entity: Entity<Row>, base: Query): GoneOn {
  const { sort } = base;
  if (!sort) return { cannot: 'The last answer was in no order. Say by what to sort, such as “sort them by …”.' };
  if (!isWholeOrder(base, entity.rows.length)) return { cannot: CUT_ORDER };
  return { query: { ...base, sort: { ...sort, highestFirst: !sort.highestFirst } } };
}
const CUT_ORDER =
  'The last answer showed only one end of an order. I can’t tell whether you mean the same rows or the other end. Ask in full.';

function list({ group: _group, ...base }: Query): GoneOn {
  return { query: { ...base, onlyCount: false } };
}

/**
 * The query that a message goes on to from an earlier one.
 * @param asked what it says as a question of its own; null where it says no more
 */
export function goOn<Row>(entity: Entity<Row>, base: Query, how: How, asked: Query | null): GoneOn {
  const alone = ALONE[how];
  if (alone) return alone(entity as Entity, base);
  if (!asked) return { cannot: 'I can’t tell what you mean. Ask in full.' };
  return WITH_MORE[how as keyof typeof WITH_MORE](entity as Entity, base, asked);
}

const ALONE: Partial<Record<How, (entity: Entity, base: Query) => GoneOn>> = {
  others,
  rest: others,
  reverse,
  list: (_, base) => list(base),
};

const WITH_MORE: Record<'narrow' | 'without' | 'perhaps' | 'instead' | 'widen', typeof goOnInstead> = {
  narrow: (entity, base, asked) => goOnNarrowly(entity, base, asked, true),
  perhaps: (entity, base, asked) => goOnNarrowly(entity, base, asked, false),
  without: goOnWithout,
  instead: goOnInstead,
  widen,
};
