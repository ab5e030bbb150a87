import type { Rows } from '../list/readCsv.ts';
import { type OptOut, readOptOut } from './address.ts';

/** Names of documents and sheets that hold opt-outs. */
const OPT_OUT_NAME =
  /opt[-_ ]?outs?\b|opted[-_ ]out|unsubscri|do[-_ ]not[-_ ](?:contact|e-?mail|mail|call)|suppress|objections?\b/i;

export const isOptOutName = (name: string): boolean => OPT_OUT_NAME.test(name);

/** The opt-outs in a table: every cell that is an address or a domain, and every word of one that is an address. */
export function optOutsIn(rows: Rows): OptOut[] {
  const found = new Map<string, OptOut>();
  for (const cell of rows.flat())
    for (const text of new Set([cell, ...cell.split(/[\s,;|]+/).filter((word) => /[@＠]/u.test(word))])) {
      const read = readOptOut(text);
      if (read) found.set(`${read.kind} ${read.value}`, read);
    }
  return [...found.values()];
}
