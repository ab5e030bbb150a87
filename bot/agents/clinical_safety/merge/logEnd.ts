import type { CellRange } from '../ooxml/cellAddress.ts';
import type { ReadLog } from '../reading/logModel.ts';
import type { Growth } from './growth.ts';

/** The first and last of the log's columns. */
export function columnsOf(log: ReadLog): Growth['columns'] {
  const columns = log.table.columns.map(({ column }) => column);
  return { first: Math.min(...columns), last: Math.max(...columns) };
}

/** Whether a merged range hides a cell of the log's columns: only its first cell shows its value. */
export const hidesLogCells = (log: ReadLog, { left, right, top, bottom }: CellRange) =>
  log.table.columns.some(({ column }) => column <= right && (column > left || (column === left && bottom > top)));

/** The log's last row, with the rows over which its last hazard's cells are merged: nothing can be written into these. */
export function lastRowOfLog(log: ReadLog): number {
  let last = log.shape.lastDataRow;
  const merges = log.table.grid.merges
    .filter((range) => range.bottom > last && hidesLogCells(log, range))
    .sort((a, b) => a.top - b.top);
  for (const { top, bottom } of merges) if (top <= last && bottom > last) last = bottom;
  return last;
}
