import { type Book, type BookSheet, faultsOfCount, faultsOfOrder } from './bookRules.ts';
import { checkCells, type SheetCells } from './cellRules.ts';
import type { OpenedPackage } from './openedPackage.ts';
import { type Block, contains, faultsOfFormula, LAST_ROW, overlaps, readBlock, readBlocks } from './places.ts';
import { childOf, childrenOf, everyElement, type XmlElement } from './xmlTree.ts';

const SHEET_ORDER =
  'sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst AlternateContent'.split(
    ' ',
  );
/** Alternate content may stand at several places. */
const isPlaced = ({ name }: XmlElement) => name !== 'AlternateContent';

/** The attributes with cells: one block, or a list of blocks. */
const PLACES: [attribute: string, elements: ReadonlySet<string>][] = [
  ['sqref', new Set(['conditionalFormatting', 'dataValidation', 'ignoredError', 'protectedRange', 'selection'])],
  ['ref', new Set(['autoFilter', 'sortState', 'sortCondition', 'hyperlink', 'mergeCell', 'dimension'])],
  ['activeCell', new Set(['selection'])],
  ['topLeftCell', new Set(['pane', 'sheetView', 'customSheetView'])],
];
const COUNTED: [list: string, child: string][] = [
  ['mergeCells', 'mergeCell'],
  ['dataValidations', 'dataValidation'],
  ['tableParts', 'tablePart'],
  ['rowBreaks', 'brk'],
];

/** A sheet's cells and everything around them that refers to cells. @returns what other parts compare with */
export function checkSheet(opened: OpenedPackage, book: Book, sheet: BookSheet, strings: readonly string[]) {
  const root = opened.root(sheet.part);
  const say = (message: string) => opened.faults.push(`${sheet.part}: ${message}`);
  if (root?.name !== 'worksheet') return null;
  const order = { ...root, children: root.children.filter(isPlaced) };
  for (const fault of faultsOfOrder(order, SHEET_ORDER)) say(fault);
  const cells = checkCells(childOf(root, 'sheetData'), book, strings, say);
  checkExtent(root, cells, say);
  for (const [list, child] of COUNTED) for (const fault of faultsOfCount(childOf(root, list), child)) say(fault);
  const around = root.children.filter(({ name }) => name !== 'sheetData');
  for (const element of around.flatMap((child) => [...everyElement(child)])) checkAround(element, book, say);
  checkMerges(root, cells, say);
  const filter = childOf(root, 'autoFilter')?.attributes.get('ref');
  const named = book.filters.get(book.sheets.indexOf(sheet));
  if (named !== undefined && filter !== undefined && named !== filter)
    say(`the name of the filter has ${named} and is not its filter ${filter}`);
  for (const { attributes } of childrenOf(childOf(root, 'rowBreaks'), 'brk'))
    if (!(Number(attributes.get('id')) <= LAST_ROW)) say(`a page break after row ${attributes.get('id')}`);
  return cells;
}

function checkExtent(root: XmlElement, { filled }: SheetCells, say: (message: string) => void): void {
  const text = childOf(root, 'dimension')?.attributes.get('ref');
  const block = text === undefined ? null : readBlock(text);
  if (!block) return;
  const outside = filled.find(({ row, column }) => !contains(block, row, column));
  if (outside) say(`the dimension ${text} does not have ${outside.address}`);
}

function checkAround({ name, attributes, text }: XmlElement, book: Book, say: (message: string) => void): void {
  for (const [attribute, elements] of PLACES) {
    const value = attributes.get(attribute);
    if (elements.has(name) && value !== undefined && !readBlocks(value))
      say(`<${name}> has the ${attribute} “${value}”`);
  }
  if (name === 'sqref' && !readBlocks(text)) say(`<${name}> is “${text}”`);
  if (/^(?:f|formula\d?)$/.test(name)) for (const fault of faultsOfFormula(text, book.sheetNames)) say(fault);
  if (name === 'cfRule' && !(Number(attributes.get('dxfId') ?? -1) < book.differentialFormats))
    say(`a rule has the format ${attributes.get('dxfId')} of ${book.differentialFormats}`);
  const location = name === 'hyperlink' ? attributes.get('location') : undefined;
  if (location !== undefined) for (const fault of faultsOfLocation(location, book)) say(fault);
}

/** A place in the workbook: a cell or range with or without its sheet, or a name. */
function faultsOfLocation(location: string, { sheetNames, definedNames }: Book): string[] {
  const [, sheet, place = ''] = /^(?:(.*)!)?([^!]*)$/s.exec(location) ?? [];
  const plain = sheet?.replace(/^'|'$/g, '').replaceAll("''", "'");
  if (plain !== undefined && !sheetNames.has(plain.toLowerCase())) return [`the link to ${location} leads to no sheet`];
  if (readBlocks(place.replaceAll('$', '')) || definedNames.has(place.toLowerCase())) return [];
  return [`the link to ${location} leads nowhere`];
}

function checkMerges(root: XmlElement, { filled }: SheetCells, say: (message: string) => void): void {
  const merges = childrenOf(childOf(root, 'mergeCells'), 'mergeCell').flatMap(({ attributes }): [string, Block][] => {
    const text = attributes.get('ref') ?? '';
    const block = readBlock(text);
    return block ? [[text, block]] : [];
  });
  const byTop = merges.toSorted(([, a], [, b]) => a.top - b.top);
  for (const [at, [text, block]] of byTop.entries()) {
    if (block.left === block.right && block.top === block.bottom) say(`the merged range ${text} is one cell`);
    for (let next = at + 1; (byTop[next]?.[1].top ?? Number.POSITIVE_INFINITY) <= block.bottom; next += 1)
      if (overlaps(block, byTop[next]?.[1] as Block)) say(`the merged ranges ${text} and ${byTop[next]?.[0]} overlap`);
    const hidden = filled.find(
      ({ row, column }) => contains(block, row, column) && (row > block.top || column > block.left),
    );
    if (hidden) say(`${hidden.address} is hidden by the merged range ${text}`);
  }
}
