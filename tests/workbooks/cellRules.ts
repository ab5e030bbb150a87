import type { Book } from './bookRules.ts';
import { type Block, contains, faultsOfFormula, LAST_ROW, readBlock, readCellName } from './places.ts';
import { childOf, childrenOf, type XmlElement } from './xmlTree.ts';

/** What other parts need to know of a sheet's cells. */
export type SheetCells = {
  /** The texts of cells with a literal string, by address. */
  texts: Map<string, string>;
  /** The cells with a formula. */
  formulas: Set<string>;
  /** The cells with a value or a formula. */
  filled: { row: number; column: number; address: string }[];
};

const MAX_TEXT_LENGTH = 32_767;
const CELL_TYPES = new Set(['b', 'd', 'e', 'inlineStr', 'n', 's', 'str']);

/** Rows and cells in order and in bounds, their strings, formats, values and formulas. */
export function checkCells(
  data: XmlElement | undefined,
  book: Book,
  strings: readonly string[],
  say: (message: string) => void,
): SheetCells {
  const found: SheetCells = { texts: new Map(), formulas: new Set(), filled: [] };
  const groups = new Map<string, Block>();
  let lastRow = 0;
  for (const row of childrenOf(data, 'row')) {
    const number = Number(row.attributes.get('r') ?? lastRow + 1);
    if (number <= lastRow || number > LAST_ROW) say(`row ${number} stands after row ${lastRow} or out of bounds`);
    lastRow = number;
    checkFormat(row, `row ${number}`, book, say);
    let lastColumn = 0;
    for (const cell of childrenOf(row, 'c')) {
      const address = cell.attributes.get('r') ?? '';
      const place = readCellName(address);
      if (place?.row !== number || place.column <= lastColumn) {
        say(`the cell “${address}” stands in row ${number} after column ${lastColumn}`);
        continue;
      }
      lastColumn = place.column;
      checkFormat(cell, address, book, say);
      checkValue(cell, address, strings, found, say);
      if (cell.children.length > 0) found.filled.push({ ...place, address });
      const formula = childOf(cell, 'f');
      if (!formula) continue;
      found.formulas.add(address);
      for (const fault of faultsOfFormula(formula.text, book.sheetNames)) say(`${address}: ${fault}`);
      checkGroup(formula, address, place, groups, say);
    }
  }
  return found;
}

function checkFormat({ attributes }: XmlElement, where: string, book: Book, say: (message: string) => void): void {
  const style = attributes.get('s');
  if (style !== undefined && !(Number(style) < book.cellFormats)) say(`${where} has the format ${style}`);
}

function checkValue(
  cell: XmlElement,
  address: string,
  strings: readonly string[],
  { texts }: SheetCells,
  say: (message: string) => void,
): void {
  const type = cell.attributes.get('t') ?? 'n';
  const value = childOf(cell, 'v')?.text;
  if (!CELL_TYPES.has(type)) say(`${address} has the type ${type}`);
  if (type === 'inlineStr') {
    const text = childrenOf(childOf(cell, 'is'), 't')
      .map((piece) => piece.text)
      .join('');
    if (!childOf(cell, 'is')) say(`${address} has no inline string`);
    if (text.length > MAX_TEXT_LENGTH) say(`${address} has more text than a cell can hold`);
    texts.set(address, text);
  }
  if (type === 's' && value !== undefined) {
    const text = /^\d+$/.test(value) ? strings[Number(value)] : undefined;
    if (text === undefined) say(`${address} has the shared string ${value} of ${strings.length}`);
    else texts.set(address, text);
  }
  // A formula that was never calculated may have an empty value.
  const isBlank = value === '' && childOf(cell, 'f') !== undefined;
  if (type === 'n' && value !== undefined && !isBlank && !Number.isFinite(Number(value || 'x')))
    say(`${address} has the number “${value}”`);
}

/** Shared formulas lie inside the range of their first cell; a formula of several cells has its own cell in it. */
function checkGroup(
  { attributes, text }: XmlElement,
  address: string,
  { row, column }: { row: number; column: number },
  groups: Map<string, Block>,
  say: (message: string) => void,
): void {
  const ref = attributes.get('ref');
  const block = ref === undefined ? null : readBlock(ref);
  if (ref !== undefined && (!block || !contains(block, row, column)))
    say(`${address}: the range ${ref} of its formula does not have it`);
  if (attributes.get('t') !== 'shared') return;
  const index = attributes.get('si') ?? '';
  if (block && text) {
    if (groups.has(index)) say(`${address}: the shared formula ${index} is defined twice`);
    groups.set(index, block);
    return;
  }
  const group = groups.get(index);
  if (!group || !contains(group, row, column)) say(`${address}: its shared formula ${index} does not reach it`);
}
