import { columnLetters, MAX_TEXT_LENGTH, parseAddress } from '../ooxml/cellAddress.ts';
import { attribute, elements, escapeXml, startTags } from '../ooxml/xmlText.ts';

/** The position of a row in the XML of a sheet. */
export type RowSpan = { number: number; start: number; end: number };

/** The namespace prefix of the elements of a sheet or workbook, with its colon; empty for nearly all files. */
export function prefixOf(xml: string): string {
  return startTags(xml.slice(0, 4000), ['worksheet', 'workbook']).next().value?.prefix ?? '';
}

/** Every row of a sheet, in order. */
export function listRows(xml: string, prefix: string): RowSpan[] {
  const spans: RowSpan[] = [];
  const open = `<${prefix}row`;
  const close = `</${prefix}row>`;
  let at = xml.indexOf(`<${prefix}sheetData`);
  let number = 0;
  for (at = xml.indexOf(open, at + 1); at >= 0; at = xml.indexOf(open, at)) {
    const tagEnd = xml.indexOf('>', at);
    const next = xml.charCodeAt(at + open.length);
    if (next !== 32 && next !== 62 && next !== 47 && next !== 10 && next !== 9) {
      // Another element such as <rowBreaks>, which comes after the data.
      break;
    }
    number = Number(attribute(xml.slice(at, tagEnd), 'r') ?? number + 1);
    const closing = xml.charCodeAt(tagEnd - 1) === 47 ? -1 : xml.indexOf(close, tagEnd);
    if (tagEnd < 0 || (closing < 0 && xml.charCodeAt(tagEnd - 1) !== 47)) break;
    const end = closing < 0 ? tagEnd + 1 : closing + close.length;
    spans.push({ number, start: at, end });
    at = end;
  }
  return spans;
}

/** Whether a cell of a row has content, not only a format. */
export function hasContent(rowXml: string): boolean {
  for (const { inner } of elements(rowXml, 'c')) if (inner !== '') return true;
  return false;
}

export type StyledCell = { column: number; style: string | null };

/** The cells of a row with their styles, and the row's own attributes without its number. */
export function readRowStyle(rowXml: string, prefix: string): { attributes: string; cells: StyledCell[] } {
  const tag = rowXml.slice(0, rowXml.indexOf('>') + 1);
  const attributes = tag
    .replace(/^<[\w:]*row/, '')
    .replace(/\/?>$/, '')
    .replace(/\s(?:r|spans|hidden|collapsed)\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
    .trim();
  const cells: StyledCell[] = [];
  for (const { tag: cell, prefix: own } of startTags(rowXml, ['c'])) {
    if (own !== prefix) continue;
    const column = parseAddress(attribute(cell, 'r') ?? '')?.column;
    if (column) cells.push({ column, style: attribute(cell, 's') });
  }
  return { attributes, cells };
}

/** The XML of a row's formula cells by column, so that formulas filled in advance are kept when the row is filled. */
export function readFormulaCells(rowXml: string, prefix: string): Map<number, string> {
  const kept = new Map<number, string>();
  for (const { tag, start, end } of elements(rowXml, 'c')) {
    const cell = rowXml.slice(start, end);
    const column = parseAddress(attribute(tag, 'r') ?? '')?.column;
    if (column && cell.includes(`<${prefix}f`)) kept.set(column, cell);
  }
  return kept;
}

export type CellContent = { text: string } | { number: number };

/**
 * Writes a row: its contents, and styles for the other cells. Strings are inline, so that the shared strings stay
 * unchanged.
 */
export function writeRow(
  number: number,
  prefix: string,
  attributes: string,
  cells: StyledCell[],
  contents: Map<number, CellContent>,
  kept: ReadonlyMap<number, string> = new Map(),
): string {
  const columns = new Map(cells.map(({ column, style }) => [column, style]));
  for (const column of [...contents.keys(), ...kept.keys()]) if (!columns.has(column)) columns.set(column, null);
  const inner = [...columns]
    .sort(([a], [b]) => a - b)
    .map(([column, style]) => {
      const place = `r="${columnLetters(column)}${number}"${style === null ? '' : ` s="${style}"`}`;
      const content = contents.get(column);
      if (!content) return kept.get(column) ?? (style === null ? '' : `<${prefix}c ${place}/>`);
      if ('number' in content) return `<${prefix}c ${place}><${prefix}v>${content.number}</${prefix}v></${prefix}c>`;
      return `<${prefix}c ${place} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${escapeXml(content.text.slice(0, MAX_TEXT_LENGTH))}</${prefix}t></${prefix}is></${prefix}c>`;
    })
    .join('');
  return `<${prefix}row r="${number}"${attributes ? ` ${attributes}` : ''}>${inner}</${prefix}row>`;
}
