/** Forms that no ending explains. */
const IRREGULAR: Record<string, string> = {
  ...{
    kept: 'keep',
    sent: 'send',
    held: 'hold',
    given: 'give',
    gave: 'give',
    taken: 'take',
    took: 'take',
    told: 'tell',
  },
  ...{
    written: 'write',
    wrote: 'write',
    found: 'find',
    left: 'leave',
    lost: 'lose',
    met: 'meet',
    paid: 'pay',
    children: 'child',
  },
};

/** A word without the endings of plurals and verbs, so that "rounded" finds "rounding". */
export function stemOf(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s$/, '');
  const plain = IRREGULAR[lower] ?? lower;
  if (plain.length <= 4) return plain.replace(/([^s])s$/, '$1').replace(/(\p{L}{3})e$/u, '$1');
  return plain
    .replace(/ies$/, 'y')
    .replace(/(?:sses)$/, 'ss')
    .replace(/([^su])s$/, '$1')
    .replace(/(?:ings?|ed)$/, '')
    .replace(/([^aeiouls])\1$/, '$1')
    .replace(/e$/, '');
}

/** A word with its stem and its place in a text. */
export type Word = { text: string; stem: string };

/** The words of a text, in order. */
export const wordsOf = (text: string): Word[] =>
  (text.match(/\p{L}[\p{L}\p{N}'’-]*|\d[\d.,:/-]*\d|\d/gu) ?? []).map((word) => ({ text: word, stem: stemOf(word) }));
