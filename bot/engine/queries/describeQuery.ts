import type { Condition, Operator, Query } from '../../../models/contracts/askedQuery.ts';
import { type Entity, type Field, type Phrase, VERBS } from './entity.ts';
import { type Found, fieldOf, fieldsIn, relationOf } from './evaluate.ts';
import { listLines } from './listLines.ts';
import { withArticle } from './withArticle.ts';

const OPERATORS: Record<Operator, string> = {
  '=': 'of',
  '<': 'below',
  '<=': 'at most',
  '>': 'above',
  '>=': 'at least',
};
const OF_TWO: Record<Operator, string> = {
  '=': 'the same as its',
  '<': 'below its',
  '<=': 'at most its',
  '>': 'above its',
  '>=': 'at least its',
};
const OF_COUNTS: Record<Operator, string> = {
  '=': 'exactly',
  '<': 'fewer than',
  '<=': 'at most',
  '>': 'more than',
  '>=': 'at least',
};

/** How an answer says each comparison with a field. */
export const wordsOfOperators = <Row>({ kind }: Field<Row>): Record<Operator, string> =>
  kind === 'count' ? OF_COUNTS : OPERATORS;

const quoted = (values: readonly string[]) => values.map((value) => `“${value}”`).join(' or ');

/** "a recorded risk from 2 to 4": both bounds of one field; null for anything else. */
function betweenOf<Row>(entity: Entity<Row>, [low, high, ...others]: readonly Condition[]): Phrase | null {
  if (!low || !high || others.length > 0 || !('value' in low) || !('value' in high)) return null;
  if (low.field !== high.field || low.operator !== '>=' || high.operator !== '<=') return null;
  const { noun, kind } = fieldOf(entity, low.field);
  const range = `${low.value} to ${high.value}`;
  return { verb: 'have', rest: kind === 'count' ? `${range} ${noun}s` : `${withArticle(noun)} from ${range}` };
}

/** A condition in words; `isNot` where it is negated. */
function phraseOf<Row>(entity: Entity<Row>, condition: Condition, isNot = false): Phrase[] {
  if ('not' in condition) return phraseOf(entity, condition.not, !isNot);
  if ('all' in condition || 'any' in condition) {
    const parts = 'all' in condition ? condition.all : condition.any;
    const between = 'all' in condition && !isNot ? betweenOf(entity, parts) : null;
    if (between) return [between];
    // Negated, "all" becomes "any" of the negations.
    const join = 'all' in condition === isNot ? ' or ' : ' and ';
    return [
      joinPhrases(
        parts.flatMap((one) => phraseOf(entity, one, isNot)),
        join,
      ),
    ];
  }
  if ('via' in condition) return [relatedPhrase(entity, condition, isNot)];
  const field = fieldOf(entity, condition.field);
  const have = (rest: string): Phrase[] => [{ verb: 'have', rest }];
  if ('has' in condition) return have(condition.has === isNot ? field.lacks : field.has);
  if ('flag' in condition && field.kind === 'flag') return [condition.flag === isNot ? field.no.says : field.yes.says];
  if ('is' in condition)
    return have(
      isNot
        ? `${withArticle(field.noun)} other than ${quoted(condition.is)}`
        : `the ${field.noun} ${quoted(condition.is)}`,
    );
  if (!('operator' in condition)) return [];
  const { operator } = condition;
  const noun = isNot ? `no ${field.noun}` : withArticle(field.noun);
  if ('other' in condition) return have(`${noun} ${OF_TWO[operator]} ${fieldOf(entity, condition.other).noun}`);
  if (field.kind === 'count') {
    const counted = condition.value === 1 ? field.noun : `${field.noun}s`;
    return have(`${isNot ? 'not ' : ''}${OF_COUNTS[operator]} ${condition.value} ${counted}`);
  }
  const value = typeof condition.value === 'string' ? `“${condition.value}”` : condition.value;
  return have(`${noun} ${OPERATORS[operator]} ${value}`);
}

/** "belong to a pipe that is shut". */
function relatedPhrase<Row>(
  entity: Entity<Row>,
  { via, where }: { via: string; where: Condition },
  isNot: boolean,
): Phrase {
  const { verb, before, to } = relationOf(entity, via);
  const other = to();
  const noun = isNot ? `no ${other.one}` : withArticle(other.one);
  const says = sayPhrase(joinPhrases(phraseOf(other, where), ' and '), true);
  return { verb, rest: `${before ? `${before} ` : ''}${noun} that ${says}` };
}

/** Joins conditions; a verb is not said twice in a row. */
function joinPhrases(phrases: readonly Phrase[], join: string): Phrase {
  const [first, ...others] = phrases;
  if (!first) return { verb: 'have', rest: '' };
  let last = first.verb;
  const rest = others.map(({ verb, rest: words }) => {
    const said = verb === last ? words : `${verb} ${words}`;
    last = verb;
    return said;
  });
  return { verb: first.verb, rest: [first.rest, ...rest].join(join) };
}

