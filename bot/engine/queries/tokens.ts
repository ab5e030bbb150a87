import type { Entity, Field } from './entity.ts';
import { valuesOf } from './fieldValues.ts';
import { GRAMMAR, type Grammar } from './grammar.ts';
import { type Choice, lineOf } from './lines.ts';

/** A value of a choice as rows hold it, and as a question names it. */
type Named<Row> = { field: Choice<Row>; line: string };

export type Meaning<Row> =
  | Grammar
  | { is: 'noun' }
  | { is: 'field'; field: Field<Row> }
  | { is: 'before'; field: Choice<Row> }
  | { is: 'blank'; field: Field<Row> }
  | { is: 'flag'; field: Field<Row>; flag: boolean }
  /** A value, or "Dr Ahmed's". */
  | ({ is: 'value' | 'owned' } & Named<Row>)
  /** Behind a value: "own". */
  | { is: 'behind'; field: Choice<Row> };

/** A phrase of the question with all that it may mean; a word that means nothing here has no meanings. */
export type Token<Row> = { words: string; meanings: readonly Meaning<Row>[] };

/** The values of a choice that stand in a question, as it names them. Rows and values can be thousands. */
function linesIn<Row>(field: Choice<Row>, rows: readonly Row[], question: string): Set<string> {
  const { usual = [], order = [], isText } = field;
  if (isText) return new Set();
  const lines = [
    ...[...usual, ...order].map(lineOf),
    ...valuesOf(field, rows).flatMap(({ line, head }) => [line, ...(head ? [head] : [])]),
  ];
  return new Set([...lines, ...(field.isPerson ? namesIn(field, rows) : [])].filter((line) => question.includes(line)));
}

/** Single names that only one person of a field has. */
function namesIn<Row>(field: Choice<Row>, rows: readonly Row[]): string[] {
  const names = valuesOf(field, rows).flatMap(({ line }) => (line.includes(' ') ? line.split(' ') : []));
  return names.filter((name) => name.length > 1 && names.indexOf(name) === names.lastIndexOf(name));
}

/** The phrases of an entity and what they mean; of values, those that may stand in the question. */
function readPhrases<Row>({ one, many, names = [], fields, rows }: Entity<Row>, question: string) {
  const phrases = new Map<string, Meaning<Row>[]>();
  const add = (words: string, meaning: Meaning<Row>) => {
    if (words) phrases.set(words, [...(phrases.get(words) ?? []), meaning]);
  };
  for (const [words, does] of GRAMMAR) for (const each of does) add(words, each);
  for (const noun of [one, many, ...names])
    for (const words of [noun, `all ${noun}`, `every ${noun}`, `each ${noun}`]) add(words, { is: 'noun' });
  for (const field of fields) {
    for (const name of field.names) add(name, { is: 'field', field });
    for (const words of field.blank ?? []) add(words, { is: 'blank', field });
    if (field.kind === 'flag') {
      for (const words of field.yes.words) add(words, { is: 'flag', field, flag: true });
      for (const words of field.no.words) add(words, { is: 'flag', field, flag: false });
    }
    if (field.kind !== 'choice') continue;
    for (const words of field.before ?? []) add(words, { is: 'before', field });
    for (const words of field.behind ?? []) add(words, { is: 'behind', field });
    for (const line of linesIn(field, rows, question)) {
      add(line, { is: 'value', field, line });
      if (field.behind) add(`${line}'s`, { is: 'owned', field, line });
    }
  }
  return phrases;
}

const WHOLE = /^\d{1,6}$/;
const FRACTION = /^\d{1,6}(?:\.\d{1,3})?$/;
/** Longer phrases are not looked for. */
const MAX_WORDS = 12;

/** Splits a question into phrases, at each place the longest that means anything. */
export function readTokens<Row>(entity: Entity<Row>, line: string): Token<Row>[] {
  const phrases = readPhrases(entity, line);
  const words = line === '' ? [] : line.split(' ');
  const hasFractions = entity.fields.some((field) => field.kind === 'number' && field.hasFractions);
  const tokens: Token<Row>[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(MAX_WORDS, words.length - at);
    while (length > 1 && !phrases.has(words.slice(at, at + length).join(' '))) length -= 1;
    const phrase = words.slice(at, at + length).join(' ');
    const number = (hasFractions ? FRACTION : WHOLE).test(phrase)
      ? [{ is: 'number' as const, number: Number(phrase) }]
      : [];
    tokens.push({ words: phrase, meanings: [...number, ...(phrases.get(phrase) ?? [])] });
    at += length;
  }
  return tokens;
}
