import type { AskedQuery, Beginning, Query } from '../../../models/contracts/askedQuery.ts';
import { beginningsOf, describeAsked, fitsEntity } from './chips.ts';
import { describeFound } from './describeQuery.ts';
import type { Entity, Nouns } from './entity.ts';
import { evaluate, type Found, fieldOf } from './evaluate.ts';
import { valuesOf } from './fieldValues.ts';
import { lineOf } from './lines.ts';
import { MAX_LISTED } from './listLines.ts';
import { readQuery } from './readQuery.ts';
import { readTokens } from './tokens.ts';

/** An answer in words; or what the rows lack, as a sentence to finish "I can’t answer that: ". */
type QueryAnswer =
  | {
      text: string;
      asked: AskedQuery | null;
      /** Passages of the listed rows that are somebody's words. */
      outside: string[];
    }
  | { refused: string };

/** The answer to a query that was changed without words. */
export type Answered = { text: string; asked: AskedQuery; rows: string[]; beginnings: Beginning[] };

/** A kind of row that can be asked about, whatever its rows are. */
export type Askable = {
  /** The nouns that name it. */
  nouns: readonly string[];
  /** Answers a line; null where it is not understood as a whole. */
  ask(line: string): QueryAnswer | null;
  /** The words of a line that it has no meaning for, in their order. */
  unread(line: string): string[];
  /** The words of its nouns, fields and values, of which a slip is corrected. */
  words(): readonly string[];
  /** Whether a line says anything about its rows, so that it can't be left out. */
  isAbout(line: string): boolean;
  /** Answers a query; null where it is about another kind of row, or does not fit this one. */
  answer(query: Query): Answered | null;
};

/**
 * Makes a kind of row askable: questions that count, list, sort or group its rows.
 * @param open gives the kind with its rows, which are gathered once, at the first question about them
 */
export const askable = <Row>(nouns: Nouns, open: () => Entity<Row>): Askable => {
  let opened: Entity<Row> | undefined;
  return {
    nouns: allNouns(nouns),
    ask(line) {
      opened ??= open();
      return askEntity(opened, line);
    },
    unread(line) {
      opened ??= open();
      return readTokens(opened, line).flatMap(({ words, meanings }) => (meanings.length === 0 ? [words] : []));
    },
    words() {
      opened ??= open();
      return wordsOf(opened);
    },
    isAbout(line) {
      opened ??= open();
      return readTokens(opened, line).some(({ meanings }) => meanings.some(({ is }) => !SAYS_NOTHING.has(is)));
    },
    answer(query) {
      opened ??= open();
      return answerQuery(opened, query);
    },
  };
};

const MIN_LETTERS = 5;
/** A field with more values has names or texts, in which a slip can't be told from another name. */
const MAX_VALUES = 60;

function wordsOf<Row>({ one, many, names = [], fields, rows }: Entity<Row>): string[] {
  const values = fields.flatMap((field) => {
    if (field.kind !== 'choice' || field.isText) return [];
    const own = valuesOf(field, rows);
    return own.length > MAX_VALUES ? [] : [...own.map(({ line }) => line), ...(field.usual ?? []).map(lineOf)];
  });
  const phrases = [one, many, ...names, ...fields.flatMap((field) => field.names), ...values];
  return [...new Set(phrases.flatMap((words) => words.split(' ')))].filter(({ length }) => length >= MIN_LETTERS);
}

/** Functions of words that say nothing about rows where they stand alone. */
const SAYS_NOTHING = new Set(['fill', 'have', 'and', 'before', 'behind', 'first', 'between', 'sort', 'group']);

function askEntity<Row>(entity: Entity<Row>, line: string): QueryAnswer | null {
  const tokens = readTokens(entity, line);
  const first = readQuery(entity, tokens);
  if (!first || 'refused' in first) return first;
  const readings = [first];
  for (let way = 1; way < first.ways; way += 1) {
    const other = readQuery(entity, tokens, way);
    if (!other || 'refused' in other) return other;
    readings.push(other);
  }
  const found = readings.map(({ query }) => ({ query, found: evaluate(entity, query) }));
  const texts = found.map((one) => describeFound(entity, one.query, one.found));
  const notes = [...new Set(readings.flatMap((one) => one.notes)), ...(entity.remark ? [entity.remark] : [])];
  const leftOut = first.leftOut.length > 0 ? [`I left out: ${first.leftOut.join(', ')}.`] : [];
  const text = [...texts, ...notes, ...leftOut].join('\n');
  // Of a word for two fields there are two queries, and no one of them is the question.
  return {
    text,
    asked: readings.length === 1 ? describeAsked(entity, first.query) : null,
    outside: [...new Set(found.flatMap((one) => outsideOf(entity, one.query, one.found)))],
  };
}

/** Somebody's words in the rows that an answer lists, or in its groups by a name. */
function outsideOf<Row>(entity: Entity<Row>, { group }: Query, { rows, groups }: Found<Row>): string[] {
  const field = group === undefined ? null : fieldOf(entity, group);
  if (field?.kind === 'choice' && field.isNamed) return groups.slice(0, MAX_LISTED).flatMap(({ value }) => value ?? []);
  return rows.slice(0, MAX_LISTED).flatMap((row) => (entity.outside?.(row) ?? []).flatMap((words) => words ?? []));
}

function answerQuery<Row>(entity: Entity<Row>, query: Query): Answered | null {
  if (query.entity !== entity.id || !fitsEntity(entity, query)) return null;
  const found = evaluate(entity, query);
  const { keyOf } = entity;
  return {
    text: [describeFound(entity, query, found), ...(entity.remark ? [entity.remark] : [])].join('\n'),
    asked: describeAsked(entity, query),
    rows: keyOf ? found.rows.map((row) => keyOf(row)) : [],
    beginnings: beginningsOf(entity),
  };
}

const OF_CONDITION = new Set(
  'no without with have has had lack lacks lacking missing than least most after before'.split(' '),
);

/** The nouns in a question that name what is asked for, by their place. */
const placesOf = (nouns: readonly string[], line: string) =>
  nouns.flatMap((noun) => {
    const at = ` ${line} `.indexOf(` ${noun} `);
    // "No controls" and "with tickets" are conditions on something else.
    // "Do we have valves" asks for them; "without any leaks" is a condition.
    const before = line
      .slice(0, Math.max(at, 0))
      .trim()
      .replace(/(?: |^)any$/, '');
    const isCondition =
      OF_CONDITION.has(before.split(' ').at(-1) ?? '') && !/\b(?:do|did) (?:we|you|i) have$/.test(before);
    return at < 0 || isCondition ? [] : [{ at, length: noun.length }];
  });

/** All nouns that name a kind of row. */
export const allNouns = ({ one, many, names = [] }: Nouns): string[] => [one, many, ...names];

/**
 * The one of several that a question names first; of two at one place, the one with the longer noun.
 * @returns null where it names none
 */
export function nearestOf<One>(
  all: readonly One[],
  line: string,
  nounsOf: (one: One) => readonly string[],
): One | null {
  const named = all.flatMap((one) => placesOf(nounsOf(one), line).map((place) => ({ one, ...place })));
  named.sort((one, other) => one.at - other.at || other.length - one.length);
  return named[0]?.one ?? null;
}
