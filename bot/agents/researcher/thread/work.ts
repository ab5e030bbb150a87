import type { ReadDocument } from '../../../engine/documents/sentences.ts';
import { checkQuotes } from '../brief/brief.ts';
import { type Found, findPassages } from '../search/findPassages.ts';
import type { Statistics } from '../search/statistics.ts';

/** A question, the documents that can hold a passage for it, and what the search knows of all. */
export type Request = { question: string; documents: ReadDocument[]; statistics: Statistics };

/** What was found, and where a quote is not as its document says; empty where all are. */
export type Output = { found: Found; problems: string[] };

/** Searches the documents. */
export function work({ question, documents, statistics }: Request): Output {
  const found = findPassages(question, documents, statistics);
  return { found, problems: checkQuotes(found.passages, documents) };
}
