import { columnLetters, columnNumber } from './cellAddress.ts';

/** One reference inside a formula. */
type Reference = {
  /** The referenced sheet; null for the formula's own. */
  sheet: string | null;
  columnAbsolute: boolean;
  column: number;
  rowAbsolute: boolean;
  row: number;
};

// Strings come first, so that nothing inside quotes is read as a reference; then "Sheet!", then the cell.
// The lookbehinds let a sheet's name match only from its start, which keeps the search fast.
// A sheet of another workbook has a number in front, "[1]Sheet"; "#REF!" is not a sheet.
const TOKENS =
  /"(?:[^"]|"")*"|(?:((?<!')'(?:[^']|''){1,300}'|(?<![\w.#])(?:\[\d{1,5}\])?[A-Za-z_][\w.]{0,300})!)?(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(.!])/g;
const WORD = /[\w.$]/;

/** Rewrites the cell references of a formula; a reference for which the callback returns null stays unchanged. */
export function rewriteReferences(formula: string, rewrite: (reference: Reference) => Reference | null): string {
  // The end of a range is on the sheet named at its start: 'Risk matrix'!$C$3:$G$7.
  let previous = { end: -1, sheet: null as string | null };
  return formula.replace(TOKENS, (whole: string, ...groups: unknown[]) => {
    const [sheet, columnMark, columnText, rowMark, rowText, offset] = groups as [
      string | undefined,
      string,
      string,
      string,
      string | undefined,
      number,
    ];
    if (rowText === undefined) return whole;
    const before = formula[offset - 1];
    if (before && (WORD.test(before) || before === '!')) return whole;
    const isRangeEnd = before === ':' && previous.end === offset - 1;
    const sheetName = sheet === undefined ? (isRangeEnd ? previous.sheet : null) : unquoted(sheet);
    previous = { end: offset + whole.length, sheet: sheetName };
    const rewritten = rewrite({
      sheet: sheetName,
      columnAbsolute: columnMark === '$',
      column: columnNumber(columnText),
      rowAbsolute: rowMark === '$',
      row: Number(rowText),
    });
    if (!rewritten) return whole;
    const prefix = sheet === undefined ? '' : `${sheet}!`;
    return `${prefix}${rewritten.columnAbsolute ? '$' : ''}${columnLetters(rewritten.column)}${rewritten.rowAbsolute ? '$' : ''}${rewritten.row}`;
  });
}

function unquoted(sheet: string): string {
  return sheet.startsWith("'") ? sheet.slice(1, -1).replaceAll("''", "'") : sheet;
}

/** The references of a formula, left to right. */
export function listReferences(formula: string): Reference[] {
  const found: Reference[] = [];
  rewriteReferences(formula, (reference) => {
    found.push(reference);
    return null;
  });
  return found;
}

/** A shared formula as it reads in a cell that is the given number of rows and columns away from its origin. */
export function translateFormula(formula: string, rows: number, columns: number): string {
  return rewriteReferences(formula, (reference) => ({
    ...reference,
    row: reference.rowAbsolute ? reference.row : reference.row + rows,
    column: reference.columnAbsolute ? reference.column : reference.column + columns,
  }));
}
