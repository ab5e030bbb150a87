const normalised = new Map<string, string>();
/** A longer text is a sentence, not a rating. */
const MAX_RATING_LENGTH = 80;
const MAX_REMEMBERED = 5000;

/** "P4" and "S2" are names of levels, not words with a number. */
const isCode = (plain: string) => /^[a-z]{1,2} ?\d{1,2}$/.test(plain);

/** A rating without case, hyphens and its number: "4 - Major" is "major"; never a guess: "Very low" is not "Low". */
export function normaliseRatingWord(text: string): string {
  if (text.length > MAX_RATING_LENGTH) return text.trim().toLowerCase();
  const known = normalised.get(text);
  if (known !== undefined) return known;
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\-–—_]+/g, ' ')
    .trim();
  const bare = isCode(plain) ? plain : plain.replace(/^\(?\d+\)?[.:) ]*|[ (]*\d+\)?$/g, '').trim();
  const word = bare || plain;
  if (normalised.size < MAX_REMEMBERED) normalised.set(text, word);
  return word;
}

type RatingWord = { word: string | null; number: number | null };
const read = new Map<string, RatingWord>();

/** The word and the number of a rating: "4 - Major" and "Major (4)" have both, "Major" and "4" have one of them. */
export function readRatingWord(text: string): RatingWord {
  const known = read.get(text);
  if (known) return known;
  const rating = splitRating(text);
  if (read.size < MAX_REMEMBERED) read.set(text, rating);
  return rating;
}

function splitRating(text: string): RatingWord {
  const plain = text.normalize('NFKC').trim();
  if (!plain || plain.length > MAX_RATING_LENGTH)
    return { word: plain ? normaliseRatingWord(text) : null, number: null };
  if (isCode(plain.toLowerCase())) return { word: normaliseRatingWord(text), number: null };
  const alone = /^\(?(\d{1,3}(?:\.\d{1,2})?)\)?$/.exec(plain)?.[1];
  if (alone) return { word: null, number: Number(alone) };
  const digits = /^\(?(\d{1,3})(?!\d)/.exec(plain)?.[1] ?? /(?<!\d)(\d{1,3})\)?$/.exec(plain)?.[1];
  return { word: normaliseRatingWord(text), number: digits === undefined ? null : Number(digits) };
}

/**
 * Whether two ratings are the same: by their words where both have one, else by their numbers. Two that share a word
 * and differ in their numbers are not the same.
 */
export function isSameRating(one: string, other: string): boolean {
  const [a, b] = [readRatingWord(one), readRatingWord(other)];
  if (a.number !== null && b.number !== null && a.number !== b.number) return false;
  if (a.word !== null && b.word !== null) return a.word === b.word;
  return a.number !== null && a.number === b.number;
}
