import type { MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeEntry, readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { readRelations, readWorkbookParts } from '../ooxml/workbookParts.ts';
import { elements } from '../ooxml/xmlText.ts';
import { addToCell } from './patchCell.ts';
import { addressOf, type PlannedAddition } from './planAdditions.ts';

type Parts = Map<string, ZipEntry>;

/** The XML inside each shared string, read when first asked for. */
function makeSharedItems(parts: Parts, workbookPart: string): (index: number) => string {
  let items: string[] | null = null;
  return (index) => {
    const name = readRelations(parts, workbookPart).find(({ type }) => type.endsWith('/sharedStrings'))?.target;
    items ??= [...elements((name && readPart(parts, name)) || '', 'si')].map(({ inner }) => inner);
    return items[index] ?? '';
  };
}

/**
 * Writes causes and controls into the cells of their hazards. An addition is written whole or not at all: one with a
 * cell that can't take text is a conflict.
 */
export function writeAdditions(
  parts: Parts,
  additions: readonly PlannedAddition[],
): { written: PlannedAddition[]; conflicts: MergeConflict[] } {
  const { workbookPart, sheets } = readWorkbookParts(parts);
  const partOf = new Map(sheets.map(({ name, partName }) => [name, partName]));
  const sharedItem = makeSharedItems(parts, workbookPart);
  const written: PlannedAddition[] = [];
  const conflicts: MergeConflict[] = [];
  for (const addition of additions) {
    const changed = new Map<string, string>();
    const isWritten = addition.cells.every((cell) => {
      const partName = partOf.get(cell.sheet) ?? '';
      const xml = changed.get(partName) ?? readPart(parts, partName);
      const grown = xml && addToCell(xml, { ...addressOf(cell), added: cell.added, after: cell.after }, sharedItem);
      if (grown) changed.set(partName, grown);
      return Boolean(grown);
    });
    if (!isWritten) {
      conflicts.push({
        hazardId: addition.hazard.id,
        kind: 'not-added',
        message: `“${addition.values.name}” was not written: its cell is a formula or would be too long. Add it by hand.`,
        place: addition.cells[0] ? { sheet: addition.cells[0].sheet, cell: addition.cells[0].cell } : null,
      });
      continue;
    }
    for (const [partName, xml] of changed) parts.set(partName, makeEntry(partName, xml));
    written.push(addition);
  }
  return { written, conflicts };
}
