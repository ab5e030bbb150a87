import type { Query } from '../../../models/contracts/askedQuery.ts';
import { combine } from './combine.ts';
import type { Entity } from './entity.ts';
import { NEVER_LEFT_OUT } from './grammar.ts';
import { isOfEarlier } from './isOfEarlier.ts';
import { readAmount, readBefore, readField, readLooseValue, readPresence } from './readConditions.ts';
import {
  add,
  fail,
  fieldAt,
  type Is,
  isComparable,
  meaning,
  NOTHING,
  pick,
  type Reading,
  skipFill,
} from './reading.ts';
import { readOnly } from './readOnly.ts';
import { readPast, readPresent } from './readPast.ts';
import type { Token } from './tokens.ts';
import { changesMeaning } from './words.ts';

/** A question as a query, or why it is none. */
type ReadQuery =
  /** `leftOut`: words that mean nothing here; the answer has to name them. `ways`: how many readings it has. */
  | { query: Query; leftOut: string[]; notes: string[]; ways: number }
  /** What the rows lack, to finish "I can’t answer that: ". */
  | { refused: string }
  /** Not understood as a whole. */
  | null;

/** With more words than this left out, the question is about something else. */
const MAX_LEFT_OUT = 3;

/** "From the lowest risk up". */
const UP_OR_DOWN = new Set(['up', 'upwards', 'down', 'downwards']);

/** "the three highest residual risks", "most controls". */
function readOrder<Row>(reading: Reading<Row>): boolean {
  const { at, waits } = reading;
  const counted = meaning(reading, at, 'number');
  const place = counted && meaning(reading, at + 1, 'order') ? at + 1 : at;
  const order = meaning(reading, place, 'order');
  if (!order) return false;
  const behind = meaning(reading, place + 1, 'number');
  const fieldPlace = skipFill(reading, behind ? place + 2 : place + 1);
  const field = fieldAt(reading, fieldPlace);
  if (!field && !waits.not && !waits.lack && !reading.sort && reading.order === null) {
    reading.order = order.highestFirst;
    reading.limit = counted?.number ?? behind?.number ?? reading.limit;
    reading.at = behind ? place + 2 : place + 1;
    return true;
  }
  if (!field || field.kind === 'flag' || waits.not || waits.lack || reading.sort || reading.order !== null)
    return fail(reading);
  if (field.kind === 'choice' && !field.order) return fail(reading);
  if (!isComparable(reading, field)) return true;
  reading.sort = { field: field.id, highestFirst: order.highestFirst };
  reading.limit = counted?.number ?? behind?.number ?? reading.limit;
  reading.at = fieldPlace + 1;
  reading.waits = { ...waits, have: false };
  // "Highest risk first": all rows, in this order.
  const isAll = meaning(reading, reading.at, 'first') ?? UP_OR_DOWN.has(reading.tokens[reading.at]?.words ?? '');
  if (isAll && !meaning(reading, reading.at + 1, 'number')) {
    reading.limit ??= reading.entity.rows.length;
    reading.at += 1;
  }
  return true;
}

/** "sorted by residual risk", "per owner", "top 5 by residual risk". */
function readArrangement<Row>(reading: Reading<Row>): boolean {
  const { at, entity } = reading;
  const kind = meaning(reading, at, 'sort') ?? meaning(reading, at, 'group');
  if (!kind) return false;
  const place = skipFill(reading, at + 1);
  const fieldPlace = meaning(reading, place, 'count') ? place + 1 : place;
  const field = fieldAt(reading, fieldPlace);
  if (!field || reading.sort || reading.group || !isComparable(reading, field)) return fail(reading);
  reading.at = fieldPlace + 1;
  const isRanked =
    field.kind === 'number' || field.kind === 'count' || (field.kind === 'choice' && Boolean(field.order));
  const isBy = reading.tokens[at]?.words === 'by';
  if (reading.order !== null) {
    if (!isBy || !isRanked) return fail(reading);
    reading.sort = { field: field.id, highestFirst: reading.order };
    reading.order = null;
    return true;
  }
  if (kind.is === 'group' && !isBy && field.kind === 'count') return fail(reading);
  if (kind.is === 'group' && !(isBy && isRanked && (reading.limit !== null || field.kind === 'number'))) {
    reading.group = field.id;
    return true;
  }
  if (!isRanked) return fail(reading);
  const order = meaning(reading, reading.at, 'order');
  if (order) reading.at += 1;
  reading.sort = { field: field.id, highestFirst: order?.highestFirst ?? true };
  reading.limit ??= entity.rows.length;
  return true;
}

