import { makeEntry, readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import { columnLetters, formatRange, MAX_ROWS, parseRange } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { readRelations, readWorkbookParts, relationsPart } from '../ooxml/workbookParts.ts';
import { attribute, elements, rewriteAttribute, startTags, unescapeXml } from '../ooxml/xmlText.ts';
import { CHANGE_LOG, CHANGE_LOG_TITLE, isChangeLog } from '../reading/ownSheets.ts';
import { CHANGE_LOG_HEADERS, CHANGE_LOG_NOTE, CHANGE_LOG_WIDTHS, OTHER_CHANGE_LOG } from './changeLog.ts';
import { type CellContent, hasContent, listRows, prefixOf, writeRow } from './sheetRows.ts';

type Parts = Map<string, ZipEntry>;
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';

/** Eight lines, so that a long quote does not fill the screen. */
const ROW_HEIGHT = 'ht="120" customHeight="1"';

type SheetStyles = { text: number; heading: number };

const contents = (row: string[]): Map<number, CellContent> =>
  new Map(row.flatMap((text, at): [number, CellContent][] => (text ? [[at + 1, { text }]] : [])));

/** Appends two formats to the workbook's: wrapped text, and bold wrapped text. Existing formats keep their numbers. */
function addStyles(parts: Parts, stylesPart: string | undefined): SheetStyles {
  const xml = stylesPart ? readPart(parts, stylesPart) : null;
  const blockOf = (name: string) => {
    const found = xml ? elements(xml, name).next().value : undefined;
    return found?.inner && found.tag.startsWith(`<${name}`) ? xml?.slice(found.start, found.end) : undefined;
  };
  const fonts = blockOf('fonts');
  const formats = blockOf('cellXfs');
  if (!xml || !stylesPart || !fonts || !formats) return { text: 0, heading: 0 };
  const fontCount = [...startTags(fonts, ['font'])].length;
  const formatCount = [...startTags(formats, ['xf'])].length;
  const setCount = (block: string, count: number) => block.replace(/^(<\w+\b[^<>]*?\scount=")\d+"/, `$1${count}"`);
  const grownFonts = setCount(
    fonts.replace('</fonts>', '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>'),
    fontCount + 1,
  );
  const format = (font: number) =>
    `<xf numFmtId="0" fontId="${font}" fillId="0" borderId="0" xfId="0"${font ? ' applyFont="1"' : ''} applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>`;
  const grownFormats = setCount(
    formats.replace('</cellXfs>', `${format(0)}${format(fontCount)}</cellXfs>`),
    formatCount + 2,
  );
  parts.set(
    stylesPart,
    makeEntry(
      stylesPart,
      xml.replace(fonts, () => grownFonts).replace(formats, () => grownFormats),
    ),
  );
  return { text: formatCount, heading: formatCount + 1 };
}

function newSheet(rows: string[][], changes: string, styles: SheetStyles, namespace: string): string {
  const styled = (style: number) => CHANGE_LOG_HEADERS.map((_, at) => ({ column: at + 1, style: String(style) }));
  const columns = CHANGE_LOG_WIDTHS.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  ).join('');
  const data = [
    writeRow(1, '', '', [], contents([CHANGE_LOG_TITLE])),
    writeRow(2, '', '', [], contents([CHANGE_LOG_NOTE])),
    writeRow(3, '', '', [], contents([changes])),
    writeRow(4, '', '', styled(styles.heading), contents(CHANGE_LOG_HEADERS)),
    ...rows.map((row, at) => writeRow(5 + at, '', ROW_HEIGHT, styled(styles.text), contents(row))),
  ].join('');
  const last = `${columnLetters(CHANGE_LOG_HEADERS.length)}${4 + rows.length}`;
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${namespace}"><dimension ref="A1:${last}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="4" topLeftCell="A5" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns}</cols><sheetData>${data}</sheetData></worksheet>`;
}

/**
 * Appends the rows to the Change log sheet of an earlier merge, or adds that sheet to the workbook. The sheet also
 * describes the merge's other changes to the workbook.
 * @returns the sentences that describe those changes
 */
export function addChangeLog(
  parts: Parts,
  grids: Grid[],
  rows: string[][],
  describe: (changeLog: string, isNew: boolean) => string[],
): string[] {
  const workbook = readWorkbookParts(parts);
  const ownGrid = grids.find(isChangeLog);
  const ownSheet = ownGrid ? workbook.sheets.find(({ name }) => name === ownGrid.name) : undefined;
  if (ownSheet) {
    const changes = describe(ownSheet.name, false);
    const rowsWithHeadings = ownGrid && hasCurrentHeadings(ownGrid) ? rows : [CHANGE_LOG_HEADERS, ...rows];
    appendRows(parts, ownSheet.partName, rowsWithHeadings, changes.join(' '));
    return changes;
  }
  const name = freeName(readPart(parts, workbook.workbookPart) ?? '');
  const relations = readRelations(parts, workbook.workbookPart);
  const styles = addStyles(parts, relations.find(({ type }) => type.endsWith('/styles'))?.target);
  const folder = workbook.workbookPart.slice(0, workbook.workbookPart.lastIndexOf('/') + 1);
  let number = 1;
  while (parts.has(`${folder}worksheets/sheet${number}.xml`)) number += 1;
  const partName = `${folder}worksheets/sheet${number}.xml`;
  // Strict workbooks use another namespace, so a new sheet takes that of an existing one.
  const neighbour = readPart(parts, workbook.sheets[0]?.partName ?? '')?.slice(0, 4000) ?? '';
  const namespace =
    /<(?:\w+:)?worksheet\b[^>]*?\sxmlns(?::\w+)?="([^"]*spreadsheetml[^"]*)"/.exec(neighbour)?.[1] ?? MAIN;
  const changes = describe(name, true);
  parts.set(partName, makeEntry(partName, newSheet(rows, changes.join(' '), styles, namespace)));
  const relationType = relations.find(({ type }) => type.endsWith('/worksheet'))?.type ?? '';
  register(parts, workbook.workbookPart, { name, partName, target: `worksheets/sheet${number}.xml`, relationType });
  return changes;
}

/** A name that no sheet of the workbook has, of whatever kind. */
function freeName(workbookXml: string): string {
  const taken = new Set(
    [...startTags(workbookXml, ['sheet'])].map(({ tag }) => unescapeXml(attribute(tag, 'name') ?? '').toLowerCase()),
  );
  if (!taken.has(CHANGE_LOG.toLowerCase())) return CHANGE_LOG;
  let name = OTHER_CHANGE_LOG;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${OTHER_CHANGE_LOG} ${number}`;
  return name;
}

