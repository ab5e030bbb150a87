import { makeEntry, readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { readRelations, readWorkbookParts, relationsPart } from '../ooxml/workbookParts.ts';
import { attribute, rewriteAttribute, rewriteTags, rewriteTexts, startTags, unescapeXml } from '../ooxml/xmlText.ts';
import { grownDrawing, grownNotes } from './anchors.ts';
import { type Growth, grownFormulaXml, grownList, grownPlaceXml } from './growth.ts';
import { grownNames } from './names.ts';
import { FORMULA_ELEMENTS, grownLinks } from './patchSheet.ts';
import { separateShared } from './sharedFormulas.ts';
import { prefixOf } from './sheetRows.ts';

type Parts = Map<string, ZipEntry>;
type Rewrite = (xml: string) => string;

function rewritePart(parts: Parts, name: string, rewrite: Rewrite): void {
  const xml = readPart(parts, name);
  if (xml === null) return;
  const changed = rewrite(xml);
  // An unchanged part stays byte-identical.
  if (changed !== xml) parts.set(name, makeEntry(name, changed));
}

/** Rewrites the cells in the "ref" attribute of start tags. */
const refs =
  (growth: Growth, names: readonly string[], extend: boolean): Rewrite =>
  (xml) =>
    rewriteTags(xml, names, (tag) => rewriteAttribute(tag, 'ref', (list) => grownList(list, growth, extend)));

/** Rewrites of the parts related to a sheet, by the end of the relation's type. `always`: also when no row moves. */
const RELATED: [typeEnd: string, always: boolean, rewrite: (growth: Growth) => Rewrite][] = [
  ['/table', true, (growth) => refs(growth, ['table', 'autoFilter', 'sortState', 'sortCondition'], true)],
  ['/comments', false, (growth) => refs(growth, ['comment'], false)],
  ['/threadedComment', false, (growth) => refs(growth, ['threadedComment'], false)],
  ['/pivotTable', false, (growth) => refs(growth, ['location'], false)],
  ['/vmlDrawing', false, (growth) => (xml) => grownNotes(xml, growth)],
  ['/drawing', false, (growth) => (xml) => grownDrawing(xml, growth)],
];

/** Rewrites of parts that refer to a sheet by its name, by their place in the package. */
const DISTANT: [part: RegExp, rewrite: (growth: Growth) => Rewrite][] = [
  [
    /(?:^|\/)charts\/[^/]+\.xml$/,
    (growth) => (xml) => rewriteTexts(xml, ['f'], (it) => grownFormulaXml(it, '', growth)),
  ],
  [
    /(?:^|\/)pivotCache\/pivotCacheDefinition[^/]*\.xml$/,
    (growth) => (xml) =>
      rewriteTags(xml, ['worksheetSource'], (tag) =>
        unescapeXml(attribute(tag, 'sheet') ?? '') === growth.sheet
          ? rewriteAttribute(tag, 'ref', (list) => grownList(list, growth, false))
          : tag,
      ),
  ],
];

/** Updates every part that refers to the cells of a grown sheet. All other parts stay byte-identical. */
export function growNeighbours(parts: Parts, sheetPart: string, growth: Growth): void {
  const relations = readRelations(parts, sheetPart);
  for (const [typeEnd, always, rewrite] of RELATED) {
    if (!always && growth.shift === 0) continue;
    for (const { type, target } of relations) if (type.endsWith(typeEnd)) rewritePart(parts, target, rewrite(growth));
  }
  const { workbookPart, sheets } = readWorkbookParts(parts);
  rewritePart(parts, workbookPart, (xml) => grownNames(xml, growth));
  if (growth.shift === 0) return;
  for (const { name, partName } of sheets) {
    if (partName !== sheetPart) rewritePart(parts, partName, (xml) => grownOtherSheet(xml, name, growth));
    rewritePart(parts, relationsPart(partName), (xml) => grownLinkTargets(xml, name, growth));
    for (const { type, target } of readRelations(parts, partName))
      if (type.endsWith('/table')) rewritePart(parts, target, (xml) => grownTableFormulas(xml, name, growth));
  }
  for (const [part, rewrite] of DISTANT)
    for (const name of parts.keys()) if (part.test(name)) rewritePart(parts, name, rewrite(growth));
  const chain = readRelations(parts, workbookPart).find(({ type }) => type.endsWith('/calcChain'))?.target;
  const sheetIndex = sheetIdOf(parts, workbookPart, growth.sheet);
  if (chain && sheetIndex !== null) rewritePart(parts, chain, (xml) => grownChain(xml, sheetIndex, growth));
}

/** Formulas and links of another sheet. */
function grownOtherSheet(xml: string, name: string, growth: Growth): string {
  const separated = separateShared(xml, prefixOf(xml), name, growth);
  return grownLinks(
    rewriteTexts(separated, FORMULA_ELEMENTS, (formula) => grownFormulaXml(formula, name, growth)),
    name,
    growth,
  );
}

const grownTableFormulas = (xml: string, sheet: string, growth: Growth) =>
  rewriteTexts(xml, ['calculatedColumnFormula', 'totalsRowFormula'], (formula) =>
    grownFormulaXml(formula, sheet, growth),
  );

/** Some programs write a link within the workbook as one that leads outside, to "#Sheet!A10". */
function grownLinkTargets(xml: string, sheet: string, growth: Growth): string {
  return rewriteTags(xml, ['Relationship'], (tag) =>
    attribute(tag, 'Type')?.endsWith('/hyperlink') && attribute(tag, 'Target')?.startsWith('#')
      ? rewriteAttribute(tag, 'Target', (target) => `#${grownPlaceXml(target.slice(1), sheet, growth)}`)
      : tag,
  );
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
