/** Number of buckets that the signs of a message are hashed into. */
export const BUCKETS = 8192;

const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
/** Weight of a part of a word, and of three words in a row, beside one word. */
const GRAM_WEIGHT = 0.5;
const TRIPLE_WEIGHT = 0.7;
const MAX_WORDS = 120;
const MAX_WORD_LENGTH = 20;

/** Words, placeholders and the signs that carry meaning. */
const TOKEN = /#?[\p{L}']+|[?!]|[<>=]+|[^\s\p{L}\p{N}.,;:()"'“”[\]{}<>=?!-]/gu;
const HAS_MEANING = /[?!\p{L}]/u;
const IS_WORD = /^\p{L}/u;

// FNV-1a, 32 bits. A sign's hash begins with that of its kind, so that a word and a part of one differ.
const START = 0x811c9dc5;
const PRIME = 0x01000193;
const addCode = (hash: number, code: number): number => Math.imul(hash ^ code, PRIME);
function addText(hash: number, text: string): number {
  let value = hash;
  for (let at = 0; at < text.length; at += 1) value = addCode(value, text.charCodeAt(at));
  return value;
}
const kindOf = (name: string): number => addText(START, name);
const WORD = kindOf('word ');
const PAIR = kindOf('pair ');
const TRIPLE = kindOf('triple ');
const GRAM = kindOf('gram ');
const LENGTH = kindOf('length ');
const SPACE = 32;

/** The buckets that a message's signs fall into, with the weight of each; of length 1 as a vector. */
export type Features = { buckets: readonly number[]; values: readonly number[] };

const lengthName = (words: number) => (words < 3 ? 'few' : words < 7 ? 'some' : words < 15 ? 'many' : 'long');

/**
 * Counts words, pairs and triples of words, and parts of words, by which slips and unknown words are met, in buckets.
 * @param line as `withPlaceholders` makes it
 */
export function featuresOf(line: string): Features {
  const words = (line.match(TOKEN) ?? []).slice(0, MAX_WORDS);
  const counts = new Map<number, number>();
  const add = (hash: number, weight: number) => {
    const bucket = (hash >>> 0) % BUCKETS;
    counts.set(bucket, (counts.get(bucket) ?? 0) + weight);
  };
  const edged = ['^', ...words, '$'];
  for (const [at, word] of edged.entries()) {
    const before = edged[at - 1];
    const second = edged[at - 2];
    if (word.length > 1 || HAS_MEANING.test(word)) add(addText(WORD, word), 1);
    if (before !== undefined) add(addText(addCode(addText(PAIR, before), SPACE), word), 1);
    if (before !== undefined && second !== undefined)
      add(addText(addCode(addText(addCode(addText(TRIPLE, second), SPACE), before), SPACE), word), TRIPLE_WEIGHT);
    if (IS_WORD.test(word)) addGrams(`<${word.slice(0, MAX_WORD_LENGTH)}>`, add);
  }
  add(addText(LENGTH, lengthName(words.length)), 1);
  const values = [...counts.values()].map(Math.sqrt);
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return { buckets: [...counts.keys()], values: values.map((value) => value / length) };
}

/** Adds the parts of a word that has a sign at either end. */
function addGrams(edged: string, add: (hash: number, weight: number) => void): void {
  for (let start = 0; start + SHORTEST_GRAM <= edged.length; start += 1) {
    let hash = GRAM;
    const end = Math.min(edged.length, start + LONGEST_GRAM);
    for (let at = start; at < end; at += 1) {
      hash = addCode(hash, edged.charCodeAt(at));
      if (at - start + 1 >= SHORTEST_GRAM) add(hash, GRAM_WEIGHT);
    }
  }
}
