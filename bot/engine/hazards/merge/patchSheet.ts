import { formatRange, parseRange } from '../ooxml/cellAddress.ts';
import { type Growth, grownFormulaXml, grownList, movedRow } from './growth.ts';
import {
  type CellContent,
  listRows,
  prefixOf,
  type RowSpan,
  readFormulaCells,
  readRowStyle,
  type StyledCell,
  writeRow,
} from './sheetRows.ts';

export type NewRow = Map<number, CellContent>;
export type PatchedSheet = { xml: string; growth: Growth; firstRow: number };

/** Moves a row that lies below the log: its number and its cells' addresses. */
function movedRowXml(rowXml: string, from: number, to: number, prefix: string): string {
  return rowXml
    .replace(new RegExp(`(<${prefix}row\\b[^>]*?\\sr=")${from}"`), `$1${to}"`)
    .replace(new RegExp(`(<${prefix}c\\b[^>]*?\\sr="[A-Z]+)${from}"`, 'g'), `$1${to}"`);
}

const ATTRIBUTE_LISTS: [element: string, attributeName: string, extend: boolean][] = [
  ['conditionalFormatting', 'sqref', true],
  ['dataValidation', 'sqref', true],
  ['ignoredError', 'sqref', true],
  ['protectedRange', 'sqref', true],
  ['autoFilter', 'ref', true],
  ['mergeCell', 'ref', false],
  ['hyperlink', 'ref', false],
];

/** Ranges and formulas of everything that follows the data. */
function grownTail(tail: string, prefix: string, growth: Growth): string {
  let text = tail;
  for (const [element, name, extend] of ATTRIBUTE_LISTS)
    text = text.replace(
      new RegExp(`(<(?:\\w+:)?${element}\\b[^>]*?\\s${name}=")([^"]*)"`, 'g'),
      (_, before: string, list: string) => `${before}${grownList(list, growth, extend)}"`,
    );
  text = text.replace(
    /(<xm:sqref>)([^<]*)(<\/xm:sqref>)/g,
    (_, open: string, list: string, close: string) => open + grownList(list, growth, true) + close,
  );
  if (growth.shift === 0) return text;
  text = text.replace(
    /(<(?:\w+:)?(?:formula|formula1|formula2|f)(?:\s[^>]*)?>)([^<]*)(<\/)/g,
    (_, open: string, formula: string, close: string) => open + grownFormulaXml(formula, growth.sheet, growth) + close,
  );
  return text.replace(new RegExp(`(<${prefix}rowBreaks[\\s\\S]*?</${prefix}rowBreaks>)`), (breaks) =>
    breaks.replace(
      /(<(?:\w+:)?brk\b[^>]*?\sid=")(\d+)"/g,
      (_, before: string, id: string) => `${before}${movedRow(Number(id), growth)}"`,
    ),
  );
}

function grownHead(head: string, prefix: string, growth: Growth, width: number): string {
  return head.replace(
    new RegExp(`(<${prefix}dimension\\b[^>]*?\\sref=")([^"]*)"`),
    (whole, before: string, ref: string) => {
      const range = parseRange(ref);
      if (!range) return whole;
      const bottom = Math.max(movedRow(range.bottom, growth), growth.lastRow + growth.added);
      return `${before}${formatRange({ ...range, bottom, right: Math.max(range.right, width) })}"`;
    },
  );
}

/** Which row lends its style: the last data row, else (in an empty log) a row that was formatted in advance. */
function styleRow(rows: RowSpan[], lastRow: number, hasData: boolean): RowSpan | undefined {
  return rows.find(({ number }) => number === (hasData ? lastRow : lastRow + 1));
}

/**
 * Writes rows under the last data row of a sheet. Rows below that hold nothing are filled, formulas that stand there in
 * advance are kept; where there is not room for all, whatever stands below (totals, notes, lists) moves down by as many rows and keeps its distance.
 */
export function patchSheet(
  xml: string,
  sheet: string,
  lastRow: number,
  hasData: boolean,
  newRows: NewRow[],
  room: number,
): PatchedSheet {
  const prefix = prefixOf(xml);
  const rows = listRows(xml, prefix);
  const added = newRows.length;
  const growth: Growth = { sheet, lastRow, added, shift: room < added ? added : 0 };
  const model = styleRow(rows, lastRow, hasData);
  const style = model ? readRowStyle(xml.slice(model.start, model.end), prefix) : { attributes: '', cells: [] };
  const written = newRows.map((contents, at) => {
    const number = lastRow + 1 + at;
    const there = growth.shift === 0 ? rows.find((row) => row.number === number) : undefined;
    const own = there ? xml.slice(there.start, there.end) : '';
    return writeRow(
      number,
      prefix,
      style.attributes,
      joinCells(style.cells, own ? readRowStyle(own, prefix).cells : []),
      contents,
      own ? readFormulaCells(own, prefix) : undefined,
    );
  });
  const upTo = rows.filter(({ number }) => number <= lastRow).at(-1);
  const after = rows.filter(({ number }) => number > lastRow && (growth.shift > 0 || number > lastRow + added));
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
  return { xml: data + grownTail(tail, prefix, growth), growth, firstRow: lastRow + 1 };
}

/** Formulas in the cells, and the ranges that shared and array formulas name. */
function grownFormulas(xml: string, growth: Growth): string {
  if (growth.shift === 0) return xml;
  return xml.replace(
    /(<(?:\w+:)?f\b)([^>]*)(>)([^<]*)(<\/)/g,
    (_, open: string, attributes: string, close: string, formula: string, end: string) => {
      const moved = attributes.replace(
        /(\sref=")([^"]*)"/,
        (_whole, before: string, ref: string) => `${before}${grownList(ref, growth, false)}"`,
      );
      return open + moved + close + grownFormulaXml(formula, growth.sheet, growth) + end;
    },
  );
}

function joinCells(model: StyledCell[], there: StyledCell[]): StyledCell[] {
  const known = new Set(model.map(({ column }) => column));
  return [...model, ...there.filter(({ column }) => !known.has(column))];
}

function dataBounds(xml: string, prefix: string): [start: number, end: number, empty: boolean] {
  const open = xml.indexOf(`<${prefix}sheetData`);
  const tagEnd = xml.indexOf('>', open) + 1;
  if (xml.charCodeAt(tagEnd - 2) === 47) return [open, tagEnd, true];
  return [tagEnd, xml.indexOf(`</${prefix}sheetData>`, tagEnd), false];
}

/** The end of a sheet's rows, for appending to a sheet of our own. */
export function lastRowOf(xml: string): number {
  return listRows(xml, prefixOf(xml)).at(-1)?.number ?? 0;
}