/** "top 5", "the first three", "the two valves with the highest pressure". */
function readLimit<Row>(reading: Reading<Row>): boolean {
  const ofRows = meaning(reading, reading.at, 'number');
  const { waits, parts } = reading;
  const isFree = !waits.have && !waits.not && !waits.lack && !waits.joins && parts.length === 0;
  const isOther = reading.tokens[reading.at + 1]?.meanings.some(({ is }) => is === 'field' || is === 'flag');
  if (ofRows && ofRows.number > 0 && isFree && !isOther && meaning(reading, reading.at + 1, 'noun')) {
    reading.limit = ofRows.number;
    reading.isOfNumber = true;
    reading.at += 1;
    return true;
  }
  const isLimit = meaning(reading, reading.at, 'top') ?? meaning(reading, reading.at, 'first');
  const number = isLimit && meaning(reading, reading.at + 1, 'number');
  if (!isLimit) return false;
  if (!number || number.number === 0) return fail(reading);
  reading.limit = number.number;
  reading.at += 2;
  return true;
}

/** Words that wait for a condition: negations, "with", "and". */
function readSmall<Row>(reading: Reading<Row>): boolean {
  const { at, waits, tokens } = reading;
  const is = (kind: Is<Row>) => meaning(reading, at, kind) !== undefined;
  const wait = (more: Partial<Reading<Row>['waits']>): true => {
    reading.waits = { ...waits, ...more };
    reading.at += 1;
    return true;
  };
  if (is('not')) return waits.not || waits.lack ? fail(reading) : wait({ not: true });
  if (is('neither')) return waits.not || waits.lack ? fail(reading) : wait({ not: true });
  if (is('lack')) return waits.not || waits.lack ? fail(reading) : wait({ lack: true });
  if (is('nor')) return waits.not || waits.lack ? fail(reading) : wait({ not: true, joins: 'nor' });
  if (is('have')) return wait({ have: true });
  // "And the closed ones?" goes on from an earlier question.
  const isFirst = reading.parts.length === 0 && !reading.hasNoun;
  // "Controls, yet without evidence" joins; "not closed yet" does not.
  if (tokens[at]?.words === 'yet') {
    const isJoining = (['lack', 'not', 'have'] as const).some((kind) => meaning(reading, at + 1, kind));
    const isOfNot = waits.not || (at === tokens.length - 1 && reading.parts.at(-1)?.isNot);
    if (!isJoining && !isOfNot) return fail(reading);
    return isJoining ? wait({ joins: 'and' }) : wait({});
  }
  if (is('and')) return waits.joins || isFirst ? fail(reading) : wait({ joins: 'and' });
  if (is('or')) return waits.joins || isFirst ? fail(reading) : wait({ joins: 'or' });
  return false;
}

/** The rows' own noun, flags, and phrases that say that a field is blank. */
function readWhole<Row>(reading: Reading<Row>): boolean {
  const { at, waits, tokens } = reading;
  const isOther = tokens[at]?.meanings.some(({ is }) => is === 'field' || is === 'flag');
  if (meaning(reading, at, 'noun') && !(reading.hasNoun && isOther)) {
    if (waits.lack || waits.joins) return fail(reading);
    reading.hasNoun = true;
    reading.at += 1;
    return true;
  }
  if (meaning(reading, at, 'count')) {
    reading.onlyCount = true;
    reading.at += 1;
    return true;
  }
  const flags = (tokens[at]?.meanings ?? []).flatMap((one) => (one.is === 'flag' ? [one] : []));
  const flag = flags[0];
  if (flag) {
    if (waits.lack || !isComparable(reading, flag.field)) return fail(reading);
    // "Not answered in a channel": the negation is of all of it.
    const isOfMore = tokens[at + 1]?.meanings.some((one) => one.is === 'before' && one.field.isPast);
    if (flag.field.isPast && isOfMore && !waits.not) {
      reading.waits = { ...waits, not: !flag.flag };
      reading.at += 1;
      return true;
    }
    return add(reading, flag.field, { field: flag.field.id, flag: flag.flag !== waits.not }, false, at + 1);
  }
  const blanks = (tokens[at]?.meanings ?? []).flatMap((one) => (one.is === 'blank' ? [one.field] : []));
  const blank = pick(reading, blanks);
  if (!blank) return false;
  if (waits.not || waits.lack) return fail(reading);
  reading.waits = { ...waits, lack: true };
  return readPresence(reading, blank, at + 1, false);
}

