const MIN_LENGTH = 5;

/** Whether one letter is missing, added, wrong, or changed places with its neighbour. */
function isOneSlip(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short === long) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return short.slice(at + 1) === long.slice(at + 1) || (isSwapped && short.slice(at + 2) === long.slice(at + 2));
}

/**
 * Corrects a slip in the words that a question needs, where only one of them is meant. A word of the language is never
 * changed, as another question could be meant.
 * @param line words in lower case, joined by spaces
 * @param wanted the words that may be corrected to
 * @returns the line, and a sentence for each correction
 */
export function correctSpelling(
  line: string,
  wanted: readonly string[],
  isWord: (word: string) => boolean,
): { line: string; corrected: string[] } {
  const corrected: string[] = [];
  const words = line.split(' ').map((word) => {
    if (word.length < MIN_LENGTH || !/^[a-z]+$/.test(word) || wanted.includes(word) || isWord(word)) return word;
    const [meant, ...others] = wanted.filter((one) => one.length >= MIN_LENGTH && isOneSlip(word, one));
    if (!meant || others.length > 0) return word;
    corrected.push(`I read “${word}” as “${meant}”.`);
    return meant;
  });
  return { line: words.join(' '), corrected };
}
