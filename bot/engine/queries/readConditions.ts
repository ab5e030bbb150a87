import type { Condition, Operator } from '../../../models/contracts/askedQuery.ts';
import { chooseValue } from './chooseValue.ts';
import type { Field } from './entity.ts';
import { isUsed } from './evaluate.ts';
import type { Choice } from './lines.ts';
import { add, choicesAt, fail, fieldAt, isComparable, meaning, pick, type Reading, skipFill } from './reading.ts';

const fieldsAt = <Row>({ tokens }: Reading<Row>, at: number) =>
  (tokens[at]?.meanings ?? []).flatMap((one) => (one.is === 'field' ? [one.field] : []));

/** A number or another field after an operator. */
function readOperand<Row>(
  reading: Reading<Row>,
  field: Field<Row>,
  operator: Operator,
  from: number,
  not: boolean,
): boolean {
  const at = skipFill(reading, from);
  const ownNot = reading.waits.not || reading.waits.lack || not;
  const number = meaning(reading, at, 'number');
  if (!isComparable(reading, field)) return true;
  if (number && field.kind !== 'choice') {
    // "A cost above 10 credits": the unit is another name of the field.
    const isUnit = fieldsAt(reading, at + 1).some((one) => one.id === field.id);
    return add(reading, field, { field: field.id, operator, value: number.number }, ownNot, isUnit ? at + 2 : at + 1);
  }
  const value = field.kind === 'choice' && field.order ? valueAt(reading, field, at) : null;
  if (value && field.kind === 'choice' && field.order?.some((one) => one.toLowerCase() === value.toLowerCase()))
    return add(reading, field, { field: field.id, operator, value }, ownNot, at + 1);
  const other = fieldAt(reading, at);
  const isLike = other && other.id !== field.id && other.kind === field.kind && field.kind !== 'flag';
  if (isLike && isComparable(reading, other))
    return add(reading, field, { field: field.id, operator, other: other.id }, ownNot, at + 1);
  return fail(reading);
}

/** The value of an ordered choice that a token names. */
function valueAt<Row>(reading: Reading<Row>, field: Choice<Row>, at: number): string | null {
  const named = (reading.tokens[at]?.meanings ?? []).find((one) => one.is === 'value' && one.field === field);
  if (named?.is !== 'value') return null;
  return field.order?.find((one) => one.toLowerCase() === named.line) ?? null;
}

/** Numbers after a field: "3", "3 or above", "3 or 4", "between 2 and 4". */
function readNumbers<Row>(reading: Reading<Row>, field: Field<Row>, at: number, not: boolean): boolean {
  const { waits } = reading;
  const ownNot = waits.not || waits.lack || not;
  const number = meaning(reading, at, 'number');
  if (!number || !isComparable(reading, field)) return fail(reading);
  const is = (operator: Operator, value: number): Condition => ({ field: field.id, operator, value });
  // "Spent 1 credit or less": the unit is another name of the field.
  const unit = fieldsAt(reading, at + 1).some((one) => one.id === field.id) ? 1 : 0;
  const bound = meaning(reading, at + 1 + unit, 'bound');
  if (bound) return add(reading, field, is(bound.operator, number.number), ownNot, at + 2 + unit);
  if (unit) return add(reading, field, is('=', number.number), ownNot, at + 2);
  const second = meaning(reading, at + 1, 'or') && meaning(reading, at + 2, 'number');
  const isCounted = second && fieldAt(reading, at + 3)?.kind === 'count';
  if (second && !isCounted)
    return add(reading, field, { any: [is('=', number.number), is('=', second.number)] }, ownNot, at + 3);
  return add(reading, field, is('=', number.number), ownNot, at + 1);
}

/** "between 2 and 4": both ends belong to it. */
function readBetween<Row>(reading: Reading<Row>, field: Field<Row>, at: number, not: boolean, next = at + 4): boolean {
  const low = meaning(reading, at + 1, 'number');
  const high = meaning(reading, at + 3, 'number');
  const isWhole = low && high && (meaning(reading, at + 2, 'and') ?? reading.tokens[at + 2]?.words === 'to');
  if (!isWhole || !isComparable(reading, field)) return fail(reading);
  const all: Condition[] = [
    { field: field.id, operator: '>=', value: low.number },
    { field: field.id, operator: '<=', value: high.number },
  ];
  return add(reading, field, { all }, reading.waits.not || reading.waits.lack || not, next);
}