/**
 * Whether the sheet's last headings are the current ones. If not, the current headings are repeated above the new rows.
 */
function hasCurrentHeadings({ rows }: Grid): boolean {
  const last = rows.findLast((row) => row?.[1]?.text === CHANGE_LOG_HEADERS[0]);
  return CHANGE_LOG_HEADERS.every((header, at) => last?.[at + 1]?.text === header);
}

/** Appends rows below the last one with content; blank rows that were formatted below it give way. */
function appendRows(parts: Parts, partName: string, rows: string[][], changes: string): void {
  const xml = readPart(parts, partName) ?? '';
  const prefix = prefixOf(xml);
  const all = listRows(xml, prefix);
  const lastFilled = all.findLast(({ start, end }) => hasContent(xml.slice(start, end)));
  const last = lastFilled?.number ?? 0;
  if (last + rows.length + 1 > MAX_ROWS)
    throw new HazardFileError(
      'no_room_below',
      'The Change log sheet is full. Move its older rows to a file of their own.',
    );
  const style = /<row r="(?:[5-9]|\d{2,7})"[^<>]*><c r="[A-Z]{1,3}\d{1,7}" s="(\d{1,6})"/.exec(xml)?.[1] ?? null;
  const styled = style === null ? [] : CHANGE_LOG_HEADERS.map((_, at) => ({ column: at + 1, style }));
  const written = [
    ...rows.map((row, at) => writeRow(last + 1 + at, prefix, ROW_HEIGHT, styled, contents(row))),
    // Without a style, so that the line does not wrap into a tall cell.
    writeRow(last + 1 + rows.length, prefix, '', [], contents([changes])),
  ].join('');
  const below = all.filter(({ number }) => number > last + rows.length + 1);
  const [from, to] = [lastFilled?.end ?? 0, all.at(-1)?.end ?? 0];
  const grown =
    xml.slice(0, from) + written + below.map(({ start, end }) => xml.slice(start, end)).join('') + xml.slice(to);
  const [dimension] = startTags(grown, ['dimension']);
  const range = parseRange(attribute(dimension?.tag ?? '', 'ref') ?? '');
  const bottom = Math.max(range?.bottom ?? 0, last + rows.length + 1);
  const right = Math.max(range?.right ?? 0, CHANGE_LOG_HEADERS.length);
  const whole =
    dimension && range
      ? grown.slice(0, dimension.start) +
        rewriteAttribute(dimension.tag, 'ref', () => formatRange({ top: 1, left: 1, bottom, right })) +
        grown.slice(dimension.end)
      : grown;
  parts.set(partName, makeEntry(partName, whole));
}

