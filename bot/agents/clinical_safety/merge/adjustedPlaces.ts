import type { ZipEntry } from '../../../engine/files/zipArchive.ts';
import { attribute, elements, startTags } from '../ooxml/xmlText.ts';

/** Reads the text of a part; empty where it is missing. */
export type ReadText = (parts: Map<string, ZipEntry>, name: string) => string;

/** Something other than a cell that a merge adjusted, e.g. a filter, and how many of it. */
export type Adjusted = { one: string; many: string; count: number };

/** Counted elements, by the root of their part and their own name. */
const KINDS: [root: string, element: string, one: string, many: string][] = [
  ['worksheet', 'autoFilter', 'filter', 'filters'],
  ['worksheet', 'conditionalFormatting', 'conditional format', 'conditional formats'],
  ['worksheet', 'dataValidation', 'validation', 'validations'],
  ['worksheet', 'mergeCell', 'merged range', 'merged ranges'],
  ['worksheet', 'protectedRange', 'protected range', 'protected ranges'],
  ['worksheet', 'hyperlink', 'link', 'links'],
  ['Relationships', 'Relationship', 'link', 'links'],
  ['worksheet', 'brk', 'page break', 'page breaks'],
  ['workbook', 'definedName', 'name', 'names'],
  ['table', 'table', 'table', 'tables'],
  ['comments', 'comment', 'comment', 'comments'],
  ['wsDr', 'twoCellAnchor', 'picture or chart', 'pictures or charts'],
  ['wsDr', 'oneCellAnchor', 'picture or chart', 'pictures or charts'],
  ['chartSpace', 'chartSpace', 'chart’s data', 'charts’ data'],
  ['pivotTableDefinition', 'location', 'pivot table', 'pivot tables'],
  ['pivotCacheDefinition', 'worksheetSource', 'pivot table’s source', 'pivot tables’ sources'],
];
const ROOTS = [...new Set(KINDS.map(([root]) => root))];

/** The part of a sheet after its cells, which are many and are not counted here. */
const afterCells = (xml: string) => xml.slice(Math.max(0, xml.lastIndexOf('sheetData')));

/** Of relations, those that links lead along: a part may gain or lose others. */
const listAll = (xml: string, element: string) =>
  [...elements(xml, element)]
    .map(({ start, end }) => xml.slice(start, end))
    .filter((text) => element !== 'Relationship' || attribute(text, 'Type')?.endsWith('/hyperlink'));

/** Counts what differs between the parts before and after, by comparing them element by element. */
export function countAdjusted(
  before: Map<string, ZipEntry>,
  after: Map<string, ZipEntry>,
  readText: ReadText,
): Adjusted[] {
  const counts = new Map<string, Adjusted>();
  for (const [name, entry] of after) {
    if (before.get(name) === entry) continue;
    const [old, now] = [readText(before, name), readText(after, name)];
    const root = startTags(now.slice(0, 4000), ROOTS).next().value?.name;
    const [oldPlaces, places] = [afterCells(old), afterCells(now)];
    for (const [of, element, one, many] of KINDS) {
      if (of !== root) continue;
      const were = listAll(oldPlaces, element);
      const count = listAll(places, element).filter((text, at) => text !== were[at]).length;
      const known = counts.get(one) ?? { one, many, count: 0 };
      counts.set(one, { ...known, count: known.count + count });
    }
  }
  return [...counts.values()].filter(({ count }) => count > 0);
}
