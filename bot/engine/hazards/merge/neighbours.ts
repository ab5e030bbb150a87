import { type Relation, readRelations, readWorkbookParts } from '../ooxml/workbookParts.ts';
import { makeEntry, readPart, type ZipEntry } from '../ooxml/zipArchive.ts';
import { type Growth, grownFormulaXml, grownList, movedRow } from './growth.ts';

type Parts = Map<string, ZipEntry>;
type Rewrite = (xml: string) => string;

function rewritePart(parts: Parts, name: string, rewrite: Rewrite): void {
  const xml = readPart(parts, name);
  if (xml === null) return;
  const changed = rewrite(xml);
  // An untouched part keeps its own bytes.
  if (changed !== xml) parts.set(name, makeEntry(name, changed));
}

const rowTags = (growth: Growth, tag: string): Rewrite => {
  const pattern = new RegExp(`(<${tag}>)(\\d+)(</${tag}>)`, 'g');
  // Rows of drawings and comments count from 0.
  return (xml) =>
    xml.replace(
      pattern,
      (_, open: string, row: string, close: string) => `${open}${movedRow(Number(row) + 1, growth) - 1}${close}`,
    );
};

/** What hangs on a sheet and names its rows: by the end of the relation's type, how it is rewritten. */
const RELATED: [typeEnd: string, always: boolean, rewrite: (growth: Growth) => Rewrite][] = [
  [
    '/table',
    true,
    (growth) => (xml) =>
      xml.replace(
        /(<(?:\w+:)?(?:table|autoFilter)\b[^>]*?\sref=")([^"]*)"/g,
        (_, before: string, ref: string) => `${before}${grownList(ref, growth, true)}"`,
      ),
  ],
  [
    '/comments',
    false,
    (growth) => (xml) =>
      xml.replace(
        /(<(?:\w+:)?comment\b[^>]*?\sref=")([^"]*)"/g,
        (_, before: string, ref: string) => `${before}${grownList(ref, growth, false)}"`,
      ),
  ],
  [
    '/threadedComment',
    false,
    (growth) => (xml) =>
      xml.replace(
        /(<threadedComment\b[^>]*?\sref=")([^"]*)"/g,
        (_, before: string, ref: string) => `${before}${grownList(ref, growth, false)}"`,
      ),
  ],
  ['/vmlDrawing', false, (growth) => rowTags(growth, 'x:Row')],
  ['/drawing', false, (growth) => rowTags(growth, 'xdr:row')],
];

/** Names that follow the log as it grows; every other name only moves. */
const GROWING_NAMES = /^(?:_xlnm\.(?:_FilterDatabase|Print_Area))$/;

function grownNames(xml: string, growth: Growth): string {
  return xml.replace(
    /(<(?:\w+:)?definedName\b)([^>]*)(>)([^<]*)(<\/)/g,
    (_, open: string, attributes: string, close: string, formula: string, end: string) => {
      let text = grownFormulaXml(formula, '', growth);
      const name = /\sname="([^"]*)"/.exec(attributes)?.[1] ?? '';
      if (GROWING_NAMES.test(name)) text = grownNamedRange(text, growth);
      return open + attributes + close + text + end;
    },
  );
}

/** 'Hazard Log'!$A$1:$S$12 grows with the log where it ended with it. */
function grownNamedRange(text: string, growth: Growth): string {
  const quoted = `'${growth.sheet.replaceAll("'", "''")}'!`;
  if (!text.startsWith(quoted) && !text.startsWith(`${growth.sheet}!`)) return text;
  return text.replace(/(\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3}\$?)(\d+)$/, (whole, before: string, row: string) =>
    Number(row) === growth.lastRow ? `${before}${growth.lastRow + growth.added}` : whole,
  );
}

/** Carries the growth of a sheet into every part that points at its cells. Parts that do not are left to the byte. */
export function growNeighbours(parts: Parts, sheetPart: string, growth: Growth): void {
  const relations: Relation[] = readRelations(parts, sheetPart);
  for (const [typeEnd, always, rewrite] of RELATED) {
    if (!always && growth.shift === 0) continue;
    for (const { type, target } of relations) if (type.endsWith(typeEnd)) rewritePart(parts, target, rewrite(growth));
  }
  const { workbookPart, sheets } = readWorkbookParts(parts);
  rewritePart(parts, workbookPart, (xml) => grownNames(xml, growth));
  if (growth.shift === 0) return;
  for (const { name, partName } of sheets) {
    if (partName === sheetPart) continue;
    rewritePart(parts, partName, (xml) =>
      xml.replace(
        /(<(?:\w+:)?(?:f|formula|formula1|formula2)(?:\s[^>]*)?>)([^<]*)(<\/)/g,
        (_, open: string, formula: string, end: string) => open + grownFormulaXml(formula, name, growth) + end,
      ),
    );
  }
  const workbookRelations = readRelations(parts, workbookPart);
  const chain = workbookRelations.find(({ type }) => type.endsWith('/calcChain'))?.target;
  const sheetIndex = sheetIdOf(parts, workbookPart, growth.sheet);
  if (chain && sheetIndex !== null) rewritePart(parts, chain, (xml) => grownChain(xml, sheetIndex, growth));
}

function sheetIdOf(parts: Parts, workbookPart: string, sheet: string): string | null {
  const xml = readPart(parts, workbookPart) ?? '';
  for (const [tag] of xml.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)) {
    const name = /\sname="([^"]*)"/.exec(tag)?.[1]?.replaceAll('&amp;', '&');
    if (name === sheet) return /\ssheetId="([^"]*)"/.exec(tag)?.[1] ?? null;
  }
  return null;
}

/** In the chain a cell without a sheet belongs to the sheet of the cell before it. */
function grownChain(xml: string, sheetId: string, growth: Growth): string {
  let current = '';
  return xml.replace(/<(?:\w+:)?c\s[^>]*>/g, (tag) => {
    current = /\si="([^"]*)"/.exec(tag)?.[1] ?? current;
    return current === sheetId
      ? tag.replace(/(\sr=")([^"]*)"/, (_, before: string, ref: string) => `${before}${grownList(ref, growth, false)}"`)
      : tag;
  });
}
