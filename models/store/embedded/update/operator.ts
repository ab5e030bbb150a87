import type { Collator } from '../bson/compare.ts';
import type { Doc, Value } from '../bson/value.ts';

/** What an operator may look at besides the value it changes. */
export type Context = {
  /** The whole document, for messages. */
  doc: Doc;
  /** The concrete dotted path. */
  path: string;
  inserting: boolean;
  now: Date;
  collator?: Collator;
};

/** Says that a field is to be left as it is, missing or not. */
export const KEEP = Symbol('keep');
/** Says that a field is to be removed. */
export const REMOVE = Symbol('remove');

/** Computes the new value of a field from its current one (undefined when missing). */
export type Change = (current: Value, context: Context) => Value | typeof KEEP | typeof REMOVE;

/** Checks an operand once and makes the change from it; throws MongoDB's errors. */
export type UpdateOperator = (operand: Value, path: string, collator: Collator) => Change;

/** The id part of a message: { _id: 1 }. */
export const idDoc = (doc: Doc): Doc => new Map([['_id', doc.get('_id')]]);
