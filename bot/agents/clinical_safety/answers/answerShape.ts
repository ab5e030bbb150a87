import type { AskedQuery } from '../../../../models/contracts/askedQuery.ts';
import type { Intent } from './intent.ts';

/** An answer and its kind. Only answers that look something up cost credits. */
export type Answer = {
  intent: Intent;
  text: string;
  /** The tool that the answer needs, if not the agent's usual one. */
  tool?: string;
  /** The query that rows were picked by, which a person can change. */
  asked?: AskedQuery;
  /** Set where it lists, counts or groups rows: a later message can go on from it. */
  isOfRows?: true;
  /** Set where its question named no kind of row. */
  isUnnamed?: true;
  /** The query that a later message can go on from, where it is not shown with the answer. */
  goesOn?: AskedQuery;
  /** Passages of its rows that are somebody's words, such as the name of a file. */
  outside?: readonly string[];
  /** Set where the question was not understood as a whole. */
  isDeclined?: true;
  kind: 'talk' | 'help' | 'refusal' | 'guide' | 'unknown' | 'no-analysis' | 'fact' | 'knowledge' | 'standard';
};
const FREE_KINDS: readonly Answer['kind'][] = ['talk', 'help', 'refusal', 'guide', 'unknown', 'no-analysis'];

/** Whether an answer costs nothing. */
export const isFree = ({ kind }: Answer) => FREE_KINDS.includes(kind);

type Rows = { text: string; asked: AskedQuery | null; outside: readonly string[]; isUnnamed?: boolean };

/** An answer that lists, counts or groups rows. */
export const rowsAnswer = ({ text, asked, outside, isUnnamed }: Rows): Answer => ({
  intent: 'query',
  kind: 'fact',
  isOfRows: true,
  text,
  ...(asked ? { asked } : {}),
  ...(isUnnamed ? { isUnnamed: true } : {}),
  outside,
});
