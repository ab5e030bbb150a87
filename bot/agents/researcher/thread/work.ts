import { checkQuotes } from '../brief/brief.ts';
import { type Found, findPassages, type ReadDocument } from '../search/findPassages.ts';

/** A question, and the documents that are searched for it. */
export type Request = { question: string; documents: ReadDocument[] };

/** What was found, and where a quote is not as its document says; empty where all are. */
export type Output = { found: Found; problems: string[] };

/** Searches the documents. */
export function work({ question, documents }: Request): Output {
  const found = findPassages(question, documents);
  return { found, problems: checkQuotes(found.passages, documents) };
}
