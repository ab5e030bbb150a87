import type { Condition, Operator, Query } from '../../../models/contracts/askedQuery.ts';
import type { Entity, Field, Relation, Value } from './entity.ts';

/** Three-valued: null where a row lacks a value that decides. */
type Truth = boolean | null;

const HOLDS: Record<Operator, (one: number, other: number) => boolean> = {
  '=': (one, other) => one === other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
};

/** Compares values as a field does: trimmed, without case. */
export const keyOf = (value: string): string => value.trim().toLowerCase();

/** The field of an entity. @throws where the entity has none, which is a fault of ours */
export function fieldOf<Row>({ fields, id }: Entity<Row>, name: string): Field<Row> {
  const field = fields.find((one) => one.id === name);
  if (!field) throw new Error(`${id} has no field ${name}.`);
  return field;
}

/** The place of a value in the order of its field; the number itself where it is one. */
function rankOf<Row>(field: Field<Row>, value: Value): number | null {
  if (typeof value === 'number') return value;
  if (field.kind !== 'choice' || !field.order || typeof value !== 'string') return null;
  const at = field.order.findIndex((one) => keyOf(one) === keyOf(value));
  return at < 0 ? null : at;
}

/** Whether a value is given; a count of 0 is. */
function isPresent(value: Value): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' ? value.trim() !== '' : value !== null;
}

/** Whether a row has any: a count above 0, a text that is not blank. */
const hasAny = <Row>(field: Field<Row>, row: Row) =>
  field.kind === 'count' ? field.read(row) > 0 : isPresent(field.read(row));

/** Whether any row has any. */
export const isUsed = <Row>({ rows }: Entity<Row>, field: Field<Row>): boolean =>
  rows.some((row) => hasAny(field, row));

const negated = (truth: Truth): Truth => (truth === null ? null : !truth);
const everyOf = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(null) ? null : true;

type Test<Row> = (row: Row) => Truth;

/** Whether a choice has one of these values. Rows are thousands and values few, so each is compared once. */
function testValues<Row>({ read }: Field<Row>, wanted: readonly string[]): Test<Row> {
  const keys = new Set(wanted.map(keyOf));
  const seen = new Map<Value, boolean>();
  return (row) => {
    const value = read(row);
    if (!isPresent(value)) return null;
    const before = seen.get(value);
    if (before !== undefined) return before;
    const holds = keys.has(keyOf(String(value)));
    seen.set(value, holds);
    return holds;
  };
}

/** The relation of an entity. @throws where the entity has none, which is a fault of ours */
export function relationOf<Row>({ relations = [], id }: Entity<Row>, name: string): Relation<Row> {
  const relation = relations.find((one) => one.id === name);
  if (!relation) throw new Error(`${id} has no relation ${name}.`);
  return relation;
}

/** Whether some row of another kind belongs to a row and fits. Those rows are judged once, not for each row. */
function testRelated<Row>({ to, keys, keysOf }: Relation<Row>, where: Condition): Test<Row> {
  const other = to();
  const test = makeTest(other, where);
  const best = new Map<string, Truth>();
  for (const row of other.rows) {
    const truth = test(row);
    if (truth === false) continue;
    for (const key of keysOf(row)) if (best.get(key) !== true) best.set(key, truth);
  }
  return (row) => {
    const truths = keys(row).map((key) => best.get(key));
    return truths.includes(true) ? true : truths.includes(null) ? null : false;
  };
}

/** Makes the test whether a condition holds for a row; it gives null where a missing value leaves it open. */
function makeTest<Row>(entity: Entity<Row>, condition: Condition): Test<Row> {
  if ('all' in condition) {
    const tests = condition.all.map((one) => makeTest(entity, one));
    return (row) => everyOf(tests.map((test) => test(row)));
  }
  if ('any' in condition) {
    const tests = condition.any.map((one) => makeTest(entity, one));
    return (row) => negated(everyOf(tests.map((test) => negated(test(row)))));
  }
  if ('not' in condition) {
    const test = makeTest(entity, condition.not);
    return (row) => negated(test(row));
  }
  if ('via' in condition) return testRelated(relationOf(entity, condition.via), condition.where);
  const field = fieldOf(entity, condition.field);
  if ('has' in condition) return (row) => hasAny(field, row) === condition.has;
  if ('is' in condition) return testValues(field, condition.is);
  const other = 'other' in condition ? fieldOf(entity, condition.other) : null;
  return (row) => {
    const value = field.read(row);
    if (!isPresent(value)) return null;
    if ('flag' in condition) return value === condition.flag;
    const bound = other ? rankOf(other, other.read(row)) : 'value' in condition ? rankOf(field, condition.value) : null;
    const rank = rankOf(field, value);
    return rank === null || bound === null ? null : HOLDS[condition.operator](rank, bound);
  };
}

/** The fields of a condition that are the rows' own, each once. */
export function fieldsIn(condition: Condition | null): string[] {
  if (!condition) return [];
  if ('all' in condition) return [...new Set(condition.all.flatMap(fieldsIn))];
  if ('any' in condition) return [...new Set(condition.any.flatMap(fieldsIn))];
  if ('not' in condition) return fieldsIn(condition.not);
  if ('via' in condition) return [];
  return 'other' in condition ? [condition.field, condition.other] : [condition.field];
}

export type Found<Row> = {
  rows: Row[];
  /** Rows that a missing value leaves open. */
  open: Row[];
  /** Values of the grouping field with their numbers, the most first; null for rows without one. */
  groups: { value: string | null; count: number }[];
};

/** Answers a query over the rows of its entity. */
export function evaluate<Row>(entity: Entity<Row>, { where, sort, limit, group }: Query): Found<Row> {
  const test = where ? makeTest(entity, where) : () => true;
  const judged = entity.rows.map((row) => ({ row, truth: test(row) }));
  const open = judged.filter(({ truth }) => truth === null).map(({ row }) => row);
  let rows = judged.filter(({ truth }) => truth).map(({ row }) => row);
  if (sort) {
    const field = fieldOf(entity, sort.field);
    const ranked = rows.flatMap((row) => {
      const rank = rankOf(field, field.read(row));
      return rank === null ? [] : [{ row, rank }];
    });
    open.push(...rows.filter((row) => rankOf(field, field.read(row)) === null));
    const sign = sort.highestFirst ? -1 : 1;
    ranked.sort((one, other) => sign * (one.rank - other.rank));
    // Rows that share the last place are not cut off from each other.
    const last = ranked[Math.min(limit ?? 1, ranked.length) - 1];
    rows = ranked.filter(({ rank }) => last && sign * (rank - last.rank) <= 0).map(({ row }) => row);
  } else if (limit !== undefined) rows = rows.slice(0, limit);
  return { rows, open, groups: group ? countBy(fieldOf(entity, group), rows) : [] };
}

/** A value in an answer: for a flag, its words. */
function shownOf<Row>(field: Field<Row>, value: Value): string {
  if (field.kind !== 'flag') return String(value).trim();
  return (value ? field.yes : field.no).says.rest;
}

function countBy<Row>(field: Field<Row>, rows: readonly Row[]): Found<Row>['groups'] {
  const groups = new Map<string | null, { value: string | null; count: number }>();
  for (const row of rows) {
    const value = field.read(row);
    const shown = isPresent(value) ? shownOf(field, value) : null;
    const key = shown && keyOf(shown);
    const group = groups.get(key) ?? { value: shown, count: 0 };
    group.count += 1;
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}
