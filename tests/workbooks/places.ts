/** Excel's limits, written out so that the checker shares nothing with what it checks. */
export const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** A block of cells, 1-based and inclusive. */
export type Block = { left: number; top: number; right: number; bottom: number };

function columnOf(letters: string): number {
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** A cell of a sheet such as "B7"; null where it is no cell or lies outside of a sheet. */
export function readCellName(text: string): { row: number; column: number } | null {
  const [, letters = '', digits = ''] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(text) ?? [];
  const [column, row] = [columnOf(letters), Number(digits)];
  return column >= 1 && column <= LAST_COLUMN && row >= 1 && row <= LAST_ROW ? { row, column } : null;
}

/** "B7" or "B7:D9" as a block; null where it is out of bounds or upside down. */
export function readBlock(text: string): Block | null {
  const [from = '', to = from, ...more] = text.split(':');
  const [start, end] = [readCellName(from), readCellName(to)];
  if (!start || !end || more.length > 0 || end.row < start.row || end.column < start.column) return null;
  return { left: start.column, top: start.row, right: end.column, bottom: end.row };
}

/** A list of blocks, as in sqref; null where one of them is none. */
export function readBlocks(text: string): Block[] | null {
  const blocks = text
    .trim()
    .split(/\s+/)
    .map((one) => readBlock(one) ?? wholeLines(one));
  return blocks.every((block) => block !== null) ? blocks : null;
}

/** Whole columns or rows: "A:C", "3:4". */
function wholeLines(text: string): Block | null {
  const [, first = '', last = ''] = /^([A-Z]{1,3}):([A-Z]{1,3})$/.exec(text) ?? [];
  if (first) return readBlock(`${first}1:${last}${LAST_ROW}`);
  const [, top = '', bottom = ''] = /^(\d{1,7}):(\d{1,7})$/.exec(text) ?? [];
  return top ? readBlock(`A${top}:XFD${bottom}`) : null;
}

export const overlaps = (a: Block, b: Block) =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

export const contains = (block: Block, row: number, column: number) =>
  block.left <= column && column <= block.right && block.top <= row && row <= block.bottom;

const REFERENCE =
  /(?:('(?:[^']|'')+'|(?<![\w.#\]])[\p{L}_][\p{L}\p{N}_.]*)!)?(?<![\p{L}\p{N}_.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,9})(?![\p{L}\p{N}_.(!])/gu;

/** What is wrong with the references of a formula: rows outside of a sheet, and sheets that do not exist. */
export function faultsOfFormula(formula: string, sheets: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const plain = formula.replace(/"(?:[^"]|"")*"/g, '""').replace(/(?<!')\[[^\]]*\]/g, '');
  for (const match of plain.matchAll(REFERENCE)) {
    const [whole, quoted, , letters = '', , digits = ''] = match;
    const sheet = quoted?.startsWith("'") ? quoted.slice(1, -1).replaceAll("''", "'") : quoted;
    const isOutside = sheet?.includes('[') || sheet?.includes(':');
    if (sheet !== undefined && !isOutside && !sheets.has(sheet.toLowerCase()))
      faults.push(`${whole} is on a sheet that does not exist`);
    const isInRange = plain[match.index - 1] === ':' || plain[match.index + whole.length] === ':';
    const isName = columnOf(letters) > LAST_COLUMN && sheet === undefined && !isInRange;
    if (!isName && !readCellName(`${letters}${digits}`)) faults.push(`${whole} lies outside of a sheet`);
  }
  return faults;
}
