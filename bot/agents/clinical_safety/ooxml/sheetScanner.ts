import type { Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ReadingBudget } from '../reading/readingBudget.ts';
import { type CellRange, MAX_COLUMNS, MAX_ROWS, parseAddress, parseRange } from './cellAddress.ts';
import { translateFormula } from './formulaReferences.ts';
import { attribute, elements, startTags, unescapeXml } from './xmlText.ts';

/** A cell with content. */
export type GridCell = {
  /** The text as shown; dates as ISO days. */
  text: string;
  number: number | null;
  /** Without the leading "="; null where the cell is a plain value. */
  formula: string | null;
  /** The cell that this one is a copy of, where a grid was put together from others. */
  origin?: Place;
};
export type GridRow = (GridCell | undefined)[];

/** A sheet of any file format. Rows and columns count from 1; blank cells are absent. */
export type Grid = {
  name: string;
  hidden: boolean;
  rows: (GridRow | undefined)[];
  merges: CellRange[];
  /** The heading right above a table of a text, where it stands. */
  caption?: { text: string; origin: Place };
  /** The heading of the section of a text that a table stands in, other tables between or not. */
  section?: string;
};

export type ScanContext = {
  sharedStrings: string[];
  /** Whether the format shows a date, by style index. */
  dateStyles: boolean[];
  date1904: boolean;
  budget: ReadingBudget;
};

const DAY = 86_400_000;

function dateText(serial: number, date1904: boolean): string {
  const days = date1904 ? serial + 1462 : serial;
  const date = new Date(Math.round((days - 25_569) * DAY));
  if (Number.isNaN(date.getTime())) return String(serial);
  const text = date.toISOString();
  return days % 1 === 0 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}

/** The text of a shared or inline string, with rich-text runs joined and phonetic hints removed. */
export function stringItemText(inner: string): string {
  if (!inner.includes('<t')) return '';
  // Fast path: nearly every string is one plain run.
  const simple = /^\s*<t(?: xml:space="preserve")?>([^<]*)<\/t>\s*$/.exec(inner);
  if (simple) return unescapeXml(simple[1] ?? '');
  let text = '';
  for (const piece of elements(withoutPhonetics(inner), 't')) text += piece.inner;
  return unescapeXml(text);
}

function withoutPhonetics(inner: string): string {
  let text = '';
  let from = 0;
  for (let open = inner.indexOf('<rPh'); open !== -1; open = inner.indexOf('<rPh', from)) {
    const close = inner.indexOf('</rPh>', open);
    if (close === -1) break;
    text += inner.slice(from, open);
    from = close + '</rPh>'.length;
  }
  return text + inner.slice(from);
}

/** Removes the namespace prefix that some programs write on every element ("x:row"). */
export function withoutPrefix(xml: string, root: string): string {
  const prefix = startTags(xml.slice(0, 4000), [root]).next().value?.prefix;
  return prefix ? xml.replaceAll(`<${prefix}`, '<').replaceAll(`</${prefix}`, '</') : xml;
}

type SharedFormula = { text: string; row: number; column: number };

