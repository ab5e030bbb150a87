import { describeFound } from './describeQuery.ts';
import type { Entity, Nouns } from './entity.ts';
import { evaluate } from './evaluate.ts';
import { readQuery } from './readQuery.ts';
import { readTokens } from './tokens.ts';

/** An answer in words; or what the rows lack, as a sentence to finish "I can’t answer that: ". */
type QueryAnswer = { text: string } | { refused: string };

/** A kind of row that can be asked about, whatever its rows are. */
export type Askable = {
  /** The nouns that name it. */
  nouns: readonly string[];
  /** Answers a line; null where it is not understood as a whole. */
  ask(line: string): QueryAnswer | null;
};

/**
 * Makes a kind of row askable: questions that count, list, sort or group its rows.
 * @param open gives the kind with its rows, which are gathered only for a question about them
 */
export const askable = <Row>({ one, many, names = [] }: Nouns, open: () => Entity<Row>): Askable => ({
  nouns: [one, many, ...names],
  ask(line) {
    const entity = open();
    const tokens = readTokens(entity, line);
    const first = readQuery(entity, tokens);
    if (!first || 'refused' in first) return first;
    const readings = [first];
    for (let way = 1; way < first.ways; way += 1) {
      const other = readQuery(entity, tokens, way);
      if (!other || 'refused' in other) return other;
      readings.push(other);
    }
    const texts = readings.map(({ query }) => describeFound(entity, query, evaluate(entity, query)));
    const notes = [...new Set(readings.flatMap((one) => one.notes))];
    const leftOut = first.leftOut.length > 0 ? [`I left out: ${first.leftOut.join(', ')}.`] : [];
    return { text: [...texts, ...notes, ...leftOut].join('\n') };
  },
});

const OF_CONDITION = new Set('no without with have has had lack lacks lacking missing than least most'.split(' '));

/** Where a question first names one of these nouns; -1 where it names none. */
function placeOf({ nouns }: Askable, line: string): number {
  const places = nouns
    .map((noun) => ` ${line} `.indexOf(` ${noun} `))
    // "No controls" and "with tickets" are conditions on something else.
    .filter((at) => at >= 0 && !OF_CONDITION.has(line.slice(0, at).trim().split(' ').at(-1) ?? ''));
  return places.length > 0 ? Math.min(...places) : -1;
}

/**
 * Answers a question from the kind of row that it names first; where it names none, from the first of the list.
 * @param line the question's words in lower case, joined by spaces, without articles and courtesy
 * @returns null where the question is not understood as a whole
 */
export function answerQuery(all: readonly Askable[], line: string): QueryAnswer | null {
  const named = all.map((one) => ({ one, at: placeOf(one, line) })).filter(({ at }) => at >= 0);
  const [nearest] = named.toSorted((one, other) => one.at - other.at);
  return (nearest?.one ?? all[0])?.ask(line) ?? null;
}
