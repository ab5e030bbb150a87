import type { Sentence } from '../brief/sentences.ts';

/** A sentence says where a figure comes from: a way of finding out, with a number or a year. */
const BASIS =
  /\b(?:stud(?:y|ies)|survey(?:s|ed)?|trials?|audit(?:s|ed)?|pilots?|evaluations?|tests?|tested|measured|counted|recorded|logged|benchmarks?|interview(?:s|ed)?|questionnaires?|register|n ?= ?\d)\b/i;
const NOT_DONE = /\b(?:will|planned|plans? to|not|no|never|without|hope|expect\w*|aims?)\b|n[’']t\b/i;

const NUMBER_WORDS: Record<string, string> = {
  ...{ one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', ten: '10' },
  ...{ half: '½', halves: '½', halved: '½', doubles: '×2', doubled: '×2', twice: '×2', triples: '×3', tripled: '×3' },
};
const FIGURES =
  /(\d[\d,]*(?:\.\d+)?)\s?(%|per cent|[\p{L}]+)?|\b(one|two|three|four|five|six|seven|eight|nine|ten|half|halves|halved|doubles|doubled|twice|triples|tripled)\b(?: ([\p{L}]+))?/giu;

const stem = (word: string): string => word.toLowerCase().replace(/(?:ing|ed|es|s|e)$/u, '') || word.toLowerCase();

/** The figures of a text, each with the word behind it: "12 minut", "45 %". */
export function figuresOf(text: string): string[] {
  return [...text.matchAll(FIGURES)].map(([, digits, unit, word, after]) => {
    if (digits === undefined) return `${NUMBER_WORDS[word?.toLowerCase() ?? '']} ${stem(after ?? '')}`.trim();
    const behind = unit === '%' || unit?.toLowerCase() === 'per' ? '%' : stem(unit ?? '');
    return `${digits.replace(/,/g, '')} ${unit?.toLowerCase() === 'per cent' ? '%' : behind}`.trim();
  });
}

const DOWN =
  /\b(?:sav\w+|cuts?|cutting|reduc\w+|lower\w*|halv\w+|fell|falls|drop\w*|shorter|faster|quicker|fewer|less|decreas\w+)\b/i;
const UP =
  /\b(?:increas\w+|improv\w+|rais\w+|rose|rises?|doubl\w+|tripl\w+|gain\w*|gr[eo]w\w*|more|longer|slower|higher|boost\w*)\b/i;

const STOP = new Set(
  'a an the and or of to in on at by for with from is are was were be been it its this that than as each every per most more said say says one we our you your they their has have had do does did not no'.split(
    ' ',
  ),
);
const wordsOf = (text: string, product: string): Set<string> =>
  new Set(
    ((product === '' ? text : text.replaceAll(product, ' ')).match(/\p{L}{3,}/gu) ?? [])
      .filter((word) => !STOP.has(word.toLowerCase()))
      .map(stem),
  );

const MIN_SHARED = 2;

/** Whether a sentence names where its figures come from, and says that it was done. */
export const hasBasis = (text: string): boolean => BASIS.test(text) && /\d/.test(text) && !NOT_DONE.test(text);

function bears(evidence: string, claim: string, product: string): boolean {
  const [given, wanted] = [figuresOf(evidence), figuresOf(claim)];
  if (!wanted.every((figure) => given.includes(figure))) return false;
  for (const [direction, opposite] of [
    [DOWN, UP],
    [UP, DOWN],
  ] as const)
    if (direction.test(claim) && !opposite.test(claim) && (!direction.test(evidence) || opposite.test(evidence)))
      return false;
  const said = wordsOf(evidence, product);
  return [...wordsOf(claim, product)].filter((word) => said.has(word)).length >= MIN_SHARED;
}

/**
 * The sentence that bears a claim: it names where its figures come from, has every figure of the claim with its unit,
 * goes in the same direction, and shares two words. Its document names the product. Null where there is none.
 */
export function findEvidence(
  claim: string,
  product: string,
  sentences: readonly Sentence[],
  own: Sentence | null,
): Sentence | null {
  if (own && hasBasis(claim)) return own;
  const named = new Set(
    sentences.filter(({ text }) => product !== '' && text.includes(product)).map(({ document }) => document),
  );
  return (
    sentences.find(
      ({ text, document }) => text !== claim && named.has(document) && hasBasis(text) && bears(text, claim, product),
    ) ?? null
  );
}

const NEGATION = /\b(?:not|no|never|without)\b|n[’']t\b/i;

/** The sentence that says the same as a claim: it has every word and figure of it, and denies nothing more. */
export function findSameWords(claim: string, sentences: readonly Sentence[]): Sentence | null {
  const wanted = [...wordsOf(claim, '')];
  const figures = figuresOf(claim);
  return (
    sentences.find(({ text }) => {
      const said = wordsOf(text, '');
      const given = figuresOf(text);
      if (NEGATION.test(text) !== NEGATION.test(claim)) return false;
      return wanted.every((word) => said.has(word)) && figures.every((figure) => given.includes(figure));
    }) ?? null
  );
}
