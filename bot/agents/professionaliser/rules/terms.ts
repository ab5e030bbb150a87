import type { Paragraph } from '../word/paragraphs.ts';

/** A term that the document defines itself. */
export type Term = { term: string; meaning: string; at: number };

/** Spellings of one word that the document uses side by side, the most frequent first. */
export type Variant = {
  /** The letters that they share. */
  key: string;
  spellings: readonly { text: string; count: number }[];
  /** The spelling that the document defines; null where a person has to choose. */
  sure: string | null;
  /** A sentence that uses one of them. */
  example: string;
};

export type Terms = {
  terms: readonly Term[];
  variants: readonly Variant[];
  /** Abbreviations that are used and nowhere written out. */
  unexplained: readonly { text: string; at: number }[];
};

const MEANS =
  /^\s*[“"']?(\p{L}[\p{L}\d /&-]{1,50}?)[”"']?\s+(?:means|is defined as|refers to|stands for)\s+(\S.{2,300})$/iu;
const LISTED = /^\s*[•*–-]?\s*[“"']?(\p{L}[\p{L}\d /&-]{1,50}?)[”"']?\s{0,20}(?:[:–—\t]| - )\s{0,20}(\S.{2,300})$/u;
const DEFINITIONS = /^(?:\d[\d.]*\s*)?(?:terms|definitions|glossary|abbreviations|acronyms)\b/i;
const IN_BRACKETS = /(?<![\p{L}-])((?:[\p{L}-]+ ){1,7}[\p{L}-]+) \(([A-Z][A-Za-z]{1,7})s?\)/gu;
const WRITTEN_AFTER = /\b([A-Z]{2,8}) \(((?:[\p{L}-]+ ){1,7}[\p{L}-]+)\)/gu;
const PRONOUN = /^(?:this|that|it|which|what|he|she|they|there|who|note|here|each|the (?:following|above))\b/i;

/** The end of a phrase whose words begin with the letters of an abbreviation; null where none does. */
function phraseFor(words: string, short: string): string | null {
  const all = words.split(' ');
  const letters = short.replace(/[^A-Za-z]/g, '').toLowerCase();
  for (let from = all.length - 1; from >= 0; from -= 1) {
    const phrase = all.slice(from);
    const initials = phrase.flatMap((word) => word.split('-')).map((word) => word.charAt(0).toLowerCase());
    const withoutSmall = phrase
      .filter((word) => !/^(?:of|and|for|the|in|to|on)$/i.test(word))
      .flatMap((word) => word.split('-'))
      .map((word) => word.charAt(0).toLowerCase());
    if (initials.join('') === letters || withoutSmall.join('') === letters) return phrase.join(' ');
  }
  return null;
}

function findTerms(paragraphs: readonly Paragraph[], headingAts: ReadonlySet<number>): Term[] {
  const found: Term[] = [];
  let isGlossary = false;
  const add = (term: string, meaning: string, at: number): void => {
    if (!PRONOUN.test(term) && !found.some((one) => one.term.toLowerCase() === term.toLowerCase()))
      found.push({ term: term.trim(), meaning: meaning.trim(), at });
  };
  for (const [place, { at, text, isInTable }] of paragraphs.entries()) {
    if (headingAts.has(at)) {
      isGlossary = DEFINITIONS.test(text.trim());
      continue;
    }
    const [, term, meaning] = MEANS.exec(text) ?? (isGlossary && !isInTable ? (LISTED.exec(text) ?? []) : []);
    if (term !== undefined && meaning !== undefined && term.split(' ').length <= 6) add(term, meaning, at);
    const next = paragraphs[place + 1];
    // Rows of a glossary's table: the term, then what it means.
    if (isGlossary && isInTable && next?.isInTable && /\s/.test(next.text.trim()) && text.trim().split(' ').length <= 5)
      if (text.trim() !== '' && next.text.trim().length > text.trim().length) add(text, next.text, at);
    for (const [, words = '', short = ''] of text.matchAll(IN_BRACKETS)) {
      const phrase = phraseFor(words, short);
      if (phrase) add(short, phrase, at);
    }
    for (const [, short = '', words = ''] of text.matchAll(WRITTEN_AFTER))
      if (phraseFor(words, short)) add(short, words, at);
  }
  return found;
}

/** Abbreviations that readers know without an explanation. */
const KNOWN = new Set(
  'UK EU US USA NHS ISO IEC EN BS PDF ID IT URL AM PM CSV XML JSON USB PIN OK FAQ SMS PC TV GB MB KB HTML API SOP NOTE AND OR NOT'.split(
    ' ',
  ),
);

/** Abbreviations that no term explains; what the document also writes in small letters is a word in capitals. */
function findUnexplained(paragraphs: readonly Paragraph[], terms: readonly Term[]): Terms['unexplained'] {
  const explained = new Set(terms.map(({ term }) => term));
  const small = new Set(
    paragraphs
      .flatMap(({ text }) => text.match(/(?<![\p{L}\d])\p{L}\p{Ll}{1,5}(?![\p{L}\d])/gu) ?? [])
      .map((word) => word.toLowerCase()),
  );
  const found = new Map<string, number>();
  for (const { at, text } of paragraphs) {
    // A line in capitals holds words, not abbreviations.
    if (text === text.toUpperCase()) continue;
    for (const [, short = ''] of text.matchAll(/(?<![\p{L}\d-])([A-Z]{2,6})(?:s)?(?![\p{L}\d-])/gu)) {
      const isWord = small.has(short.toLowerCase()) || /^[IVXLC]+$|^TB[ACD]$|^TODO$/.test(short);
      if (!isWord && !KNOWN.has(short) && !explained.has(short) && !found.has(short)) found.set(short, at);
    }
  }
  return [...found].map(([text, at]) => ({ text, at }));
}

/** The letters of a spelling, with British and American endings as one, and without the hyphen. */
export const spellingKey = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[-\s]/g, '')
    .replace(/is(e[sd]?|ing|ations?|er)$/, 'iz$1')
    .replace(/ys(e[sd]?|ing)$/, 'yz$1')
    .replace(/(col|fav|hon|lab|behavi|neighb)our/, '$1or')
    .replace(/centre/, 'center')
    .replace(/^(p|h)ae/, '$1e')
    .replace(/(cancel|label|travel|model|signal|level|channel)l(ed|ing)$/, '$1$2');

/** A word without the ending of its plural. */
export const singularOf = (word: string): string =>
  /[^sui]s$/i.test(word) && word.length > 4 ? word.slice(0, -1) : word;

/** What is quoted is somebody else's spelling, and addresses and names of files have their own. */
const APART =
  /“[^”]{0,1000}”|"[^"]*"|`[^`]*`|\S{0,100}(?:@|:\/\/|www\.)\S*|\b[\w-]{1,100}\.(?:docx?|xlsx?|pdf|md|txt|csv)\b/gi;

