import { readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import { readRelations, readWorkbookParts } from '../ooxml/workbookParts.ts';
import { elements } from '../ooxml/xmlText.ts';
import { addToCell } from './patchCell.ts';
import { addressOf, type PlannedAddition } from './planAdditions.ts';

type Parts = Map<string, ZipEntry>;

/** The XML inside each shared string, read when first asked for. */
function makeSharedItems(parts: Parts, workbookPart: string): (index: number) => string {
  let items: string[] | null = null;
  const readItems = () => {
    const name = readRelations(parts, workbookPart).find(({ type }) => type.endsWith('/sharedStrings'))?.target;
    return [...elements((name && readPart(parts, name)) || '', 'si')].map(({ inner }) => inner);
  };
  return (index) => {
    items ??= readItems();
    return items[index] ?? '';
  };
}

/**
 * Writes causes and controls into the cells of their hazards.
 * @param known the texts of parts that were read already
 * @returns those, and the texts of all sheets that were written into, by the names of their parts
 * @throws HazardFileError cells_would_change where a planned cell can't be written
 */
export function writeAdditions(
  parts: Parts,
  additions: readonly PlannedAddition[],
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const { workbookPart, sheets } = readWorkbookParts(parts);
  const partOf = new Map(sheets.map(({ name, partName }) => [name, partName]));
  const sharedItem = makeSharedItems(parts, workbookPart);
  const texts = new Map(known);
  for (const cell of additions.flatMap(({ cells }) => cells)) {
    const partName = partOf.get(cell.sheet) ?? '';
    const xml = texts.get(partName) ?? readPart(parts, partName);
    const grown = xml && addToCell(xml, { ...addressOf(cell), added: cell.added }, sharedItem);
    if (!grown)
      throw new HazardFileError(
        'cells_would_change',
        `The merge was stopped: “${cell.sheet}”!${cell.cell} can’t be written. Your file is unchanged. Please report this to support.`,
      );
    texts.set(partName, grown);
  }
  return texts;
}
