import { onFirstUse } from '../../../../models/onFirstUse.ts';
import { findBest } from './ranking.ts';
import { plainText } from './words.ts';
import stored from './wordVectors.generated.json' with { type: 'json' };

/** The words of a text in lower case that may have a vector. */
export const WORD = /[a-z]{2,}/g;

/** At most this many words of a text count: a ticket's first sentences say what it is about. */
const MAX_WORDS = 160;
/** From this frequency on a word weighs less than half of a rare one (smooth inverse frequency, Arora et al. 2017). */
const COMMON = 1e-3;
/** Rank by which the frequency of the first words is smoothed (Zipf–Mandelbrot). */
const SMOOTHING = 10;

const { dimensions } = stored;
const readWords = onFirstUse(() => {
  const words = stored.words.split(' ');
  return {
    places: new Map(words.map((word, at) => [word, at])),
    vectors: new Int8Array(Buffer.from(stored.vectors, 'base64')),
    weights: weighWords(words.length),
  };
});
/** Whether a word in lower case is one of the frequent words of English. */
export const isEnglish = (word: string): boolean => readWords().places.has(word);

function weighWords(count: number): Float32Array {
  const frequencies = Float64Array.from({ length: count }, (_, rank) => 1 / (rank + SMOOTHING));
  const sum = frequencies.reduce((total, frequency) => total + frequency, 0);
  return Float32Array.from(frequencies, (frequency) => COMMON / (COMMON + frequency / sum));
}

/** The meaning of a text, as a vector of length 1; all zero where none of its words is known. */
export type Meaning = Float32Array;

/**
 * The meaning of a text: the mean of its words' vectors, in which common words weigh little. The vectors are those of
 * a sentence encoder, distilled (tests/eval/distil.ts; docs/evaluation.md says from what, and what they are worth).
 */
export function meaningOf(text: string): Meaning {
  const { places, vectors, weights } = readWords();
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
  // Two sums, because each addition waits for the one before it; and no `?? 0`, which takes longer than a product.
  let even = 0;
  let odd = 0;
  for (let axis = 0; axis < dimensions; axis += 2) {
    even += one[axis]! * other[axis]!;
    odd += one[axis + 1]! * other[axis + 1]!;
  }
  return even + odd;
}

/** Up to this many meanings, each is compared; of more, this many from the groups nearest to the text. */
const MAX_COMPARED = 400;
const GROUPS = 64;

/** Meanings in groups, each around one of them, for {@link findNearest}. */
export type MeaningIndex = { meanings: readonly Meaning[]; groups: { middle: Meaning; places: number[] }[] };

/** Groups meanings around some of them. A log has 10,000 hazards and an export thousands of tickets to compare. */
export function indexMeanings(meanings: readonly Meaning[]): MeaningIndex {
  const step = Math.max(1, Math.floor(meanings.length / GROUPS));
  const middles = meanings.length > MAX_COMPARED ? meanings.filter((_, at) => at % step === 0) : meanings.slice(0, 1);
  const groups = middles.map((middle): MeaningIndex['groups'][number] => ({ middle, places: [] }));
  for (const [at, meaning] of meanings.entries()) groups[nearestOf(middles, meaning)]?.places.push(at);
  return { meanings, groups };
}

function nearestOf(middles: readonly Meaning[], meaning: Meaning): number {
  let nearest = 0;
  let most = -1;
  for (const [at, middle] of middles.entries()) {
    const nearness = nearnessOf(middle, meaning);
    if (nearness > most) [nearest, most] = [at, nearness];
  }
  return nearest;
}

/** The places of meanings near to one, the nearest first: of many, the nearest of the groups that are nearest. */
export function findNearest({ meanings, groups }: MeaningIndex, meaning: Meaning, count: number): number[] {
  const order = groups
    .map(({ middle, places }) => ({ places, nearness: nearnessOf(middle, meaning) }))
    .sort((one, other) => other.nearness - one.nearness);
  const nearness = new Float32Array(2 * MAX_COMPARED);
  const compared = new Uint32Array(2 * MAX_COMPARED);
  let size = 0;
  for (const { places } of order) {
    if (size >= MAX_COMPARED) break;
    for (const place of places) {
      if (size === compared.length) break;
      compared[size] = place;
      nearness[size] = nearnessOf(meaning, meanings[place]!);
      size += 1;
    }
  }
  return findBest(nearness.subarray(0, size), count).flatMap(({ at }) => compared[at] ?? []);
}
