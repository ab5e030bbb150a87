import type { Grid } from '../ooxml/sheetScanner.ts';

/** The name of the sheet that a merge writes, and the words in its first cell by which it is known again. */
export const CHANGE_LOG = 'Change log';
export const CHANGE_LOG_TITLE = 'Change log: hazards that Arc proposed and people accepted';

/** Is it a sheet that an earlier merge wrote? Such a sheet is never taken for a hazard log. */
export function isChangeLog(grid: Grid): boolean {
  return grid.name.startsWith(CHANGE_LOG) && grid.rows[1]?.[1]?.text === CHANGE_LOG_TITLE;
}
