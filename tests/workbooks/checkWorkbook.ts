import { checkChain, checkComments, checkDrawings, checkTables } from './anchoredRules.ts';
import { checkBook, checkDistantFormulas } from './bookRules.ts';
import type { SheetCells } from './cellRules.ts';
import { openPackage } from './openedPackage.ts';
import { checkParts } from './packageRules.ts';
import { checkSheet } from './sheetRules.ts';
import { childrenOf, everyElement, type XmlElement } from './xmlTree.ts';

/** The text of a shared string without its phonetic hints. */
const textOf = (item: XmlElement): string =>
  [...item.children]
    .filter(({ name }) => name === 't' || name === 'r')
    .flatMap((piece) => [...everyElement(piece)])
    .filter(({ name }) => name === 't')
    .map(({ text }) => text)
    .join('');

/**
 * Checks every reference in a workbook (.xlsx, .xlsm) as a strict reader would: between its parts, from cells to
 * strings, formats and formulas, and of everything that is anchored to cells.
 * @returns each fault as "part: what is wrong"; empty for a good workbook
 */
export function checkWorkbook(bytes: Uint8Array): string[] {
  const opened = openPackage(bytes);
  checkParts(opened);
  const book = checkBook(opened);
  if (!book) return opened.faults;
  const workbook = opened.related('', 'officeDocument') ?? '';
  const strings = opened.root(opened.related(workbook, 'sharedStrings') ?? '');
  const texts = childrenOf(strings, 'si').map(textOf);
  const cells = new Map<string, SheetCells>();
  const tableNames = new Set(book.definedNames);
  for (const sheet of book.sheets) {
    const found = checkSheet(opened, book, sheet, texts);
    if (!found) continue;
    cells.set(sheet.part, found);
    checkTables(opened, sheet, found, tableNames);
    checkComments(opened, sheet);
    checkDrawings(opened, sheet);
  }
  checkChain(opened, book, cells);
  checkDistantFormulas(opened, book);
  return opened.faults;
}

/** The faults of a workbook that another, from which it was made, does not have. */
export function faultsAdded(before: Uint8Array, after: Uint8Array): string[] {
  const isPackage = before[0] === 0x50 && before[1] === 0x4b;
  const known = new Set(isPackage ? checkWorkbook(before) : []);
  return checkWorkbook(after).filter((fault) => !known.has(fault));
}
