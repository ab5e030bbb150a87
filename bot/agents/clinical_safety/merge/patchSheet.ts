import { HazardFileError } from '../errors.ts';
import { cellAddress, formatRange, MAX_ROWS, parseRange } from '../ooxml/cellAddress.ts';
import { elements, rewriteAttribute, rewriteTags, rewriteTexts, startTags } from '../ooxml/xmlText.ts';
import { grownDrawing } from './anchors.ts';
import { type Growth, grownFormulaXml, grownList, grownPlaceXml, movedRow } from './growth.ts';
import { separateShared } from './sharedFormulas.ts';
import {
  type CellContent,
  hasContent,
  listRows,
  prefixOf,
  type RowSpan,
  readFormulaCells,
  readRowStyle,
  type StyledCell,
  writeRow,
} from './sheetRows.ts';

export type NewRow = Map<number, CellContent>;
export type PatchedSheet = {
  xml: string;
  growth: Growth;
  firstRow: number;
  /** How many rows with content moved down. */
  movedRows: number;
  /** Cells whose formula was filled in advance and gave way to a value, such as the next id. */
  replacedFormulas: string[];
};

/** Moves a row below the log by rewriting its number and its cells' addresses. */
function movedRowXml(rowXml: string, from: number, to: number, prefix: string): string {
  return rewriteTags(rowXml, ['row', 'c'], (tag, name, tagPrefix) => {
    if (tagPrefix !== prefix) return tag;
    return rewriteAttribute(tag, 'r', (address) => {
      if (name === 'row') return address === String(from) ? String(to) : address;
      const letters = address.slice(0, -String(from).length);
      return /^[A-Z]{1,3}$/.test(letters) && address.endsWith(String(from)) ? `${letters}${to}` : address;
    });
  });
}

/**
 * Elements after the data that refer to cells, the attribute with the reference, and whether its ranges grow with the
 * log.
 */
const ATTRIBUTE_LISTS = new Map<string, [attributeName: string, extend: boolean]>([
  ['conditionalFormatting', ['sqref', true]],
  ['dataValidation', ['sqref', true]],
  ['ignoredError', ['sqref', true]],
  ['protectedRange', ['sqref', true]],
  ['autoFilter', ['ref', true]],
  ['sortState', ['ref', true]],
  ['sortCondition', ['ref', true]],
  ['mergeCell', ['ref', false]],
  ['hyperlink', ['ref', false]],
]);

/** Elements whose text is a formula: in cells, validations and conditional formats. */
export const FORMULA_ELEMENTS = ['formula', 'formula1', 'formula2', 'f'];

/** Moves the targets of a sheet's links. */
export function grownLinks(xml: string, sheet: string, growth: Growth): string {
  return rewriteTags(xml, ['hyperlink'], (tag) =>
    rewriteAttribute(tag, 'location', (place) => grownPlaceXml(place, sheet, growth)),
  );
}

/** Rewrites the ranges and formulas of everything after the data. */
function grownTail(tail: string, growth: Growth): string {
  let text = tail;
  text = rewriteTags(text, [...ATTRIBUTE_LISTS.keys()], (tag, element) => {
    const [name, extend] = ATTRIBUTE_LISTS.get(element) ?? ['ref', false];
    return rewriteAttribute(tag, name, (list) => grownList(list, growth, extend));
  });
  // A single cell may be that of a small chart, which can't be drawn in several.
  text = rewriteTexts(text, ['sqref'], (list) => grownList(list, growth, list.includes(':')));
  if (growth.shift === 0) return text;
  text = rewriteTexts(text, FORMULA_ELEMENTS, (formula) => grownFormulaXml(formula, growth.sheet, growth));
  return grownBreaks(grownDrawing(grownLinks(text, growth.sheet, growth), growth), growth);
}

function grownBreaks(tail: string, growth: Growth): string {
  let text = '';
  let from = 0;
  for (const { start, end } of elements(tail, 'rowBreaks')) {
    text += tail.slice(from, start);
    text += rewriteTags(tail.slice(start, end), ['brk'], (tag) =>
      rewriteAttribute(tag, 'id', (id) => String(movedRow(Number(id), growth))),
    );
    from = end;
  }
  return text + tail.slice(from);
}

function grownHead(head: string, prefix: string, growth: Growth, width: number): string {
  const [dimension] = startTags(head, ['dimension']);
  if (dimension?.prefix !== prefix) return head;
  const tag = rewriteAttribute(dimension.tag, 'ref', (ref) => {
    const range = parseRange(ref);
    if (!range) return ref;
    const bottom = Math.max(movedRow(range.bottom, growth), growth.lastRow + growth.added);
    return formatRange({ ...range, bottom, right: Math.max(range.right, width) });
  });
  return head.slice(0, dimension.start) + tag + head.slice(dimension.end);
}

/** The row whose style new rows copy: the last data row or, in an empty log, a row that was formatted in advance. */
function styleRow(rows: RowSpan[], lastRow: number, hasData: boolean): RowSpan | undefined {
  return rows.find(({ number }) => number === (hasData ? lastRow : lastRow + 1));
}

