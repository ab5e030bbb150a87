import type { Field } from './entity.ts';
import { questionWords } from './words.ts';

export type Choice<Row> = Field<Row> & { kind: 'choice' };

/** A text as a question would say it: "Dr Ahmed" as "dr ahmed", "The Pharmacy" as "pharmacy". */
export const lineOf = (text: string): string =>
  questionWords(text)
    .filter((word) => !ARTICLES.has(word))
    .join(' ');
const ARTICLES = new Set(['the', 'a', 'an', 'our', 'please', 'currently', 'now']);
