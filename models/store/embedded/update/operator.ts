import type { Collator } from '../bson/compare.ts';
import { show } from '../bson/show.ts';
import { type Doc, typeName, type Value } from '../bson/value.ts';

/** What an operator may look at besides the value it changes: the whole document, for messages, and the concrete path. */
export type Context = { doc: Doc; path: string[]; inserting: boolean; now: Date };

/** Computes the new value of a field from its current one; undefined stands for a missing field, before and after. */
export type Change = (current: Value, context: Context) => Value;

/** Checks an operand once and makes the change from it; throws MongoDB's errors. */
export type UpdateOperator = (operand: Value, path: string, collator: Collator, name: string) => Change;

/** The id part of a message: { _id: 1 }. */
export const shownId = (doc: Doc): string => show(new Map([['_id', doc.get('_id')]]));

/** The part of a message that says which field is not the number that an operator needs. */
export const located = ({ doc, path }: Context, value: Value): string =>
  `${shownId(doc)} has the field '${path.at(-1)}' of non-numeric type ${typeName(value)}`;
