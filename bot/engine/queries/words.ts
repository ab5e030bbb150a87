/** Signed numbers, fractions and comparison signs are separate words, so that "-1" is not read as 1, nor "2.5" as 2. */
const WORDS =
  /!=|<>|>=|<=|\d+(?:[.,]\d+)+|(?<![\p{L}\p{N}-])-\d+|[\p{L}\p{N}][\p{L}\p{N}'-]{0,60}|[^\s\p{L}\p{N}.,;:?!'"“”‘()[\]…-]/gu;

/** The words of a question in lower case, with signs such as "+", "/" and "≥", because each may change the meaning. */
export function questionWords(text: string): string[] {
  return text.toLowerCase().replaceAll('’', "'").match(WORDS) ?? [];
}

/** Words that negate or limit a question. A question with one of these is never answered as a similar one. */
const MEANING_CHANGING = new Set(
  "not no never none neither nor without isn't aren't wasn't weren't don't doesn't didn't haven't hasn't won't can't cannot except excluding but other than above over more greater higher exceeding least below under less fewer lower most before after since until between within older newer earlier later only both either or if unless when while > < >= <= = ≥ ≤ missing blank lack lacks lacking empty yet still longer same different differ changed because despite".split(
    ' ',
  ),
);

export const changesMeaning = (word: string) =>
  MEANING_CHANGING.has(word) || /^\d+$/.test(word) || word.startsWith('un');