type SheetEntry = { name: string; partName: string; target: string; relationType: string };

function register(parts: Parts, workbookPart: string, { name, partName, target, relationType }: SheetEntry): void {
  const relationsName = relationsPart(workbookPart);
  const relations = readPart(parts, relationsName) ?? '';
  let number = 1;
  while (relations.includes(`"rId${number}"`)) number += 1;
  const relationPrefix = /<(\w+:)?Relationships[\s>]/.exec(relations)?.[1] ?? '';
  parts.set(
    relationsName,
    makeEntry(
      relationsName,
      relations.replace(
        `</${relationPrefix}Relationships>`,
        () =>
          `<${relationPrefix}Relationship Id="rId${number}" Type="${relationType}" Target="${target}"/></${relationPrefix}Relationships>`,
      ),
    ),
  );
  const types = readPart(parts, '[Content_Types].xml') ?? '';
  const typePrefix = /<(\w+:)?Types[\s>]/.exec(types)?.[1] ?? '';
  parts.set(
    '[Content_Types].xml',
    makeEntry(
      '[Content_Types].xml',
      types.replace(
        `</${typePrefix}Types>`,
        () => `<${typePrefix}Override PartName="/${partName}" ContentType="${SHEET_TYPE}"/></${typePrefix}Types>`,
      ),
    ),
  );
  const xml = readPart(parts, workbookPart) ?? '';
  const prefix = /<(\w+:)?workbook[\s>]/.exec(xml)?.[1] ?? '';
  const idPrefix = /<(?:\w+:)?sheet\s[^<>]*?\s(\w+):id="/.exec(xml)?.[1] ?? 'r';
  const sheetId =
    [...startTags(xml, ['sheet'])].reduce(
      (most, { tag }) => Math.max(most, Number(attribute(tag, 'sheetId')) || 0),
      0,
    ) + 1;
  parts.set(
    workbookPart,
    makeEntry(
      workbookPart,
      xml.replace(
        `</${prefix}sheets>`,
        () =>
          `<${prefix}sheet${declarationOf(xml, idPrefix)} name="${name}" sheetId="${sheetId}" ${idPrefix}:id="rId${number}"/></${prefix}sheets>`,
      ),
    ),
  );
}

/** Some programs, e.g. openpyxl, declare the prefix of relations on each sheet instead of the workbook. */
function declarationOf(workbookXml: string, prefix: string): string {
  const [root] = startTags(workbookXml, ['workbook']);
  if (!root || attribute(root.tag, `xmlns:${prefix}`) !== null) return '';
  for (const { tag } of startTags(workbookXml, ['sheet'])) {
    const namespace = attribute(tag, `xmlns:${prefix}`);
    if (namespace !== null) return ` xmlns:${prefix}="${namespace}"`;
  }
  return '';
}