/**
 * Writes rows below the last data row of a sheet. Empty rows are filled, and formulas already in them are kept. If
 * there is not enough room, everything below (totals, notes, lists) moves down by the number of new rows.
 */
export function patchSheet(
  source: string,
  { sheet, lastRow, columns }: Pick<Growth, 'sheet' | 'lastRow' | 'columns'>,
  hasData: boolean,
  newRows: NewRow[],
  room: number,
): PatchedSheet {
  const prefix = prefixOf(source);
  const added = newRows.length;
  if (lastRow + added > MAX_ROWS) throw noRoomBelow(sheet, lastRow);
  const growth: Growth = { sheet, lastRow, added, shift: room < added ? added : 0, columns };
  const isReplaced = (row: number, column: number) =>
    growth.shift === 0 && newRows[row - lastRow - 1]?.has(column) === true;
  const xml = separateShared(source, prefix, sheet, growth, isReplaced);
  const rows = listRows(xml, prefix);
  const model = styleRow(rows, lastRow, hasData);
  const style = model ? readRowStyle(xml.slice(model.start, model.end), prefix) : { attributes: '', cells: [] };
  const replacedFormulas: string[] = [];
  const written = newRows.map((contents, at) => {
    const number = lastRow + 1 + at;
    const existing = growth.shift === 0 ? rows.find((row) => row.number === number) : undefined;
    const own = existing ? xml.slice(existing.start, existing.end) : '';
    const kept = readFormulaCells(own, prefix);
    for (const column of kept.keys()) if (contents.has(column)) replacedFormulas.push(cellAddress(number, column));
    return writeRow(
      number,
      prefix,
      style.attributes,
      joinCells(style.cells, own ? readRowStyle(own, prefix).cells : []),
      contents,
      kept,
    );
  });
  const upTo = rows.filter(({ number }) => number <= lastRow).at(-1);
  const after = rows
    .filter(({ number }) => number > lastRow && (growth.shift > 0 || number > lastRow + added))
    .filter(({ number, start, end }) => {
      if (number + growth.shift <= MAX_ROWS) return true;
      // Like Excel, Arc refuses to push cells off the sheet; blank rows are dropped.
      if (hasContent(xml.slice(start, end))) throw noRoomBelow(sheet, number);
      return false;
    });
  const [dataStart, dataEnd, emptyData] = dataBounds(xml, prefix);
  const cut = upTo?.end ?? dataStart;
  const tailStart = rows.at(-1)?.end ?? dataStart;
  const below =
    growth.shift === 0
      ? after.map(({ start, end }) => xml.slice(start, end)).join('')
      : after
          .map(({ number, start, end }) => movedRowXml(xml.slice(start, end), number, number + growth.shift, prefix))
          .join('');
  const width = Math.max(0, ...newRows.flatMap((contents) => [...contents.keys()]));
  const head = grownHead(
    emptyData ? `${xml.slice(0, dataStart)}<${prefix}sheetData>` : xml.slice(0, cut),
    prefix,
    growth,
    width,
  );
  const tail = emptyData ? `</${prefix}sheetData>${xml.slice(dataEnd)}` : xml.slice(Math.max(tailStart, cut));
  const data = grownFormulas(head, growth) + written.join('') + grownFormulas(below, growth);
  return {
    xml: data + grownTail(tail, growth),
    growth,
    firstRow: lastRow + 1,
    movedRows: growth.shift > 0 ? after.filter(({ start, end }) => hasContent(xml.slice(start, end))).length : 0,
    replacedFormulas,
  };
}

/** Rewrites the formulas of cells and the ranges of shared and array formulas. */
function grownFormulas(xml: string, growth: Growth): string {
  if (growth.shift === 0) return xml;
  return rewriteTexts(
    rewriteTags(xml, ['f'], (tag) => rewriteAttribute(tag, 'ref', (ref) => grownList(ref, growth, false))),
    ['f'],
    (formula) => grownFormulaXml(formula, growth.sheet, growth),
  );
}

function joinCells(model: StyledCell[], existing: StyledCell[]): StyledCell[] {
  const known = new Set(model.map(({ column }) => column));
  return [...model, ...existing.filter(({ column }) => !known.has(column))];
}

function noRoomBelow(sheet: string, row: number): HazardFileError {
  return new HazardFileError(
    'no_room_below',
    `There is no room for new rows in “${sheet}”: the content below the log has to move down, and row ${row.toLocaleString('en-GB')} is at the end of the sheet. Delete the content of the last rows, save, and merge again.`,
  );
}

function dataBounds(xml: string, prefix: string): [start: number, end: number, empty: boolean] {
  const open = xml.indexOf(`<${prefix}sheetData`);
  const tagEnd = xml.indexOf('>', open) + 1;
  if (xml.charCodeAt(tagEnd - 2) === 47) return [open, tagEnd, true];
  return [tagEnd, xml.indexOf(`</${prefix}sheetData>`, tagEnd), false];
}
