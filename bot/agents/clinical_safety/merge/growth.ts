import { type CellRange, formatRange, MOST_ROWS, parseRange } from '../ooxml/cellAddress.ts';
import { rewriteReferences } from '../ooxml/formulaReferences.ts';
import { escapeXml, unescapeXml } from '../ooxml/xmlText.ts';

/** What a merge does to a sheet: so many rows after the last data row, and whether what stood below moves down. */
export type Growth = {
  sheet: string;
  lastRow: number;
  added: number;
  /** Rows that everything below the log moves by; 0 where there was room. */
  shift: number;
};

/** Where a row is after the merge. What reaches to the end of the sheet stops there, as it does in Excel. */
export function movedRow(row: number, { lastRow, shift }: Growth): number {
  return row > lastRow ? Math.max(row, Math.min(row + shift, MOST_ROWS)) : row;
}

/** A range after the merge: what lies below moves; what ends with the log grows over the new rows, where that is wanted. */
export function grownRange(range: CellRange, growth: Growth, extend: boolean): CellRange {
  const { lastRow, added } = growth;
  const top = movedRow(range.top, growth);
  let bottom = movedRow(range.bottom, growth);
  if (extend && range.top <= lastRow && range.bottom >= lastRow && bottom < lastRow + added) bottom = lastRow + added;
  return { ...range, top, bottom };
}

/** Several ranges in one attribute, as in sqref="A2:A12 C2". Whole columns ("A:A") are left alone. */
export function grownList(list: string, growth: Growth, extend: boolean): string {
  return list
    .split(/\s+/)
    .map((text) => {
      const range = parseRange(text);
      return range ? formatRange(grownRange(range, growth, extend)) : text;
    })
    .join(' ');
}

/** A formula (unescaped) whose references into the grown sheet point to where their cells are now. */
export function grownFormula(formula: string, ownSheet: string, growth: Growth): string {
  if (growth.shift === 0) return formula;
  return rewriteReferences(formula, (reference) => {
    const sheet = reference.sheet ?? ownSheet;
    return sheet === growth.sheet && reference.row > growth.lastRow
      ? { ...reference, row: movedRow(reference.row, growth) }
      : null;
  });
}

/** The same for a formula as it stands in XML. */
export function grownFormulaXml(text: string, ownSheet: string, growth: Growth): string {
  if (growth.shift === 0 || !/\d/.test(text)) return text;
  const plain = unescapeXml(text);
  const grown = grownFormula(plain, ownSheet, growth);
  return grown === plain ? text : escapeXml(grown);
}
