import { type CellRange, formatRange, MAX_ROWS, parseRange } from '../ooxml/cellAddress.ts';
import { rewriteReferences, rewriteRowLines, unquoted } from '../ooxml/formulaReferences.ts';
import { escapeXml, unescapeXml } from '../ooxml/xmlText.ts';

/** The rows that a merge adds after the last data row, and how far the rows below move down. */
export type Growth = {
  sheet: string;
  lastRow: number;
  added: number;
  /** How many rows everything below the log moves; 0 where there was room. */
  shift: number;
  /** The log's first and last column: only ranges over these grow with it. */
  columns: { first: number; last: number };
};

/** A row's number after the merge, at most the last row of a sheet, as in Excel. */
export function movedRow(row: number, { lastRow, shift }: Growth): number {
  return row > lastRow ? Math.max(row, Math.min(row + shift, MAX_ROWS)) : row;
}

/**
 * A range after the merge: ranges below the log move, and with `extend` a range over the log's columns that ends with
 * the log grows over the new rows.
 */
export function grownRange(range: CellRange, growth: Growth, extend: boolean): CellRange {
  const { lastRow, added, columns } = growth;
  const top = movedRow(range.top, growth);
  let bottom = movedRow(range.bottom, growth);
  const isOfLog = range.left <= columns.last && range.right >= columns.first;
  if (extend && isOfLog && range.top <= lastRow && range.bottom >= lastRow && bottom < lastRow + added)
    bottom = Math.min(lastRow + added, MAX_ROWS);
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

/** Excel compares the names of sheets without case. */
const isGrownSheet = (sheet: string, growth: Growth) => sheet.toLowerCase() === growth.sheet.toLowerCase();

function grownCells(formula: string, ownSheet: string, growth: Growth): string {
  return rewriteReferences(formula, (reference) =>
    isGrownSheet(reference.sheet ?? ownSheet, growth) && reference.row > growth.lastRow
      ? { ...reference, row: movedRow(reference.row, growth) }
      : null,
  );
}

/**
 * The target of a link inside the workbook, with its cells moved: 'Hazard log'!A10, A10 on the link's own sheet, or a
 * name. A sheet's name may lack its quotes here.
 */
export function grownPlace(place: string, ownSheet: string, growth: Growth): string {
  const cut = place.lastIndexOf('!');
  const sheet = cut < 0 ? ownSheet : unquoted(place.slice(0, cut));
  if (growth.shift === 0 || !isGrownSheet(sheet, growth)) return place;
  return place.slice(0, cut + 1) + grownCells(place.slice(cut + 1), growth.sheet, growth);
}

const LINKS = /\bHYPERLINK\(\s*"#(?:[^"]|"")*"/gi;

/** An unescaped formula with its references to the grown sheet adjusted to the moved cells. */
export function grownFormula(formula: string, ownSheet: string, growth: Growth): string {
  if (growth.shift === 0) return formula;
  const withRows = rewriteRowLines(formula, (row, sheet) =>
    isGrownSheet(sheet ?? ownSheet, growth) ? movedRow(row, growth) : row,
  );
  return grownCells(withRows, ownSheet, growth).replace(LINKS, (link) => {
    const start = link.indexOf('#') + 1;
    const place = link.slice(start, -1).replaceAll('""', '"');
    return `${link.slice(0, start)}${grownPlace(place, ownSheet, growth).replaceAll('"', '""')}"`;
  });
}

/** The same for a formula escaped in XML. */
export function grownFormulaXml(text: string, ownSheet: string, growth: Growth): string {
  if (growth.shift === 0 || !/\d/.test(text)) return text;
  const plain = unescapeXml(text);
  const grown = grownFormula(plain, ownSheet, growth);
  return grown === plain ? text : escapeXml(grown);
}

/** The same for the target of a link, escaped in XML. */
export function grownPlaceXml(text: string, ownSheet: string, growth: Growth): string {
  const plain = unescapeXml(text);
  const grown = grownPlace(plain, ownSheet, growth);
  return grown === plain ? text : escapeXml(grown);
}

const AREA = /('(?:[^']|'')+'|[^',!:$]+)!(\$?[A-Z]{1,3}\$?)(\d{1,7}):(\$?[A-Z]{1,3}\$?)(\d{1,7})/g;

/** The areas of a name that grow with the log, such as 'Hazard Log'!$A$1:$S$12, separated by commas. */
export function grownAreas(formula: string, growth: Growth): string {
  return formula.replace(AREA, (whole, sheet: string, from: string, top: string, to: string, bottom: string) => {
    const range = isGrownSheet(unquoted(sheet), growth) ? parseRange(`${from}${top}:${to}${bottom}`) : null;
    if (!range) return whole;
    const grown = grownRange(range, growth, true);
    return `${sheet}!${from}${grown.top}:${to}${grown.bottom}`;
  });
}
