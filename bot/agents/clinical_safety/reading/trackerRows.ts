import type { FoundTable } from './findTable.ts';

/** "Issue Type", "Type", "Work item type": what kind of thing a row of a tracker's export is. */
const TYPE = /^(?:issue|work ?item|item)? ?type$/i;
const ISSUE_TYPE = /^issue ?type$/i;
const HAZARD = /\b(?:hazard|risk)s?\b/i;
const CONTROL = /\b(?:controls?|measures?|mitigations?|safeguards?)\b/i;
const CAUSE = /\bcauses?\b/i;
const OTHER = /\b(?:actions?|tasks?|assessments?)\b/i;
/** Columns that only hazards fill. */
const OF_HAZARDS = new Set(['cause', 'clinical_impact', 'initial_severity', 'initial_likelihood', 'initial_risk']);

const inWords = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
const isHazard = (type: string) => HAZARD.test(type) && !CONTROL.test(type) && !OTHER.test(type);

type Types = {
  isOther: (row: number) => boolean;
  isControl: (row: number) => boolean;
  isCause: (row: number) => boolean;
};
const NO_TYPES: Types = { isOther: () => false, isControl: () => false, isCause: () => false };

/**
 * The kinds of rows in the export of a tracker where some are of a type called hazard or risk: those of other types are
 * no hazards. Under "Type" alone, which may be a type of hazard, only those that say nothing a hazard says.
 */
export function readTypes({ grid, headerRows, unmatched, columns }: FoundTable): Types {
  const column = [...unmatched, ...columns].find(({ header }) => TYPE.test(header.trim()));
  if (!column) return NO_TYPES;
  const typeOf = (row: number) => inWords(grid.rows[row]?.[column.column]?.text.trim() ?? '');
  const first = (headerRows.at(-1) ?? 0) + 1;
  if (!grid.rows.some((_, row) => row >= first && isHazard(typeOf(row)))) return NO_TYPES;
  const own = columns.filter(({ canonical }) => OF_HAZARDS.has(canonical));
  const isCertain = ISSUE_TYPE.test(column.header.trim());
  const saysNothing = (row: number) => own.every((one) => !grid.rows[row]?.[one.column]?.text.trim());
  const isOther = (row: number) => typeOf(row) !== '' && !isHazard(typeOf(row)) && (isCertain || saysNothing(row));
  return {
    isOther,
    isControl: (row) => isOther(row) && CONTROL.test(typeOf(row)),
    isCause: (row) => isOther(row) && CAUSE.test(typeOf(row)),
  };
}
