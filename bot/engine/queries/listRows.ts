import type { ListedRows, Query } from '../../../models/contracts/askedQuery.ts';
import type { Entity, Field, Value } from './entity.ts';
import { evaluate, fieldsIn, isUsed } from './evaluate.ts';

const MAX_ROWS = 500;
const MAX_COLUMNS = 6;

const capital = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

function shown<Row>(field: Field<Row>, value: Value): string {
  if (value === null) return '';
  if (field.kind === 'flag') return value ? 'Yes' : 'No';
  return String(value);
}

/** The fields that are worth a column: those that were asked for first, then those in which the rows differ. */
function columnsOf<Row>(entity: Entity<Row>, { where, sort, group }: Query): Field<Row>[] {
  const asked = [...fieldsIn(where), sort?.field, group];
  const isText = (field: Field<Row>) => field.kind === 'choice' && field.isText;
  const used = entity.fields.filter((field) => field.id !== 'id' && !isText(field) && isUsed(entity, field));
  const first = used.filter(({ id }) => asked.includes(id));
  return [...first, ...used.filter((field) => !first.includes(field))].slice(0, MAX_COLUMNS);
}

/** The rows of a query as a table of words: what each is called, then its values; the first 500. */
export function listRows<Row>(entity: Entity<Row>, query: Query): ListedRows {
  const { rows } = evaluate(entity, query);
  const fields = columnsOf(entity, query);
  return {
    columns: [
      capital(entity.one),
      ...fields.map((field) => capital(field.kind === 'flag' ? field.yes.says.rest : field.noun)),
    ],
    rows: rows
      .slice(0, MAX_ROWS)
      .map((row) => [entity.line(row), ...fields.map((field) => shown(field, field.read(row)))]),
    count: rows.length,
  };
}
