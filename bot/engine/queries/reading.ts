import type { Condition, Query } from '../../../models/contracts/askedQuery.ts';
import type { Part } from './combine.ts';
import type { Entity, Field } from './entity.ts';
import { isUsed } from './evaluate.ts';
import type { Choice } from './lines.ts';
import type { Meaning, Token } from './tokens.ts';

export type Is<Row> = Meaning<Row>['is'];
type MeaningOf<Row, Kind extends Is<Row>> = Meaning<Row> & { is: Kind };

/** The state of reading a question: what was read so far, and what waits for its condition. */
export type Reading<Row> = {
  entity: Entity<Row>;
  tokens: readonly Token<Row>[];
  at: number;
  /** Which field a phrase of several stands for, and how many it had at most. */
  way: number;
  ways: number;
  parts: Part[];
  /** Seen and not used yet. */
  waits: { joins: Part['joins']; not: boolean; lack: boolean; have: boolean; limit: number | null };
  lastField: Field<Row> | null;
  /** The place behind the last condition on having or lacking a field. */
  lastPresence: number;
  hasNoun: boolean;
  onlyCount: boolean;
  sort: Query['sort'] | null;
  limit: number | null;
  /** "The two rows with …": a number of rows, which needs an order. */
  isOfNumber: boolean;
  /** "Worst … by risk": the order of a field that is still to come. */
  order: boolean | null;
  group: string | null;
  leftOut: string[];
  notes: Set<string>;
  failure: { refused: string } | 'unread' | null;
};

export const NOTHING: Reading<unknown>['waits'] = { joins: null, not: false, lack: false, have: false, limit: null };

export function meaning<Row, Kind extends Is<Row>>(
  { tokens }: Reading<Row>,
  at: number,
  kind: Kind,
): MeaningOf<Row, Kind> | undefined {
  return tokens[at]?.meanings.find((one): one is MeaningOf<Row, Kind> => one.is === kind);
}

/** The choices that a phrase belongs to: as a value, as a word before or behind one. */
export const choicesAt = <Row>({ tokens }: Reading<Row>, at: number, kind: 'value' | 'owned' | 'before' | 'behind') =>
  (tokens[at]?.meanings ?? []).flatMap((one) => ('field' in one && one.is === kind ? [one.field as Choice<Row>] : []));

/** Marks the question as not understood. */
export function fail<Row>(reading: Reading<Row>, refused?: string): true {
  reading.failure ??= refused ? { refused } : 'unread';
  return true;
}

/** The field at a place: of several with this name, the one of this way. */
export function fieldAt<Row>(reading: Reading<Row>, at: number): Field<Row> | null {
  const fields = (reading.tokens[at]?.meanings ?? []).flatMap((one) => (one.is === 'field' ? [one.field] : []));
  return pick(reading, fields);
}

export function pick<Row, F extends Field<Row>>(reading: Reading<Row>, fields: readonly F[]): F | null {
  const last = fields.find((one) => one === reading.lastField);
  if (fields.length > 1 && last && reading.waits.joins) return last;
  reading.ways = Math.max(reading.ways, fields.length);
  return fields[Math.min(reading.way, fields.length - 1)] ?? null;
}

/** The next place that is no mere filler. */
export function skipFill<Row>(reading: Reading<Row>, from: number): number {
  let at = from;
  while (meaning(reading, at, 'fill')) at += 1;
  return at;
}

/** Adds a condition under the negation that waits for it. */
export function add<Row>(
  reading: Reading<Row>,
  field: Field<Row>,
  condition: Condition,
  ownNot: boolean,
  next: number,
): true {
  const { waits, parts } = reading;
  const before = parts.at(-1);
  const isPresence = 'has' in condition;
  const single = 'is' in condition || isEqual(condition) ? field.id : null;
  // "Not closed or transferred" and "no owner or evidence": the negation reaches what follows.
  const canReach = Boolean(before?.isNot && waits.joins === 'or' && !ownNot && !waits.have);
  const isReached = canReach && (isPresence ? before?.single === null : before?.single === single);
  if (canReach && !isReached) return fail(reading);
  parts.push({ condition, single, isNot: ownNot || isReached, joins: waits.joins, isReached });
  reading.waits = { ...NOTHING };
  reading.lastField = field;
  reading.lastPresence = isPresence ? next : -1;
  reading.at = next;
  return true;
}
const isEqual = (condition: Condition) => 'value' in condition && condition.operator === '=';

/** Whether rows of this field can be compared; refuses where none has a value. */
export function isComparable<Row>(reading: Reading<Row>, field: Field<Row>): boolean {
  if (field.kind === 'count' || isUsed(reading.entity, field)) return true;
  fail(reading, `none of its ${reading.entity.many} has ${field.has}.`);
  return false;
}
