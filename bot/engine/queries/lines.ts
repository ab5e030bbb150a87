import type { Field } from './entity.ts';
import { questionWords } from './words.ts';

export type Choice<Row> = Field<Row> & { kind: 'choice' };

/** A text as a question would say it: "Dr Ahmed" as "dr ahmed", "The Pharmacy" as "pharmacy". */
export const lineOf = (text: string): string =>
  questionWords(text)
    .filter((word) => !ARTICLES.has(word))
    .join(' ');
const ARTICLES = new Set(['the', 'a', 'an', 'our', 'please', 'currently', 'now']);

const HEAD_END = /\s+[-–—]\s|[–—:(]/;
const MIN_HEAD = 4;

/** What a value begins with, as a question would say it: "accepted" of "Accepted – monitoring"; null where it has none. */
export function headOf(text: string): string | null {
  const end = HEAD_END.exec(text)?.index ?? 0;
  const head = lineOf(text.slice(0, end));
  return head.length >= MIN_HEAD ? head : null;
}
