import type { IndexedDocument } from '../../../engine/documents/documentIndex.ts';
import { type ReadDocument, readSentences } from '../../../engine/documents/sentences.ts';
import { termsOf } from './terms.ts';

/** What a search has to know of all documents, also of those whose text it does not read. */
export type Statistics = {
  sentences: number;
  /** Sentences that hold a word of the question, themselves or by their heading; without words that none holds. */
  holding: ReadonlyMap<string, number>;
  /** Documents that can be read, and the names of those that can't. */
  read: number;
  unread: string[];
};

/** {@link Statistics} from the texts. */
export function statisticsOf(question: string, documents: readonly ReadDocument[]): Statistics {
  const terms = termsOf(question);
  const holding = new Map<string, number>();
  let sentences = 0;
  for (const document of documents)
    for (const { stems, headingStems } of readSentences(document)) {
      sentences += 1;
      for (const { stem } of terms)
        if (stems.has(stem) || headingStems.has(stem)) holding.set(stem, (holding.get(stem) ?? 0) + 1);
    }
  const unread = documents.filter(({ text }) => text === null).map(({ name }) => name);
  return { sentences, holding, read: documents.length - unread.length, unread };
}

/** {@link Statistics} from the index. */
export function statisticsOfIndex(indexed: readonly IndexedDocument[]): Statistics {
  const holding = new Map<string, number>();
  for (const { words } of indexed)
    for (const [stem, { sentences }] of words) holding.set(stem, (holding.get(stem) ?? 0) + sentences);
  const unread = indexed.filter(({ sentences }) => sentences === null).map(({ name }) => name);
  const count = indexed.reduce((sum, { sentences }) => sum + (sentences ?? 0), 0);
  return { sentences: count, holding, read: indexed.length - unread.length, unread };
}

/** A sentence has to hold this share of the question by weight, and a word of it itself. */
const MIN_SHARE = 0.45;
/** A word in the heading counts half: what stands below it is about it, more or less. */
const OF_HEADING = 0.5;

type Weighed = {
  /** Of the words that a document holds, in the question's order. Rarer words weigh more. */
  weights: ReadonlyMap<string, number>;
  /** The score that a sentence has to reach. */
  least: number;
  /** Whether no document holds most of the question: then nothing answers it. */
  isMostlyMissing: boolean;
};

/** What the words of a question weigh: a word of every sentence finds nothing. */
export function weigh(question: string, { sentences, holding }: Statistics): Weighed {
  const terms = termsOf(question);
  // Words that no document has don't count for a sentence; the brief names them instead.
  const known = terms.map(({ stem }) => stem).filter((stem) => holding.has(stem));
  const weights = new Map(known.map((stem) => [stem, Math.log(1 + sentences / (1 + (holding.get(stem) ?? 0)))]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { weights, least: all * MIN_SHARE, isMostlyMissing: known.length * 2 < terms.length };
}

/**
 * The score of a sentence, or the highest one that a document's sentences can have.
 * @param partOf where it holds a word: itself, by a heading, or not at all
 */
export function scoreParts(
  weights: Weighed['weights'],
  partOf: (stem: string) => 'own' | 'heading' | null,
): { score: number; isOwn: boolean } {
  let score = 0;
  let isOwn = false;
  for (const [stem, weight] of weights) {
    const part = partOf(stem);
    isOwn ||= part === 'own';
    score += part === 'own' ? weight : part === 'heading' ? weight * OF_HEADING : 0;
  }
  return { score, isOwn };
}

/** The documents that can hold a passage for a question: no sentence of the others reaches the score. */
export function chooseDocuments(question: string, indexed: readonly IndexedDocument[]): IndexedDocument[] {
  const { weights, least, isMostlyMissing } = weigh(question, statisticsOfIndex(indexed));
  if (isMostlyMissing) return [];
  return indexed.filter(({ words }) => {
    const { score, isOwn } = scoreParts(weights, (stem) => {
      const word = words.get(stem);
      return !word ? null : word.own > 0 ? 'own' : 'heading';
    });
    return isOwn && score >= least;
  });
}
