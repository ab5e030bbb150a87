/** Excel's limits for a sheet. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;
/** Excel's limit for the text of a cell, in characters. */
export const MAX_TEXT_LENGTH = 32_767;

/** A block of cells, 1-based and inclusive. */
export type CellRange = { top: number; left: number; bottom: number; right: number };

const A = 64;
const letters: string[] = [''];

/** 1 is "A", 27 is "AA". */
export function columnLetters(column: number): string {
  const known = letters[column];
  if (known !== undefined) return known;
  let text = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(A + 1 + ((rest - 1) % 26)) + text;
  letters[column] = text;
  return text;
}

/** "AA" is 27; case does not matter. */
export function columnNumber(text: string): number {
  let column = 0;
  for (const letter of text.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - A;
  return column;
}

/** "H2" for row 2, column 8. */
export function cellAddress(row: number, column: number): string {
  return columnLetters(column) + row;
}

/** Reads "H2" or "$H$2". */
export function parseAddress(text: string): { row: number; column: number } | null {
  const match = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(text.trim());
  return match ? { row: Number(match[2]), column: columnNumber(match[1] ?? '') } : null;
}

/** Reads "A1:S12" or a single cell. */
export function parseRange(text: string): CellRange | null {
  const [from = '', to = from] = text.split(':');
  const start = parseAddress(from);
  const end = parseAddress(to);
  if (!start || !end) return null;
  return { top: start.row, left: start.column, bottom: end.row, right: end.column };
}

export function formatRange(range: CellRange): string {
  const from = cellAddress(range.top, range.left);
  const to = cellAddress(range.bottom, range.right);
  return from === to ? from : `${from}:${to}`;
}
