import { cellAddress, parseAddress } from '../ooxml/cellAddress.ts';
import { attribute, elements, escapeXml } from '../ooxml/xmlText.ts';
import { listRows, prefixOf } from './sheetRows.ts';

/** Text to add at the end of a cell. */
type AddedCell = { row: number; column: number; added: string };

/** The elements of a text without their prefixes, under the prefix of the sheet. */
const withPrefix = (xml: string, prefix: string) => xml.replace(/<(\/?)(?:\w+:)?(?=\w)/g, `<$1${prefix}`);

/** The text of a string item with more at its end: in its last run's format where it has runs. */
function grownItem(item: string, added: string, prefix: string): string {
  const own = withPrefix(item, prefix);
  const text = `<${prefix}t xml:space="preserve">${escapeXml(added)}</${prefix}t>`;
  const runs = [...elements(own, 'r')];
  const last = runs.at(-1);
  if (last) {
    const format = elements(last.inner, 'rPr').next().value;
    const properties = format ? last.inner.slice(format.start, format.end) : '';
    return `${own.slice(0, last.end)}<${prefix}r>${properties}${text}</${prefix}r>${own.slice(last.end)}`;
  }
  const plain = elements(own, 't').next().value;
  if (!plain) return text;
  return `${own.slice(0, plain.start)}<${prefix}t xml:space="preserve">${plain.inner}${escapeXml(added)}</${prefix}t>${own.slice(plain.end)}`;
}

/** The string item of a cell, or its value as one; null for a formula. */
function itemOf(tag: string, inner: string, sharedItem: (index: number) => string): string | null {
  if (elements(inner, 'f').next().value) return null;
  const inline = elements(inner, 'is').next().value;
  if (inline) return inline.inner;
  const value = elements(inner, 'v').next().value?.inner ?? '';
  if (attribute(tag, 't') === 's') return sharedItem(Number(value));
  return value === '' ? '' : `<t>${value}</t>`;
}

/**
 * Adds text at the end of one cell of a sheet; its style, its own text and all other cells stay as they are. The string
 * becomes the cell's own, so that the workbook's shared strings stay unchanged.
 * @param sharedItem the XML inside a shared string item
 * @returns null where the cell is a formula or has no row
 */
export function addToCell(
  xml: string,
  { row, column, added }: AddedCell,
  sharedItem: (index: number) => string,
): string | null {
  const prefix = prefixOf(xml);
  const span = listRows(xml, prefix).find(({ number }) => number === row);
  if (!span) return null;
  const address = cellAddress(row, column);
  const rowXml = xml.slice(span.start, span.end);
  const cells = [...elements(rowXml, 'c')];
  const cell = cells.find(({ tag }) => attribute(tag, 'r') === address);
  const write = (attributes: string, item: string) =>
    `<${prefix}c${attributes} t="inlineStr"><${prefix}is>${grownItem(item, added, prefix)}</${prefix}is></${prefix}c>`;
  if (cell) {
    const item = itemOf(cell.tag, cell.inner, sharedItem);
    if (item === null) return null;
    const attributes = cell.tag
      .replace(/^<(?:\w+:)?c/, '')
      .replace(/\s*\/?>$/, '')
      .replace(/\st\s*=\s*(?:"[^"]*"|'[^']*')/, '');
    const written = write(attributes, item);
    return xml.slice(0, span.start + cell.start) + written + xml.slice(span.start + cell.end);
  }
  const next = cells.find(({ tag }) => (parseAddress(attribute(tag, 'r') ?? '')?.column ?? 0) > column);
  const written = write(` r="${address}"`, '');
  if (next) return xml.slice(0, span.start + next.start) + written + xml.slice(span.start + next.start);
  const closing = `</${prefix}row>`;
  const grown = rowXml.endsWith(closing)
    ? `${rowXml.slice(0, -closing.length)}${written}${closing}`
    : `${rowXml.replace(/\s*\/>$/, '>')}${written}${closing}`;
  return xml.slice(0, span.start) + grown + xml.slice(span.end);
}
