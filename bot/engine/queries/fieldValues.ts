import { type Counted, countValues } from './countValues.ts';
import { type Choice, headOf, lineOf } from './lines.ts';

/** A value as rows hold it, how many have it, and how a question would say it, as a whole and its head. */
export type FieldValue = Counted & { line: string; head: string | null };

/** By the rows and the field: a kind of row that is asked about again has the same of both. */
const known = new WeakMap<object, Map<object, readonly FieldValue[]>>();

/** The different values of a choice, counted once for each kind of row that was opened. */
export function valuesOf<Row>(field: Choice<Row>, rows: readonly Row[]): readonly FieldValue[] {
  const ofRows = known.get(rows) ?? new Map<object, readonly FieldValue[]>();
  known.set(rows, ofRows);
  const before = ofRows.get(field);
  if (before) return before;
  const values = countValues(rows.map(field.read)).map((one) => ({
    ...one,
    line: lineOf(one.shown),
    head: headOf(one.shown),
  }));
  ofRows.set(field, values);
  return values;
}
