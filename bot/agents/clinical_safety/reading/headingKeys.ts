import type { FoundTable } from './findTable.ts';
import { normaliseHeader } from './headerWords.ts';

/** Names of the headings of a table by column: normalised, and which of equal ones it is, as in "risk#2". */
export function headingKeys({ columns, unmatched }: Pick<FoundTable, 'columns' | 'unmatched'>): Map<number, string> {
  const keys = new Map<number, string>();
  const times = new Map<string, number>();
  const headings = new Map([...columns, ...unmatched].map(({ column, header }) => [column, header]));
  for (const [column, header] of [...headings].sort(([one], [other]) => one - other)) {
    const name = normaliseHeader(header);
    const count = (times.get(name) ?? 0) + 1;
    times.set(name, count);
    keys.set(column, `${name}#${count}`);
  }
  return keys;
}

/**
 * The part of a sheet's or file's name that is the same in every version: without case, numbers, extension and words
 * for a version.
 */
export const nameOfSheet = (name: string): string =>
  normaliseHeader(name.replace(/\.[a-z]{2,5}$/i, ''))
    .replace(/\b(?:(?:v|ver|version|rev|revision) ?)?\d+\b|\b(?:version|final|draft|copy|latest)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The identity of a log among those of a company: its sheet and its headings. */
export type LogIdentity = { sheet: string; headings: string[] };

/** The identity of a log, from its main table. */
export const identifyLog = (table: FoundTable): LogIdentity => ({
  sheet: nameOfSheet(table.grid.name),
  headings: [...headingKeys(table).values()].sort(),
});

/** From this share of headings in common on, two tables are versions of one log: on sheets of one name, and of others. */
const MIN_IN_COMMON = 0.6;
const MIN_ELSEWHERE = 0.9;

/**
 * How much two logs have in common: the share of headings, and one more for sheets of the same name, because a template
 * gives the same headings to several logs. 0 where they are not versions of one log.
 */
export function likeness(one: LogIdentity, other: LogIdentity): number {
  const known = new Set(other.headings);
  const shared = one.headings.filter((heading) => known.has(heading)).length;
  const share = shared / (new Set([...one.headings, ...other.headings]).size || 1);
  const isSameSheet = one.sheet === other.sheet;
  return share >= (isSameSheet ? MIN_IN_COMMON : MIN_ELSEWHERE) ? share + Number(isSameSheet) : 0;
}