/** A text of the same length without what has a spelling of its own. */
const withoutQuotes = (text: string): string => text.replace(APART, (whole) => ' '.repeat(whole.length));

const WORD = /(?<![\p{L}\d])\p{L}+(?:-\p{L}+)*(?![\p{L}\d])/gu;
/** Shorter words are too often another word. */
const MIN_LETTERS = 5;

/** A word of a text, or two of them side by side, with its place. */
type Place = { from: number; to: number; word: string };

/** The words of a text, and its pairs of words; what is quoted is left out. */
export function wordsAndPairs(text: string): Place[] {
  const plain = withoutQuotes(text);
  const words = [...plain.matchAll(WORD)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    word: match[0],
  }));
  const pairs = words.flatMap(({ from, to, word }, at): Place[] => {
    const next = words[at + 1];
    return next && plain.slice(to, next.from) === ' ' ? [{ from, to: next.to, word: `${word} ${next.word}` }] : [];
  });
  return [...words, ...pairs];
}

const isJoined = (known: Seen | undefined, pair: string): boolean =>
  known !== undefined && !FUNCTION_WORD.test(pair) && [...known.counts.keys()].some((one) => /^\p{L}+$/u.test(one));

type Seen = { counts: Map<string, number>; example: string };

/** A pair that begins so is two words of a sentence. */
const FUNCTION_WORD = /^(?:an?|the|in|on|of|to|for|by|or|and|is|it|as|at|with|be|no|not|non|un|re|all|any|may|can)\s/i;

/**
 * The spellings of each word by its key. Two words count where they are also written together without a hyphen: others
 * are neighbours, or a verb beside its noun ("sign off" and "sign-off").
 */
function countSpellings(paragraphs: readonly Paragraph[]): Map<string, Seen> {
  const places = paragraphs.flatMap(({ text }) => wordsAndPairs(text).map(({ word }) => ({ word, text })));
  const isPair = ({ word }: { word: string }) => word.includes(' ');
  const seen = new Map<string, Seen>();
  for (const { word, text } of [...places.filter((it) => !isPair(it)), ...places.filter(isPair)]) {
    if (word === word.toUpperCase()) continue;
    const spelling = singularOf(word.toLowerCase());
    const key = spellingKey(spelling);
    const known = seen.get(key);
    if (key.length < MIN_LETTERS || (isPair({ word }) && !isJoined(known, spelling))) continue;
    const one = known ?? { counts: new Map<string, number>(), example: text };
    one.counts.set(spelling, (one.counts.get(spelling) ?? 0) + 1);
    seen.set(key, one);
  }
  return seen;
}

/** Spellings that the letters alone make one, and that are two words. */
const DIFFERENT: readonly (readonly string[])[] = [
  ['every day', 'everyday'],
  ['may be', 'maybe'],
  ['all ready', 'already'],
  ['any one', 'anyone'],
  ['every one', 'everyone'],
  ['some time', 'sometime'],
  ['in to', 'into'],
  ['re-sign', 'resign'],
  ['re-cover', 'recover'],
  ['re-form', 'reform'],
  ['program', 'programme'],
];
const areDifferent = (spellings: readonly string[]): boolean =>
  DIFFERENT.some((pair) => spellings.every((spelling) => pair.includes(spelling)));

const LONGEST_EXAMPLE = 160;

function findVariants(paragraphs: readonly Paragraph[], terms: readonly Term[]): Variant[] {
  const defined = new Map(terms.map(({ term }) => [spellingKey(singularOf(term)), singularOf(term.toLowerCase())]));
  return [...countSpellings(paragraphs)].flatMap(([key, { counts, example }]): Variant[] => {
    if (counts.size < 2 || areDifferent([...counts.keys()])) return [];
    const spellings = [...counts]
      .map(([text, count]) => ({ text, count }))
      .sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1));
    const own = defined.get(key);
    // A pair of words can be a verb where the hyphened word is a noun: a definition does not settle that.
    const isSafe = own !== undefined && spellings.every(({ text }) => !text.includes(' ') || own.includes(' '));
    const sure = isSafe && spellings.some(({ text }) => text === own) ? own : null;
    return [{ key, spellings, sure, example: example.slice(0, LONGEST_EXAMPLE) }];
  });
}

/** The terms of a document, and what it spells in more than one way. */
export function readTerms(paragraphs: readonly Paragraph[], headingAts: ReadonlySet<number>): Terms {
  const terms = findTerms(paragraphs, headingAts);
  return { terms, variants: findVariants(paragraphs, terms), unexplained: findUnexplained(paragraphs, terms) };
}
