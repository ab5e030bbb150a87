import type { GridCell } from '../ooxml/sheetScanner.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { sameId } from '../reading/readHazards.ts';
import { hidesLogCells } from './logEnd.ts';

/** Whether a cell is a formula that was filled down in advance and shows nothing yet. */
function showsNothing({ formula, text }: GridCell): boolean {
  return formula !== null && (text === '' || text === '0' || text.startsWith('#'));
}

/**
 * How many rows directly below the log are free, up to the next row with content (totals, notes, hidden lists) or with
 * merged cells in the log's columns. A row that holds only the id planned for it (rows numbered in advance) is free.
 */
export function countRoomBelow(log: ReadLog, lastRow: number, ids: (string | undefined)[]): number {
  const { rows, merges } = log.table.grid;
  let room = Number.POSITIVE_INFINITY;
  for (const range of merges)
    if (range.top > lastRow && hidesLogCells(log, range)) room = Math.min(room, range.top - lastRow - 1);
  const idColumn = log.columnOf('id');
  for (let row = lastRow + 1; row < rows.length; row += 1) {
    const planned = ids[row - lastRow - 1];
    const occupied = rows[row]?.some(
      (cell, column) =>
        cell !== undefined &&
        !showsNothing(cell) &&
        !(column === idColumn && planned !== undefined && sameId(cell.text) === sameId(planned)),
    );
    if (occupied) return Math.min(room, row - lastRow - 1);
  }
  return room;
}
