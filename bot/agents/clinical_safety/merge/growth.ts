import { type CellRange, formatRange, MAX_ROWS, parseRange } from '../ooxml/cellAddress.ts';
import { rewriteReferences } from '../ooxml/formulaReferences.ts';
import { escapeXml, unescapeXml } from '../ooxml/xmlText.ts';

/** The rows that a merge adds after the last data row, and how far the rows below move down. */
export type Growth = {
  sheet: string;
  lastRow: number;
  added: number;
  /** How many rows everything below the log moves; 0 where there was room. */
  shift: number;
};

/** A row's number after the merge, at most the last row of a sheet, as in Excel. */
export function movedRow(row: number, { lastRow, shift }: Growth): number {
  return row > lastRow ? Math.max(row, Math.min(row + shift, MAX_ROWS)) : row;
}

/**
 * A range after the merge: ranges below the log move, and with `extend` a range that ends with the log grows over the
 * new rows.
 */
export function grownRange(range: CellRange, growth: Growth, extend: boolean): CellRange {
  const { lastRow, added } = growth;
  const top = movedRow(range.top, growth);
  let bottom = movedRow(range.bottom, growth);
  if (extend && range.top <= lastRow && range.bottom >= lastRow && bottom < lastRow + added) bottom = lastRow + added;
  return { ...range, top, bottom };
}

/** The same for a list of ranges in one attribute, e.g. sqref="A2:A12 C2". Whole columns ("A:A") stay unchanged. */
export function grownList(list: string, growth: Growth, extend: boolean): string {
  return list
    .split(/\s+/)
    .map((text) => {
      const range = parseRange(text);
      return range ? formatRange(grownRange(range, growth, extend)) : text;
    })
    .join(' ');
}

/** An unescaped formula with its references to the grown sheet adjusted to the moved cells. */
export function grownFormula(formula: string, ownSheet: string, growth: Growth): string {
  if (growth.shift === 0) return formula;
  return rewriteReferences(formula, (reference) => {
    const sheet = reference.sheet ?? ownSheet;
    return sheet === growth.sheet && reference.row > growth.lastRow
      ? { ...reference, row: movedRow(reference.row, growth) }
      : null;
  });
}

/** The same for a formula escaped in XML. */
export function grownFormulaXml(text: string, ownSheet: string, growth: Growth): string {
  if (growth.shift === 0 || !/\d/.test(text)) return text;
  const plain = unescapeXml(text);
  const grown = grownFormula(plain, ownSheet, growth);
  return grown === plain ? text : escapeXml(grown);
}