/** `singular` picks the form of each verb: "has", "have". */
function sayPhrase({ verb, rest }: Phrase, singular: boolean): string {
  const start = singular ? VERBS[verb] : verb;
  return `${start} ${singular ? rest.replace(/(?<= (?:and|or) )(?:have|are|mention|belong|concern)(?= )/g, (one) => VERBS[one as keyof typeof VERBS]) : rest}`;
}

/** A condition in words, as of several rows: "have a recorded risk above 2". */
export const describeCondition = <Row>(entity: Entity<Row>, condition: Condition): string =>
  sayPhrase(joinPhrases(phraseOf(entity, condition), ' and '), false);

/** The sentence on rows that a missing value leaves open; null where there are none. */
function describeOpen<Row>(entity: Entity<Row>, query: Query, { open }: Found<Row>): string | null {
  if (open.length === 0) return null;
  const names = [...fieldsIn(query.where), ...(query.sort ? [query.sort.field] : [])];
  const missing = [...new Set(names)]
    .map((name) => fieldOf(entity, name))
    .filter((field) => field.kind !== 'count' && open.some((row) => isBlank(field.read(row))));
  const [count, noun] = [open.length, open.length === 1 ? entity.one : entity.many];
  const lacks = [...missing.map((field) => field.lacks), ...lacksBehind(entity, query.where)];
  const why = lacks.join(' or ') || 'a value that can’t be compared';
  return `${count} more ${noun} ${count === 1 ? 'has' : 'have'} ${why}, and ${count === 1 ? 'is' : 'are'} not counted here.`;
}
/** What rows of other kinds may lack: "a leak with no date". */
function lacksBehind<Row>(entity: Entity<Row>, where: Condition | null): string[] {
  if (!where) return [];
  if ('all' in where) return where.all.flatMap((one) => lacksBehind(entity, one));
  if ('any' in where) return where.any.flatMap((one) => lacksBehind(entity, one));
  if ('not' in where) return lacksBehind(entity, where.not);
  if (!('via' in where)) return [];
  const other = relationOf(entity, where.via).to();
  const fields = fieldsIn(where.where).map((name) => fieldOf(other, name));
  const open = fields.filter((field) => field.kind !== 'count' && other.rows.some((row) => isBlank(field.read(row))));
  return open.map(({ lacks }) => `${withArticle(other.one)} with ${lacks}`);
}
const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

/** "the highest recorded risk", "the most controls". */
function describeBest<Row>({ kind, noun }: Field<Row>, highestFirst: boolean, isSeveral: boolean): string {
  if (kind === 'count') return `the ${highestFirst ? 'most' : 'fewest'} ${noun}s`;
  return `the ${highestFirst ? 'highest' : 'lowest'} ${noun}${isSeveral ? 's' : ''}`;
}

/** An answer: the count and the condition first, then the first rows, then what was not counted. */
export function describeFound<Row>(entity: Entity<Row>, query: Query, found: Found<Row>): string {
  const { rows, groups } = found;
  const total = entity.rows.length;
  const noun = (count: number) => (count === 1 ? entity.one : entity.many);
  const phrase = query.where ? joinPhrases(phraseOf(entity, query.where), ' and ') : null;
  const sorted = query.sort && { ...query.sort, field: fieldOf(entity, query.sort.field) };
  const best = sorted ? describeBest(sorted.field, sorted.highestFirst, query.limit !== undefined) : null;
  let head: string;
  if (sorted && (query.limit ?? 1) >= total) {
    const by = sorted.field.kind === 'count' ? `number of ${sorted.field.noun}s` : sorted.field.noun;
    const order = `by ${by}, the ${sorted.highestFirst ? 'highest' : 'lowest'} first`;
    head = `${rows.length} ${noun(rows.length)} of ${total}${phrase ? ` ${sayPhrase(phrase, rows.length === 1)}` : ''}, ${order}`;
  } else if (best) {
    const among = phrase ? `, of those that ${sayPhrase(phrase, false)}` : '';
    head = `${rows.length} ${noun(rows.length)} of ${total} ${rows.length === 1 ? 'has' : 'have'} ${best}${among}`;
  } else if (phrase) head = `${rows.length} ${noun(rows.length)} of ${total} ${sayPhrase(phrase, rows.length === 1)}`;
  else if (query.group) head = `${total} ${noun(total)} by ${fieldOf(entity, query.group).noun}`;
  else
    head =
      rows.length < total ? `${rows.length} ${noun(rows.length)} of ${total}, the first` : `${total} ${noun(total)}`;
  if (query.group) {
    if (phrase) head += `, by ${fieldOf(entity, query.group).noun}`;
    const { lacks } = fieldOf(entity, query.group);
    const lines = groups.map(({ value, count }) => `${value ?? lacks}: ${count}`);
    return joined(lines.length > 0 ? `${head}:\n${listLines(lines)}` : `${head}.`, describeOpen(entity, query, found));
  }
  const line = (row: Row) => {
    const value = sorted?.field.read(row);
    return value === undefined || value === null ? entity.line(row) : `${entity.line(row)} (${value})`;
  };
  const body = rows.length === 0 ? `${head}.` : `${head}:\n${listLines(rows.map(line))}`;
  return joined(body, describeOpen(entity, query, found));
}

const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join('\n');