/** A value of a choice, with "or above" behind an ordered one. */
function readValue<Row>(reading: Reading<Row>, field: Choice<Row>, at: number, not: boolean, next = at + 1): boolean {
  const named = (reading.tokens[at]?.meanings ?? []).find(
    (one) => (one.is === 'value' || one.is === 'owned') && one.field === field,
  );
  if (!named || !('line' in named) || reading.waits.lack) return fail(reading);
  const ownNot = reading.waits.not || not;
  const bound = meaning(reading, next, 'bound');
  const ordered = valueAt(reading, field, at);
  if (bound && ordered && isComparable(reading, field))
    return add(reading, field, { field: field.id, operator: bound.operator, value: ordered }, ownNot, next + 1);
  const chosen = chooseValue(reading.entity, field, named.line, ownNot);
  if ('refused' in chosen) return fail(reading, chosen.refused);
  if (chosen.note) reading.notes.add(chosen.note);
  return add(reading, field, { field: field.id, is: [chosen.value] }, ownNot, next);
}

/** That rows have or lack a field. */
export function readPresence<Row>(reading: Reading<Row>, field: Field<Row>, next: number, lacks: boolean): boolean {
  const { waits } = reading;
  const before = reading.parts.at(-1);
  // "Controls without evidence" is about the controls, not about the rows.
  const isOfAnother = before && !waits.joins && 'has' in before.condition;
  const reaches = Boolean(before?.isNot && 'has' in before.condition && waits.joins === 'or');
  const isMeant = waits.have || waits.lack || waits.not || lacks || reaches;
  if (!isMeant || isOfAnother || field.kind === 'flag' || (lacks && (waits.lack || waits.not))) return fail(reading);
  if (field.refused && !isUsed(reading.entity, field)) return fail(reading, field.refused);
  const note = field.note?.();
  if (note) reading.notes.add(note);
  return add(reading, field, { field: field.id, has: true }, waits.lack || waits.not || lacks, next);
}

const isOpen = <Row>({ waits }: Reading<Row>) => waits.not || waits.lack || waits.joins !== null;

/** A field with what follows it. */
export function readField<Row>(reading: Reading<Row>): boolean {
  const field = fieldAt(reading, reading.at);
  if (!field) return false;
  let at = skipFill(reading, reading.at + 1);
  const not = Boolean(meaning(reading, at, 'not') ?? meaning(reading, at, 'neither'));
  if (not && (reading.waits.not || reading.waits.lack)) return fail(reading);
  if (not) at = skipFill(reading, at + 1);
  const operator = meaning(reading, at, 'operator');
  if (field.kind !== 'flag') {
    if (meaning(reading, at, 'same')) return readOperand(reading, field, '=', at + 1, not);
    if (operator) return readOperand(reading, field, operator.operator, at + 1, not);
  }
  // "Which run cost the most": the order stands behind.
  const order = meaning(reading, at, 'order');
  const isEnd = at === reading.tokens.length - 1;
  if (
    field.kind === 'number' &&
    order &&
    isEnd &&
    !not &&
    reading.order === null &&
    !reading.sort &&
    !isOpen(reading)
  ) {
    if (!isComparable(reading, field)) return true;
    reading.sort = { field: field.id, highestFirst: order.highestFirst };
    reading.at = at + 1;
    return true;
  }
  if (field.kind === 'number') {
    if (meaning(reading, at, 'between')) return readBetween(reading, field, at, not);
    if (meaning(reading, at, 'number')) return readNumbers(reading, field, at, not);
  }
  const hasValue = reading.tokens[at]?.meanings.some((one) => one.is === 'value' && one.field === field);
  if (field.kind === 'choice' && hasValue) return readValue(reading, field, at, not);
  if (not) return fail(reading);
  const lack = meaning(reading, at, 'lack');
  const isBehind = lack && !fieldAt(reading, at + 1) && !meaning(reading, at + 1, 'value');
  return readPresence(reading, field, isBehind ? at + 1 : reading.at + 1, Boolean(isBehind));
}

