import type { AskedQuery, Beginning, ListedRows, Query } from '../../../models/contracts/askedQuery.ts';
import { beginningsOf, describeAsked, fitsEntity } from './chips.ts';
import { describeFound } from './describeQuery.ts';
import type { Entity, Nouns } from './entity.ts';
import { evaluate } from './evaluate.ts';
import { valuesOf } from './fieldValues.ts';
import { adoptQuery } from './followUps/adoptQuery.ts';
import { followIn } from './followUps/followIn.ts';
import type { FollowUp } from './followUps/followUp.ts';
import { lineOf } from './lines.ts';
import { listRows } from './listRows.ts';
import { allNouns } from './nouns.ts';
import { readWays } from './readWays.ts';
import { type QueryAnswer, sayQueries } from './sayQueries.ts';
import { readTokens } from './tokens.ts';

/** The answer to a query that was changed without words. */
export type Answered = {
  text: string;
  asked: AskedQuery;
  rows: string[];
  listed: ListedRows | null;
  beginnings: Beginning[];
};

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
  /**
   * Answers a message that goes on from an earlier query about these rows; null where what it says is not understood.
   * @param write puts a question into the words that are read
   */
  follow(base: Query, followUp: FollowUp, write: (asked: string) => string): Followed | null;
  /** The same query about these rows instead of those of another kind, whose fields have these nouns. */
  adopt(base: Query, nounOf: (field: string) => string): Followed;
  /** The noun of a field: "residual risk"; its id where there is none. */
  nounOf(field: string): string;
};

/** An answer that goes on from an earlier one, or why there is none. */
type Followed = QueryAnswer | { cannot: string };

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
    follow(base, followUp, write) {
      opened ??= open();
      return followIn(opened, base, followUp, write);
    },
    adopt(base, nounOf) {
      opened ??= open();
      return adoptQuery(opened, base, nounOf);
    },
    nounOf(field) {
      opened ??= open();
      return opened.fields.find(({ id }) => id === field)?.noun ?? field;
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
  const read = readWays(entity, line);
  if (!read || 'refused' in read) return read;
  return sayQueries(entity, read.queries, read);
}

function answerQuery<Row>(entity: Entity<Row>, query: Query): Answered | null {
  if (query.entity !== entity.id || !fitsEntity(entity, query)) return null;
  const found = evaluate(entity, query);
  const { keyOf } = entity;
  return {
    text: [describeFound(entity, query, found), ...(entity.remark ? [entity.remark] : [])].join('\n'),
    asked: describeAsked(entity, query),
    rows: keyOf ? found.rows.map((row) => keyOf(row)) : [],
    listed: keyOf ? null : listRows(entity, query),
    beginnings: beginningsOf(entity),
  };
}
