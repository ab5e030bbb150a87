import { stemOf, termsOf, wordsOf } from './terms.ts';

/** A document with its text; null where its text can't be read. */
export type ReadDocument = { name: string; text: string | null };

/** A sentence of a document, word for word, with where it stands. */
export type Passage = {
  document: string;
  /** From 1. */
  line: number;
  /** The heading that it stands under; null before the first. */
  heading: string | null;
  quote: string;
  score: number;
};

/** The result of a search for a question in documents. */
export type Found = {
  passages: Passage[];
  /** Words of the question that no document holds. */
  missing: string[];
  read: number;
  unread: string[];
};

const HEADING = /^#{1,6}\s+(.+?)\s*#*$/;
const ITEM = /^\s*(?:[•*–-]|\d{1,2}[.)])\s+/;
const SHORT = /(?:^|[\s(])(?:e\.g|i\.e|dr|mr|mrs|ms|no|approx|etc|vs|st|fig)\.$/i;
/** Longer sentences come from tables and code, and are not quoted. */
const MAX_QUOTE = 600;
const MIN_WORDS = 3;

function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?])\s+(?=[\p{Lu}\d“"(])/u).reduce<string[]>((sentences, part) => {
    const last = sentences.at(-1);
    if (last !== undefined && SHORT.test(last)) sentences[sentences.length - 1] = `${last} ${part}`;
    else sentences.push(part);
    return sentences;
  }, []);
}

type Sentence = Omit<Passage, 'score'> & { stems: Set<string>; headingStems: Set<string> };

function readSentences({ name, text }: ReadDocument): Sentence[] {
  const isTable = /\.csv$/i.test(name);
  let heading: string | null = null;
  return (text ?? '').split(/\r?\n/).flatMap((line, at): Sentence[] => {
    // The first row of a table says what its columns are.
    const marked = isTable && at === 0 ? line : HEADING.exec(line)?.[1];
    if (marked !== undefined) {
      heading = marked;
      return [];
    }
    const headingStems = new Set(wordsOf((heading ?? '').replaceAll(',', ' ')).map(({ stem }) => stem));
    const stemsOf = (quote: string) => wordsOf(isTable ? quote.replaceAll(',', ' ') : quote).map(({ stem }) => stem);
    return sentencesOf(line.replace(ITEM, '').replace(/\*\*/g, '').replace(/\t+/g, ' – ').trim())
      .map((quote) => quote.trim())
      .filter((quote) => quote.length <= MAX_QUOTE && stemsOf(quote).length >= MIN_WORDS)
      .map((quote) => ({
        ...{ document: name, line: at + 1, heading, quote, headingStems },
        stems: new Set(stemsOf(quote)),
      }));
  });
}

/** Rarer words weigh more: a word of every sentence finds nothing. */
function weightsOf(stems: readonly string[], sentences: readonly Sentence[]): Map<string, number> {
  return new Map(
    stems.map((stem) => {
      const holding = sentences.filter(
        (sentence) => sentence.stems.has(stem) || sentence.headingStems.has(stem),
      ).length;
      return [stem, Math.log(1 + sentences.length / (1 + holding))];
    }),
  );
}

/** A word in the heading counts half: what stands below it is about it, more or less. */
const OF_HEADING = 0.5;
/** A sentence has to hold this share of the question by weight, and a word of it itself. */
const MIN_SHARE = 0.45;
const MOST = 14;
const MOST_OF_A_DOCUMENT = 6;

/** The sentences of documents that speak of a question, by words and word for word, the best documents first. */
export function findPassages(question: string, documents: readonly ReadDocument[]): Found {
  const terms = termsOf(question);
  const readable = documents.filter(({ text }) => text !== null);
  const sentences = readable.flatMap(readSentences);
  const held = new Set(sentences.flatMap(({ stems, headingStems }) => [...stems, ...headingStems]));
  // Words that no document has don't count for a sentence; the brief names them instead.
  const known = terms.map(({ stem }) => stem).filter((stem) => held.has(stem));
  const weights = weightsOf(known, sentences);
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const isMostlyMissing = known.length * 2 < terms.length;
  const scored = sentences.flatMap((sentence): Passage[] => {
    const { stems, headingStems, ...passage } = sentence;
    const own = known.filter((stem) => stems.has(stem));
    const score = known.reduce((sum, stem) => {
      const weight = weights.get(stem) ?? 0;
      return sum + (stems.has(stem) ? weight : headingStems.has(stem) ? weight * OF_HEADING : 0);
    }, 0);
    return own.length > 0 && score >= all * MIN_SHARE ? [{ ...passage, score }] : [];
  });
  return {
    passages: isMostlyMissing ? [] : choose(scored),
    missing: terms.filter(({ stem }) => !held.has(stem)).map(({ text }) => text),
    read: readable.length,
    unread: documents.filter(({ text }) => text === null).map(({ name }) => name),
  };
}

/** The best sentences, each text once, by document and in the order of the document. */
function choose(scored: readonly Passage[]): Passage[] {
  const best = scored.toSorted((one, other) => other.score - one.score || one.line - other.line);
  const taken: Passage[] = [];
  for (const passage of best) {
    const ofDocument = taken.filter(({ document }) => document === passage.document);
    const isNew = ofDocument.every(({ quote }) => quote !== passage.quote);
    if (isNew && ofDocument.length < MOST_OF_A_DOCUMENT && taken.length < MOST) taken.push(passage);
  }
  const order = [...new Set(taken.map(({ document }) => document))];
  return taken.toSorted(
    (one, other) => order.indexOf(one.document) - order.indexOf(other.document) || one.line - other.line,
  );
}

/** Whether a question names a subject at all. */
export const namesSubject = (question: string): boolean =>
  termsOf(question).some(({ text }) => stemOf(text).length > 1);