const COPULAS = new Set(['are', 'is', 'be', 'been']);

/** A filler, or a word that is left out. */
function readRest<Row>(reading: Reading<Row>): boolean {
  const { at, tokens, waits } = reading;
  if (!meaning(reading, at, 'fill')) {
    const word = tokens[at]?.words ?? '';
    const isOpen = waits.not || waits.lack || waits.have || waits.joins !== null;
    // "Controls tested twice" and "are overdue": such a word belongs to what it stands beside.
    // "The remaning risk": a word that is not known may change the one behind it.
    // "Acepted valves": so may one before the rows' own noun.
    const isBefore = tokens[at + 1]?.meanings.some(({ is }) => is === 'field' || is === 'value' || is === 'noun');
    const isBeside = isBefore || COPULAS.has(tokens[at - 1]?.words ?? '') || reading.lastPresence === at;
    if (isOpen || isBeside || changesMeaning(word) || NEVER_LEFT_OUT.has(word) || !/^[\p{L}'-]+$/u.test(word))
      return fail(reading);
    reading.leftOut.push(word);
  } else if (reading.lastPresence === at) reading.lastPresence += 1;
  reading.at += 1;
  return true;
}

const READERS = [
  readPresent,
  readWhole,
  readOrder,
  readLimit,
  readBefore,
  readAmount,
  readField,
  readLooseValue,
  readArrangement,
  readSmall,
  readOnly,
  readPast,
  readRest,
];

/** Words with which a question asks for all rows. */
const LISTS = new Set(['list', 'show', 'show me', 'give me', 'find', 'which', 'what', 'who']);

/** "List documents", "what schedules do we have": no word is left that could be a condition. */
function listsAll<Row>({ tokens, entity, leftOut, hasNoun }: Reading<Row>): boolean {
  const [first, second] = tokens;
  const isPlural = tokens.some(({ words }) => words === entity.many || entity.names?.includes(words));
  // "Which valves" alone is half a question.
  const isHalf = tokens.length < 3 && (first?.words === 'which' || first?.words === 'what');
  const isAsked = LISTS.has(first?.words ?? '') && !isHalf && second?.words !== 'is' && second?.words !== 'are';
  return hasNoun && isPlural && leftOut.length === 0 && (isAsked || first?.words === 'who');
}

/**
 * Reads a question about one kind of row. All of its words have to mean something, or be few and harmless enough to be
 * left out and named.
 * @param tokens the question's phrases
 * @param way which field a phrase stands for that names several, such as "risk"
 */
export function readQuery<Row>(entity: Entity<Row>, tokens: readonly Token<Row>[], way = 0): ReadQuery {
  const reading: Reading<Row> = {
    ...{ entity, tokens, at: 0, way, ways: 1, parts: [], waits: { ...NOTHING } },
    ...{ lastField: null, lastPresence: -1, hasNoun: false, onlyCount: false, sort: null, limit: null, group: null },
    ...{ isOfNumber: false, order: null },
    ...{ leftOut: [], notes: new Set<string>(), failure: null },
  };
  while (reading.at < reading.tokens.length && !reading.failure) READERS.find((read) => read(reading));
  const { waits, parts, limit, group, leftOut, onlyCount } = reading;
  if (reading.failure) return reading.failure === 'unread' ? null : reading.failure;
  if (waits.not || waits.lack || waits.joins) return null;
  // "The most expensive run": the number that is meant without being named.
  if (reading.order !== null && (!entity.measure || reading.sort)) return null;
  const sort = reading.order === null ? reading.sort : { field: entity.measure ?? '', highestFirst: reading.order };
  if (reading.isOfNumber && !sort) return null;
  const where = combine(parts);
  const asks = where !== undefined || sort !== null || group !== null;
  if (where === null || (!asks && limit === null && !onlyCount && !listsAll(reading))) return null;
  if (leftOut.length > (asks && reading.hasNoun ? MAX_LEFT_OUT : 0)) return null;
  if (!reading.hasNoun && (!asks || reading.ways > 1 || isOfEarlier(reading))) return null;
  const query: Query = {
    entity: entity.id,
    where: where ?? null,
    onlyCount,
    ...(sort ? { sort } : {}),
    ...(limit === null ? {} : { limit }),
    ...(group === null ? {} : { group }),
  };
  return { query, leftOut, notes: [...reading.notes], ways: reading.ways };
}