/** Scans a worksheet part in one pass over its text, without a document tree. */
export function scanSheet(source: string, name: string, hidden: boolean, context: ScanContext): Grid {
  const xml = withoutPrefix(source, 'worksheet');
  const rows: Grid['rows'] = [];
  const shared = new Map<string, SharedFormula>();
  const dataStart = xml.indexOf('<sheetData');
  const closing = xml.indexOf('</sheetData>', dataStart);
  // Without an end tag of its data, a sheet is read as empty.
  const dataEnd = dataStart === -1 || closing === -1 ? dataStart : closing;
  let rowNumber = 0;
  let columnNumber = 0;
  let row: GridRow = [];
  let at = xml.indexOf('>', dataStart) + 1;
  while (at < dataEnd) {
    // Both exist, because the data end with a tag.
    at = xml.indexOf('<', at);
    const close = xml.indexOf('>', at);
    const kind = xml.charCodeAt(at + 1);
    if (kind === 114 /* r: row */) {
      const tag = xml.slice(at, close);
      rowNumber = Number(attribute(tag, 'r') ?? rowNumber + 1);
      columnNumber = 0;
      row = [];
      context.budget.spendWork(1);
      // An impossible row number would make every later loop run up to it.
      if (rowNumber >= 1 && rowNumber <= MAX_ROWS) rows[rowNumber] = row;
    } else if (kind === 99 /* c: cell */) {
      const tag = xml.slice(at, close);
      const address = attribute(tag, 'r');
      columnNumber = address ? (parseAddress(address)?.column ?? columnNumber + 1) : columnNumber + 1;
      if (xml.charCodeAt(close - 1) !== 47 /* not self-closing */) {
        const end = xml.indexOf('</c>', close);
        if (end === -1) break;
        const cell = readCell(tag, xml.slice(close, end), rowNumber, columnNumber, shared, context);
        context.budget.spendCells(1);
        if (cell) context.budget.spendText(cell.text);
        if (cell && columnNumber <= MAX_COLUMNS) row[columnNumber] = cell;
        at = end + 4;
        continue;
      }
    }
    at = close;
  }
  context.budget.spendRows(rows.length);
  const merges: CellRange[] = [];
  for (const { tag } of elements(xml.slice(dataEnd), 'mergeCell')) {
    context.budget.spendMerge();
    const range = parseRange(attribute(tag, 'ref') ?? '');
    if (range) merges.push(range);
  }
  return { name, hidden, rows, merges };
}

function between(text: string, open: string, close: string): string | null {
  const at = text.indexOf(open);
  if (at === -1) return null;
  const start = text.indexOf('>', at) + 1;
  const end = text.indexOf(close, start);
  return end === -1 ? null : text.slice(start, end);
}

function readFormula(
  inner: string,
  row: number,
  column: number,
  shared: Map<string, SharedFormula>,
  budget: ReadingBudget,
): string | null {
  const at = inner.indexOf('<f');
  if (at === -1) return null;
  const tag = inner.slice(at, inner.indexOf('>', at));
  const text = budget.spendText(unescapeXml(between(inner, '<f', '</f>') ?? ''));
  const index = tag.includes('t="shared"') ? attribute(tag, 'si') : null;
  if (index === null) return text;
  if (text) {
    shared.set(index, { text, row, column });
    return text;
  }
  const origin = shared.get(index);
  if (origin) budget.spendWork(budget.spendText(origin.text).length / 10);
  return origin ? translateFormula(origin.text, row - origin.row, column - origin.column) : '';
}

function readCell(
  tag: string,
  inner: string,
  row: number,
  column: number,
  shared: Map<string, SharedFormula>,
  context: ScanContext,
): GridCell | null {
  const formula = readFormula(inner, row, column, shared, context.budget);
  const type = attribute(tag, 't') ?? 'n';
  if (type === 'inlineStr') {
    const text = stringItemText(inner);
    return text || formula !== null ? { text, number: null, formula } : null;
  }
  const value = between(inner, '<v', '</v>');
  if (value === null || value === '') return formula === null ? null : { text: '', number: null, formula };
  if (type === 's') {
    const text = context.sharedStrings[Number(value)] ?? '';
    return text || formula !== null ? { text, number: null, formula } : null;
  }
  if (type === 'b') return { text: value === '1' ? 'TRUE' : 'FALSE', number: null, formula };
  if (type === 'str' || type === 'e' || type === 'd') return { text: unescapeXml(value), number: null, formula };
  const number = Number(value);
  if (!Number.isFinite(number)) return { text: unescapeXml(value), number: null, formula };
  const style = Number(attribute(tag, 's'));
  const isDate = context.dateStyles[style] === true;
  return {
    text: isDate ? dateText(number, context.date1904) : plainNumber(number),
    number: isDate ? null : number,
    formula,
  };
}

/** Excel stores 1.6 as 1.6000000000000001; this gives 1.6. */
function plainNumber(number: number): string {
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(15)));
}
