import { makeEntry, readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { type Relation, readRelations, readWorkbookParts } from '../ooxml/workbookParts.ts';
import { attribute, rewriteAttribute, rewriteTags, rewriteTexts, startTags, unescapeXml } from '../ooxml/xmlText.ts';
import { type Growth, grownFormulaXml, grownList, movedRow } from './growth.ts';
import { FORMULA_ELEMENTS } from './patchSheet.ts';

type Parts = Map<string, ZipEntry>;
type Rewrite = (xml: string) => string;

function rewritePart(parts: Parts, name: string, rewrite: Rewrite): void {
  const xml = readPart(parts, name);
  if (xml === null) return;
  const changed = rewrite(xml);
  // An unchanged part stays byte-identical.
  if (changed !== xml) parts.set(name, makeEntry(name, changed));
}

/** Rewrites the rows of drawings and comments, which count from 0. */
const rowTexts =
  (growth: Growth, name: string): Rewrite =>
  (xml) =>
    rewriteTexts(xml, [name], (row) => (/^\d{1,7}$/.test(row) ? String(movedRow(Number(row) + 1, growth) - 1) : row));

/** Rewrites the cells in the "ref" attribute of start tags. */
const refs =
  (growth: Growth, names: readonly string[], extend: boolean): Rewrite =>
  (xml) =>
    rewriteTags(xml, names, (tag) => rewriteAttribute(tag, 'ref', (list) => grownList(list, growth, extend)));

/** Rewrites of the parts related to a sheet, by the end of the relation's type. `always`: also when no row moves. */
const RELATED: [typeEnd: string, always: boolean, rewrite: (growth: Growth) => Rewrite][] = [
  ['/table', true, (growth) => refs(growth, ['table', 'autoFilter'], true)],
  ['/comments', false, (growth) => refs(growth, ['comment'], false)],
  ['/threadedComment', false, (growth) => refs(growth, ['threadedComment'], false)],
  ['/vmlDrawing', false, (growth) => rowTexts(growth, 'Row')],
  ['/drawing', false, (growth) => rowTexts(growth, 'row')],
];

/** Defined names whose ranges grow with the log; all others only move. */
const GROWING_NAMES = /^(?:_xlnm\.(?:_FilterDatabase|Print_Area))$/;

function grownNames(xml: string, growth: Growth): string {
  let text = '';
  let from = 0;
  for (const { tag, end } of startTags(xml, ['definedName'])) {
    const close = xml.indexOf('<', end);
    if (tag.endsWith('/>') || close < 0) continue;
    let formula = grownFormulaXml(xml.slice(end, close), '', growth);
    if (GROWING_NAMES.test(attribute(tag, 'name') ?? '')) formula = grownNamedRange(formula, growth);
    text += xml.slice(from, end) + formula;
    from = close;
  }
  return text + xml.slice(from);
}

/** A defined range such as 'Hazard Log'!$A$1:$S$12, extended if it ended with the log's last row. */
function grownNamedRange(text: string, growth: Growth): string {
  const quoted = `'${growth.sheet.replaceAll("'", "''")}'!`;
  if (!text.startsWith(quoted) && !text.startsWith(`${growth.sheet}!`)) return text;
  return text.replace(/(\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3}\$?)(\d+)$/, (whole, before: string, row: string) =>
    Number(row) === growth.lastRow ? `${before}${growth.lastRow + growth.added}` : whole,
  );
}

/** Updates every part that refers to the cells of a grown sheet. All other parts stay byte-identical. */
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
      rewriteTexts(xml, FORMULA_ELEMENTS, (formula) => grownFormulaXml(formula, name, growth)),
    );
  }
  const workbookRelations = readRelations(parts, workbookPart);
  const chain = workbookRelations.find(({ type }) => type.endsWith('/calcChain'))?.target;
  const sheetIndex = sheetIdOf(parts, workbookPart, growth.sheet);
  if (chain && sheetIndex !== null) rewritePart(parts, chain, (xml) => grownChain(xml, sheetIndex, growth));
}

function sheetIdOf(parts: Parts, workbookPart: string, sheet: string): string | null {
  const xml = readPart(parts, workbookPart) ?? '';
  for (const { tag } of startTags(xml, ['sheet']))
    if (unescapeXml(attribute(tag, 'name') ?? '') === sheet) return attribute(tag, 'sheetId');
  return null;
}

/** Updates the calculation chain, in which a cell without a sheet belongs to the sheet of the cell before it. */
function grownChain(xml: string, sheetId: string, growth: Growth): string {
  let current = '';
  return rewriteTags(xml, ['c'], (tag) => {
    current = attribute(tag, 'i') ?? current;
    return current === sheetId ? rewriteAttribute(tag, 'r', (ref) => grownList(ref, growth, false)) : tag;
  });
}
