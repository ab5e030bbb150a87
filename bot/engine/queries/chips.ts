import type { AskedQuery, Beginning, Chip, Condition, Operator, Query } from '../../../models/contracts/askedQuery.ts';
import { describeCondition, wordsOfOperators } from './describeQuery.ts';
import type { Entity, Field } from './entity.ts';
import { fieldOf, fieldsIn, keyOf } from './evaluate.ts';
import { valuesOf } from './fieldValues.ts';

/** The conditions of a query side by side, and what joins them. */
function partsOf(where: Condition | null): { joins: AskedQuery['joins']; parts: readonly Condition[] } {
  if (!where) return { joins: 'and', parts: [] };
  if ('all' in where) return { joins: 'and', parts: where.all };
  return 'any' in where ? { joins: 'or', parts: where.any } : { joins: 'and', parts: [where] };
}

/** The words around what can be changed; null where they are not said so. */
function around(label: string, changed: string): { before: string; after: string } | null {
  const at = ` ${label} `.lastIndexOf(` ${changed} `);
  return at < 0 ? null : { before: label.slice(0, Math.max(at - 1, 0)), after: label.slice(at + changed.length + 1) };
}

/** Values to choose from; none where there are too many for a list. */
function optionsOf<Row>(field: Field<Row>, rows: readonly Row[], chosen: string): string[] {
  if (field.kind !== 'choice') return [];
  const values = field.order?.length ? [...field.order] : valuesOf(field, rows).map(({ shown }) => shown);
  if (values.length > MAX_OPTIONS) return [];
  return values.some((one) => keyOf(one) === keyOf(chosen)) ? values : [chosen, ...values];
}
const MAX_OPTIONS = 40;

/** The two sides of a condition that only holds or does not. */
function sidesOf(condition: Condition): [Condition, Condition] | null {
  if ('flag' in condition)
    return [
      { ...condition, flag: true },
      { ...condition, flag: false },
    ];
  if ('has' in condition)
    return [
      { ...condition, has: true },
      { ...condition, has: false },
    ];
  return null;
}

/** What of a condition can be changed: its comparison and its number, its one value, or whether it holds. */
function changeOf<Row>(entity: Entity<Row>, condition: Condition, label: string): Pick<Chip, 'change'> {
  const conditions = sidesOf(condition);
  if (conditions) {
    const options = conditions.map((side) => describeCondition(entity, side));
    return { change: { before: '', after: '', operators: [], value: label, options, conditions } };
  }
  const inner = 'not' in condition ? condition.not : condition;
  if ('is' in inner) {
    const [value, another] = inner.is;
    if (value === undefined || another !== undefined) return {};
    const options = optionsOf(fieldOf(entity, inner.field), entity.rows, value);
    const words = around(label, `“${value}”`);
    return words && options.length > 1 ? { change: { ...words, operators: [], value, options } } : {};
  }
  if (!('value' in inner)) return {};
  const { operator, value } = inner;
  const field = fieldOf(entity, inner.field);
  const said = wordsOfOperators(field);
  const words = around(label, `${said[operator]} ${typeof value === 'string' ? `“${value}”` : value}`);
  if (!words) return {};
  const operators = OPERATORS.map((one) => ({ operator: one, words: said[one] }));
  const options = typeof value === 'string' ? optionsOf(field, entity.rows, value) : [];
  return { change: { ...words, operator, operators, value, options } };
}
const OPERATORS: readonly Operator[] = ['<', '<=', '=', '>=', '>'];

/** The value that a condition on a field begins with, the lowest that rows have. */
function lowestOf<Row>(field: Field<Row> & { kind: 'number' | 'count' }, rows: readonly Row[]): number {
  const values = rows.flatMap((row) => field.read(row) ?? []);
  return values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
}

function beginWith<Row>(field: Field<Row>, rows: readonly Row[]): Condition {
  const { id } = field;
  if (field.kind === 'flag') return { field: id, flag: true };
  if (field.kind !== 'choice') return { field: id, operator: '>=', value: lowestOf(field, rows) };
  const [first] = field.isText ? [] : valuesOf(field, rows);
  const isListed = first && optionsOf(field, rows, first.shown).length > 1;
  return isListed ? { field: id, is: [first.shown] } : { field: id, has: true };
}

/** A condition to begin with for each field that rows have, in the order of the fields. */
export const beginningsOf = <Row>({ fields, rows }: Entity<Row>): Beginning[] =>
  fields
    .filter(({ refused }) => !refused)
    .map((field) => ({ field: field.id, noun: field.noun, condition: beginWith(field, rows) }));

/** A query with its chips: one for each condition, the order, the number of rows and the grouping. */
export function describeAsked<Row>(entity: Entity<Row>, query: Query): AskedQuery {
  const { joins, parts } = partsOf(query.where);
  const nounOf = (name: string) => entity.fields.find(({ id }) => id === name)?.noun ?? name;
  const { sort, limit, group } = query;
  const chips: Chip[] = parts.map((part, at) => {
    const label = describeCondition(entity, part);
    const [field, another] = new Set(fieldsIn(part));
    return { label, part: at, ...changeOf(entity, part, label), ...(field === undefined || another ? {} : { field }) };
  });
  if (sort)
    chips.push({ label: `${sort.highestFirst ? 'highest' : 'lowest'} ${nounOf(sort.field)} first`, part: 'sort' });
  // All rows in an order are no limit that anybody named.
  if (limit !== undefined && limit < entity.rows.length)
    chips.push({
      label: `first ${limit}`,
      part: 'limit',
      change: { before: 'first', after: '', operators: [], value: limit, options: [] },
    });
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
  if ('via' in condition) {
    const relation = entity.relations?.find(({ id }) => id === condition.via);
    return relation !== undefined && fits(relation.to(), condition.where);
  }
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
