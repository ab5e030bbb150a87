import { type ReadDocument, readSentences, type Sentence } from '../../../engine/documents/sentences.ts';
import { stemOf } from '../../../engine/documents/stems.ts';
import { type Statistics, scoreParts, statisticsOf, weigh } from './statistics.ts';
import { termsOf } from './terms.ts';

/** A sentence that speaks of a question. */
export type Passage = Omit<Sentence, 'stems' | 'headingStems'> & { score: number };

/** The result of a search for a question in documents. */
export type Found = {
  passages: Passage[];
  /** Words of the question that no document holds. */
  missing: string[];
  read: number;
  unread: string[];
};

const MOST = 14;
const MOST_OF_A_DOCUMENT = 6;

/**
 * The sentences of documents that speak of a question, by words and word for word, the best documents first.
 * @param statistics of all documents that are searched, where those given are only the ones that can hold a passage
 */
export function findPassages(
  question: string,
  documents: readonly ReadDocument[],
  statistics: Statistics = statisticsOf(question, documents),
): Found {
  const { weights, least, isMostlyMissing } = weigh(question, statistics);
  const scored = documents.flatMap((document) =>
    [...readSentences(document)].flatMap((sentence): Passage[] => {
      const { stems, headingStems, ...passage } = sentence;
      const { score, isOwn } = scoreParts(weights, (stem) =>
        stems.has(stem) ? 'own' : headingStems.has(stem) ? 'heading' : null,
      );
      return isOwn && score >= least ? [{ ...passage, score }] : [];
    }),
  );
  return {
    passages: isMostlyMissing ? [] : choose(scored),
    missing: termsOf(question).flatMap(({ stem, text }) => (statistics.holding.has(stem) ? [] : [text])),
    read: statistics.read,
    unread: statistics.unread,
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
