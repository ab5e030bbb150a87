/** Words before a full stop that end no sentence. */
const ABBREVIATIONS = /(?:\b(?:e\.g|i\.e|no|nos|dr|mr|mrs|ms|art|cf|vs|approx|etc|fig|incl)|\b[A-Z])\.$/i;

/**
 * Divides a text into sentences and list items, each with the white space behind it, so that they join to the text
 * again. The last one may be unfinished.
 */
export function sentencesOf(text: string): string[] {
  const pieces: string[] = [];
  let begin = 0;
  for (const { index, 0: end } of text.matchAll(/\n+|[.!?…](?:["”’)\]]|\s*\[\d+\])*\s+/g)) {
    const piece = text.slice(begin, index + end.length);
    if (!end.includes('\n') && ABBREVIATIONS.test(text.slice(begin, index + 1))) continue;
    pieces.push(piece);
    begin = index + end.length;
  }
  if (begin < text.length) pieces.push(text.slice(begin));
  return pieces;
}
