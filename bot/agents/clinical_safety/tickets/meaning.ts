import { plainText } from './words.ts';
import stored from './wordVectors.generated.json' with { type: 'json' };

/** The words of a text in lower case that may have a vector. */
export const WORD = /[a-z]{2,}/g;

/** The most words of a text that count: a ticket's first sentences say what it is about. */
const MAX_WORDS = 160;
/** From this frequency on a word weighs less than half of a rare one (smooth inverse frequency, Arora et al. 2017). */
const COMMON = 1e-3;
/** Rank by which the frequency of the first words is smoothed (Zipf–Mandelbrot). */
const SMOOTHING = 10;

const { dimensions } = stored;
const words = stored.words.split(' ');
const places = new Map(words.map((word, at) => [word, at]));
const vectors = new Int8Array(Buffer.from(stored.vectors, 'base64'));
const weights = weighWords(words.length);

function weighWords(count: number): Float32Array {
  const frequencies = Float64Array.from({ length: count }, (_, rank) => 1 / (rank + SMOOTHING));
  const sum = frequencies.reduce((total, frequency) => total + frequency, 0);
  return Float32Array.from(frequencies, (frequency) => COMMON / (COMMON + frequency / sum));
}

/** What a text is about, as a vector of length 1; all zero where none of its words is known. */
export type Meaning = Float32Array;

/**
 * The meaning of a text: the mean of its words' vectors, in which common words weigh little. The vectors are those of
 * a sentence encoder, distilled (tests/eval/distil.ts; docs/evaluation.md says from what, and what they are worth).
 */
export function meaningOf(text: string): Meaning {
  const meaning = new Float32Array(dimensions);
  const found = plainText(text).toLowerCase().match(WORD) ?? [];
  for (const word of found.slice(0, MAX_WORDS)) {
    const place = places.get(word);
    if (place === undefined) continue;
    const weight = weights[place] ?? 0;
    const start = place * dimensions;
    for (let axis = 0; axis < dimensions; axis += 1)
      meaning[axis] = (meaning[axis] ?? 0) + weight * (vectors[start + axis] ?? 0);
  }
  const length = Math.sqrt(nearnessOf(meaning, meaning));
  return length === 0 ? meaning : meaning.map((value) => value / length);
}

/** How near two meanings are: 1 for the same, about 0 for unrelated ones; 0 where one is unknown. */
export function nearnessOf(one: Meaning, other: Meaning): number {
  let sum = 0;
  for (let axis = 0; axis < dimensions; axis += 1) sum += (one[axis] ?? 0) * (other[axis] ?? 0);
  return sum;
}

/** Meanings one after the other, for {@link nearnessToAll}. */
export function joinMeanings(meanings: readonly Meaning[]): Float32Array {
  const joined = new Float32Array(meanings.length * dimensions);
  for (const [at, meaning] of meanings.entries()) joined.set(meaning, at * dimensions);
  return joined;
}

/** How near a meaning is to each of those joined, in their order. */
export function nearnessToAll(joined: Float32Array, meaning: Meaning): Float32Array {
  const nearness = new Float32Array(joined.length / dimensions);
  for (let at = 0; at < nearness.length; at += 1) {
    let sum = 0;
    const start = at * dimensions;
    for (let axis = 0; axis < dimensions; axis += 1) sum += (joined[start + axis] ?? 0) * (meaning[axis] ?? 0);
    nearness[at] = sum;
  }
  return nearness;
}
