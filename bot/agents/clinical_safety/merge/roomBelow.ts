import type { GridCell } from '../ooxml/sheetScanner.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { sameId } from '../reading/readHazards.ts';

/** Whether a cell is a formula that was filled down in advance and shows nothing yet. */
function showsNothing({ formula, text }: GridCell): boolean {
  return formula !== null && (text === '' || text === '0' || text.startsWith('#'));
}

/**
 * How many rows directly below the log are free, up to the next row with content: totals, notes, hidden lists. A row
 * that holds only the id planned for it (rows numbered in advance) is free.
 */
export function countRoomBelow(log: ReadLog, lastRow: number, ids: (string | undefined)[]): number {
  const { rows } = log.table.grid;
  const idColumn = log.columnOf('id');
  for (let row = lastRow + 1; row < rows.length; row += 1) {
    const planned = ids[row - lastRow - 1];
    const occupied = rows[row]?.some(
      (cell, column) =>
        cell !== undefined &&
        !showsNothing(cell) &&
        !(column === idColumn && planned !== undefined && sameId(cell.text) === sameId(planned)),
    );
    if (occupied) return row - lastRow - 1;
  }
  return Number.POSITIVE_INFINITY;
}
