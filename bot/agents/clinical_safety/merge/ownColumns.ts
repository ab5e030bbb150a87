import type { ReadLog } from '../reading/logModel.ts';

/**
 * A log over several sheets with the columns of its first sheet alone: new rows go there, and a column that only a later
 * sheet has would stand below no heading.
 */
export function withOwnColumns(log: ReadLog): ReadLog {
  const own = new Set(log.table.columns.map(({ canonical }) => canonical));
  const limited: Pick<ReadLog, 'has' | 'columnOf'> = {
    has: (column) => own.has(column) && log.has(column),
    columnOf: (column) => (own.has(column) ? log.columnOf(column) : null),
  };
  // Inherits, because some parts of a log are worked out when they are asked for.
  return Object.assign(Object.create(log) as ReadLog, limited);
}
