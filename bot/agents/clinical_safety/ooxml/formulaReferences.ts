import { columnLetters, columnNumber, MAX_COLUMNS, MAX_ROWS } from './cellAddress.ts';

/** One reference inside a formula. */
type Reference = {
  /** The referenced sheet; null for the formula's own. */
  sheet: string | null;
  columnAbsolute: boolean;
  column: number;
  rowAbsolute: boolean;
  row: number;
  /** Whether it is the second cell of a range. */
  endsRange: boolean;
};

// Strings come first, so that nothing inside quotes is read as a reference; then "Sheet!", then the cell.
// The lookbehinds let a sheet's name match only from its start, which keeps the search fast.
// A sheet of another workbook has a number in front, "[1]Sheet"; "#REF!" is not a sheet.
const TOKENS =
  /"(?:[^"]|"")*"|(?:((?<!')'(?:[^']|''){1,300}'|(?<![\p{L}\p{N}_.#])(?:\[\d{1,5}\])?[\p{L}_][\p{L}\p{N}_.]{0,300})!)?(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\p{L}\p{N}_(.!])/gu;
// The same for whole rows, "Sheet!$5:$7".
const ROW_TOKENS =
  /"(?:[^"]|"")*"|(?:((?<!')'(?:[^']|''){1,300}'|(?<![\p{L}\p{N}_.#])(?:\[\d{1,5}\])?[\p{L}_][\p{L}\p{N}_.]{0,300})!)?(?<![\p{L}\p{N}_.$:])(\$?)(\d{1,7}):(\$?)(\d{1,7})(?![\p{L}\p{N}_(.!:])/gu;
const WORD = /[\p{L}\p{N}_.$]/u;

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
      endsRange: isRangeEnd,
    });
    if (!rewritten) return whole;
    const prefix = sheet === undefined ? '' : `${sheet}!`;
    return `${prefix}${rewritten.columnAbsolute ? '$' : ''}${columnLetters(rewritten.column)}${rewritten.rowAbsolute ? '$' : ''}${rewritten.row}`;
  });
}

/** Rewrites the first and last rows of references to whole rows; `sheet` is null for the formula's own. */
export function rewriteRowLines(formula: string, rewrite: (row: number, sheet: string | null) => number): string {
  return formula.replace(ROW_TOKENS, (whole: string, ...groups: unknown[]) => {
    const [sheet, topMark, top, bottomMark, bottom] = groups as (string | undefined)[];
    if (top === undefined) return whole;
    const of = (row = '') => rewrite(Number(row), sheet === undefined ? null : unquoted(sheet));
    return `${sheet === undefined ? '' : `${sheet}!`}${topMark}${of(top)}:${bottomMark}${of(bottom)}`;
  });
}

/** The name of a sheet as a formula writes it, without its quotes. */
export function unquoted(sheet: string): string {
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

/** Excel continues at the other end of the sheet. */
const wrapped = (place: number, size: number) => ((((place - 1) % size) + size) % size) + 1;

/** A shared formula as it reads in a cell that is the given number of rows and columns away from its origin. */
export function translateFormula(formula: string, rows: number, columns: number): string {
  return rewriteReferences(formula, (reference) => ({
    ...reference,
    row: reference.rowAbsolute ? reference.row : wrapped(reference.row + rows, MAX_ROWS),
    column: reference.columnAbsolute ? reference.column : wrapped(reference.column + columns, MAX_COLUMNS),
  }));
}
