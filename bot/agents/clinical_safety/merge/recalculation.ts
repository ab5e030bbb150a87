import { makeEntry, readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { readRelations, readWorkbookParts, relationsPart } from '../ooxml/workbookParts.ts';
import { attribute, rewriteAttribute, rewriteTags, startTags } from '../ooxml/xmlText.ts';
import { prefixOf } from './sheetRows.ts';

type Parts = Map<string, ZipEntry>;

/** The elements that may follow the calculation settings in a workbook. */
const AFTER_SETTINGS = [
  'oleSize',
  'customWorkbookViews',
  'pivotCaches',
  'smartTagPr',
  'smartTagTypes',
  'webPublishing',
  'fileRecoveryPr',
  'webPublishObjects',
  'extLst',
];

function withSettings(xml: string): string {
  const [settings] = startTags(xml, ['calcPr']);
  if (settings) {
    const tag =
      attribute(settings.tag, 'fullCalcOnLoad') === null
        ? settings.tag.replace(/\s*\/?>$/, (end) => ` fullCalcOnLoad="1"${end.trim()}`)
        : rewriteAttribute(settings.tag, 'fullCalcOnLoad', () => '1');
    return xml.slice(0, settings.start) + tag + xml.slice(settings.end);
  }
  const prefix = prefixOf(xml);
  const next = startTags(xml, AFTER_SETTINGS).next().value?.start ?? xml.lastIndexOf(`</${prefix}workbook>`);
  return `${xml.slice(0, next)}<${prefix}calcPr fullCalcOnLoad="1"/>${xml.slice(next)}`;
}

/**
 * Has Excel calculate every formula when it opens the workbook: it otherwise shows the values from before the merge, such
 * as a count without the new rows. LibreOffice does not read this setting.
 */
export function recalculateOnOpening(parts: Parts): void {
  const { workbookPart } = readWorkbookParts(parts);
  const xml = readPart(parts, workbookPart) ?? '';
  const changed = withSettings(xml);
  if (changed !== xml) parts.set(workbookPart, makeEntry(workbookPart, changed));
}

const removed = (parts: Parts, part: string, name: string, isIt: (tag: string) => boolean) => {
  const xml = readPart(parts, part);
  if (xml !== null)
    parts.set(
      part,
      makeEntry(
        part,
        rewriteTags(xml, [name], (tag) => (isIt(tag) ? '' : tag)),
      ),
    );
};

/** Removes the list of formulas in the order of their calculation, which programs make again where it is missing. */
export function removeCalculationChain(parts: Parts): void {
  const { workbookPart } = readWorkbookParts(parts);
  const chain = readRelations(parts, workbookPart).find(({ type }) => type.endsWith('/calcChain'));
  if (!chain) return;
  parts.delete(chain.target);
  removed(parts, relationsPart(workbookPart), 'Relationship', (tag) => attribute(tag, 'Id') === chain.id);
  removed(parts, '[Content_Types].xml', 'Override', (tag) => attribute(tag, 'PartName') === `/${chain.target}`);
}
