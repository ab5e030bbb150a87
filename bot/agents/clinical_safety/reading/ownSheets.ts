import type { Grid } from '../ooxml/sheetScanner.ts';

/** The name of the sheet that a merge writes, and the words in its first cell by which it is known again. */
export const CHANGE_LOG = 'Change log';
export const CHANGE_LOG_TITLE = 'Change log: hazards that Arc proposed and what people decided on them';
/** The first words stay the same whatever a version goes on to say. */
const TITLE_START = 'Change log: hazards that Arc proposed';

/** Is it a sheet that an earlier merge wrote? Such a sheet is never taken for a hazard log. */
export function isChangeLog(grid: Grid): boolean {
  return grid.name.startsWith(CHANGE_LOG) && grid.rows[1]?.[1]?.text.startsWith(TITLE_START) === true;
}
