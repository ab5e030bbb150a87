import type { AskedQuery, Chip, Condition, Query } from '../../../models/contracts/askedQuery.ts';
import { describeCondition } from './describeQuery.ts';
import type { Entity, Field } from './entity.ts';
import { fieldsIn } from './evaluate.ts';

/** The conditions of a query side by side, and what joins them. */
function partsOf(where: Condition | null): { joins: AskedQuery['joins']; parts: readonly Condition[] } {
  if (!where) return { joins: 'and', parts: [] };
  if ('all' in where) return { joins: 'and', parts: where.all };
  return 'any' in where ? { joins: 'or', parts: where.any } : { joins: 'and', parts: [where] };
}

/** The number of a condition that can be changed. */
function numberOf(condition: Condition): Pick<Chip, 'value'> {
  return 'value' in condition && typeof condition.value === 'number' ? { value: condition.value } : {};
}

/** A query with its chips: one for each condition, the order, the number of rows and the grouping. */
export function describeAsked<Row>(entity: Entity<Row>, query: Query): AskedQuery {
  const { joins, parts } = partsOf(query.where);
  const nounOf = (name: string) => entity.fields.find(({ id }) => id === name)?.noun ?? name;
  const { sort, limit, group } = query;
  const chips: Chip[] = parts.map((part, at) => ({
    label: describeCondition(entity, part),
    part: at,
    ...numberOf(part),
  }));
  if (sort)
    chips.push({ label: `${sort.highestFirst ? 'highest' : 'lowest'} ${nounOf(sort.field)} first`, part: 'sort' });
  // All rows in an order are no limit that anybody named.
  if (limit !== undefined && limit < entity.rows.length) chips.push({ label: 'first', part: 'limit', value: limit });
  if (group) chips.push({ label: `by ${nounOf(group)}`, part: 'group' });
  return { query, noun: entity.many, joins, chips, hasTable: entity.keyOf !== undefined };
}

const isRanked = <Row>(field: Field<Row>) =>
  field.kind === 'number' || field.kind === 'count' || (field.kind === 'choice' && Boolean(field.order));

/** Whether a condition fits its fields: numbers and orders are compared, flags are true or false, choices have values. */
function fits<Row>(entity: Entity<Row>, condition: Condition): boolean {
  if ('all' in condition) return condition.all.every((one) => fits(entity, one));
  if ('any' in condition) return condition.any.every((one) => fits(entity, one));
  if ('not' in condition) return fits(entity, condition.not);
  const field = entity.fields.find(({ id }) => id === condition.field);
  if (!field) return false;
  if ('is' in condition) return field.kind === 'choice';
  if ('flag' in condition) return field.kind === 'flag';
  if ('has' in condition) return field.kind !== 'flag';
  return isRanked(field);
}

/** Whether a query from outside names only fields that its kind of row has, each in a way that fits. */
export function fitsEntity<Row>(entity: Entity<Row>, { where, sort, group }: Query): boolean {
  const named = [...fieldsIn(where), ...(sort ? [sort.field] : []), ...(group ? [group] : [])];
  const has = (name: string) => entity.fields.some(({ id }) => id === name);
  const sorted = sort ? entity.fields.find(({ id }) => id === sort.field) : undefined;
  return named.every(has) && (!where || fits(entity, where)) && (!sorted || isRanked(sorted));
}
