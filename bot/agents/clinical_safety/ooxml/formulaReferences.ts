import { columnLetters, columnNumber } from './cellAddress.ts';

/** One reference inside a formula. */
export type Reference = {
  /** Sheet it names; null for the formula's own. */
  sheet: string | null;
  columnAbsolute: boolean;
  column: number;
  rowAbsolute: boolean;
  row: number;
};

// Strings first, so that nothing inside quotes is taken for a reference; then sheet!, then the cell.
// A sheet's name begins where no word or quote stands before it, so that no stretch is tried from each of its letters.
// That of another workbook has its number in front, "[1]Sheet"; "#REF!" is no sheet.
const TOKENS =
  /"(?:[^"]|"")*"|(?:((?<!')'(?:[^']|''){1,300}'|(?<![\w.#])(?:\[\d{1,5}\])?[A-Za-z_][\w.]{0,300})!)?(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(.!])/g;
const WORD = /[\w.$]/;

/** Rewrites every cell reference of a formula; what the callback leaves alone is written as it was. */
export function rewriteReferences(formula: string, rewrite: (reference: Reference) => Reference | null): string {
  // The far end of a range stands on the sheet that its near end names: 'Risk matrix'!$C$3:$G$7.
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
    const farEnd = before === ':' && previous.end === offset - 1;
    const sheetName = sheet === undefined ? (farEnd ? previous.sheet : null) : unquoted(sheet);
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

/** A shared formula as it reads so many rows and columns away from the cell that holds its text. */
export function translateFormula(formula: string, rows: number, columns: number): string {
  return rewriteReferences(formula, (reference) => ({
    ...reference,
    row: reference.rowAbsolute ? reference.row : reference.row + rows,
    column: reference.columnAbsolute ? reference.column : reference.column + columns,
  }));
}