/** The place behind "or very high" in "high or very high likelihood". */
function behindValues<Row>(reading: Reading<Row>, from: number): number {
  let at = from;
  while (meaning(reading, at, 'or') && choicesAt(reading, at + 1, 'value').length > 0) at = skipFill(reading, at + 2);
  return at;
}

/** "Booking, Messaging or Access": what joins the last two of a list joins all of them. */
function joinList<Row>(reading: Reading<Row>, named: readonly Choice<Row>[]): void {
  const { at, waits, parts, lastField } = reading;
  const isBehindValue = parts.length > 0 && choicesAt(reading, at - 1, 'value').some((field) => field === lastField);
  if (!isBehindValue || waits.joins || waits.not || waits.lack || !named.some((field) => field === lastField)) return;
  let end = at;
  while (choicesAt(reading, end, 'value').some((field) => field === lastField)) end += 1;
  const joins = meaning(reading, end, 'or') ? 'or' : meaning(reading, end, 'and') ? 'and' : null;
  if (joins && choicesAt(reading, end + 1, 'value').some((field) => field === lastField))
    reading.waits = { ...waits, joins };
}

/** A value that stands alone, before its field's name, or after the field of the condition before. */
export function readLooseValue<Row>(reading: Reading<Row>): boolean {
  const named = choicesAt(reading, reading.at, 'value');
  if (named.length === 0) return false;
  joinList(reading, named);
  const next = skipFill(reading, reading.at + 1);
  const behind = fieldsAt(reading, behindValues(reading, next));
  const beside = named.filter((field) => behind.includes(field));
  if (beside.length > 0)
    return readPicked(reading, beside, fieldsAt(reading, next).length > 0 ? next + 1 : reading.at + 1);
  // A name of several words is no word of the question by chance.
  const isWhole = reading.tokens[reading.at]?.words.includes(' ');
  const isMeant = (field: Choice<Row>) =>
    !field.isNamed || isWhole || (field === reading.lastField && reading.waits.joins !== null);
  return readPicked(reading, named.filter(isMeant), reading.at + 1);
}

function readPicked<Row>(reading: Reading<Row>, fields: readonly Choice<Row>[], next: number): boolean {
  const field = pick(reading, fields);
  return field ? readValue(reading, field, reading.at, false, next) : fail(reading);
}

/** A bound on a field whose number is read already. */
function readBounded<Row>(reading: Reading<Row>, field: Field<Row>, operator: Operator, value: number, next: number) {
  if (!isComparable(reading, field)) return true;
  const { waits } = reading;
  return add(reading, field, { field: field.id, operator, value }, waits.not || waits.lack, next);
}

/** A bound on an ordered choice whose name stands behind the value. */
function readRanked<Row>(reading: Reading<Row>, field: Choice<Row>, operator: Operator, at: number): boolean {
  const value = valueAt(reading, field, at);
  if (value === null) return fail(reading);
  if (!isComparable(reading, field)) return true;
  const { waits } = reading;
  const next = skipFill(reading, at + 1) + 1;
  return add(reading, field, { field: field.id, operator, value }, waits.not || waits.lack, next);
}

/** "more than 3 controls", "between 2 and 4 causes", "3 controls"; without a field, the field of the part before. */
export function readAmount<Row>(reading: Reading<Row>): boolean {
  const { at, lastField, waits } = reading;
  const operator = meaning(reading, at, 'operator');
  const between = meaning(reading, at, 'between');
  const number = meaning(reading, at, 'number');
  const bound = meaning(reading, at, 'bound');
  // "Above 1 and below 3": the second bound is a condition of its own.
  if (bound && lastField?.kind === 'number' && meaning(reading, at + 1, 'number')) {
    reading.waits = { ...waits, joins: reading.tokens[at]?.words.startsWith('or') ? 'or' : 'and' };
    return readOperand(reading, lastField, bound.operator === '<=' ? '<' : '>', at + 1, false);
  }
  if (!operator && !between && !number) return false;
  // "From the audit" is no range.
  if (between && reading.tokens[at]?.words === 'from' && !meaning(reading, at + 1, 'number')) return false;
  // "A severity of 4 or 5", where severities are numbers.
  const isValue = lastField?.kind === 'choice' && choicesAt(reading, at, 'value').includes(lastField);
  if (number && waits.joins && isValue) return false;
  const orMore = number ? meaning(reading, at + 1, 'bound') : undefined;
  const last = between ? at + 3 : operator || orMore ? at + 1 : at;
  const field = fieldAt(reading, skipFill(reading, last + 1));
  if (field?.kind === 'count') {
    const next = skipFill(reading, last + 1) + 1;
    if (between) return readBetween(reading, field, at, false, next);
    const value = meaning(reading, orMore ? at : last, 'number')?.number;
    if (value === undefined || (!operator && !waits.have)) return fail(reading);
    const condition: Condition = { field: field.id, operator: (operator ?? orMore)?.operator ?? '=', value };
    return add(reading, field, condition, waits.not || waits.lack, next);
  }
  const value = operator ? meaning(reading, at + 1, 'number')?.number : undefined;
  // "Not more than 6 initial risk"; a bound behind the field would belong to it.
  const behindField = skipFill(reading, last + 1) + 1;
  if (operator && value !== undefined && field?.kind === 'number' && !meaning(reading, behindField, 'operator'))
    return readBounded(reading, field, operator.operator, value, behindField);
  const measure = reading.entity.fields.find(({ id }) => id === reading.entity.measure);
  if (operator && value !== undefined && measure && lastField?.kind !== 'number')
    return readBounded(reading, measure, operator.operator, value, at + 2);
  // "Above a medium likelihood".
  const before = fieldAt(reading, skipFill(reading, at + 2));
  if (operator && before?.kind === 'choice' && before.order && choicesAt(reading, at + 1, 'value').includes(before))
    return readRanked(reading, before, operator.operator, at + 1);
  const ranked = operator ? choicesAt(reading, at + 1, 'value').filter((one) => one.order && !one.isNamed) : [];
  const choice = ranked.length > 0 ? pick(reading, ranked) : null;
  if (operator && choice) return readOperand(reading, choice, operator.operator, at + 1, false);
  if (lastField?.kind !== 'number' || !waits.joins) return fail(reading);
  if (between) return readBetween(reading, lastField, at, false);
  return operator
    ? readOperand(reading, lastField, operator.operator, at + 1, false)
    : readNumbers(reading, lastField, at, false);
}

/** "owned by Dr Ahmed", "Dr Ahmed's", "does Dr Ahmed own". */
export function readBefore<Row>(reading: Reading<Row>): boolean {
  const { at, tokens } = reading;
  const [owned] = choicesAt(reading, at, 'owned');
  if (owned) return readValue(reading, owned, at, false);
  const behind = choicesAt(reading, at + 1, 'behind').find((field) => choicesAt(reading, at, 'value').includes(field));
  if (behind) return readValue(reading, behind, at, false, at + 2);
  // "Dr Ahmed doesn't own".
  const isNegated = meaning(reading, at + 1, 'not') && !reading.waits.not;
  const notBehind = choicesAt(reading, at + 2, 'behind').find((field) =>
    choicesAt(reading, at, 'value').includes(field),
  );
  if (isNegated && notBehind) return readValue(reading, notBehind, at, true, at + 3);
  const behindIt = skipFill(reading, at + 1);
  const not = Boolean(meaning(reading, behindIt, 'not') ?? meaning(reading, behindIt, 'neither'));
  const next = not ? skipFill(reading, behindIt + 1) : behindIt;
  const before = choicesAt(reading, at, 'before');
  const named = before.find((field) => choicesAt(reading, next, 'value').includes(field));
  if (named) return not && reading.waits.not ? fail(reading) : readValue(reading, named, next, not);
  // "Of" may also be a filler; "owned by" without a known owner is not understood.
  return before.length > 0 && tokens[at]?.meanings.every(({ is }) => is === 'before') ? fail(reading) : false;
}
