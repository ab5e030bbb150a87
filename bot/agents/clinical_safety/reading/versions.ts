import type { LogShape } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { isChangeLog } from './ownSheets.ts';

type Versions = LogShape['versions'];
const VERSION = /^v?\s*(\d{1,3}(?:\.\d{1,3}){0,3})$/i;

/** 1 and 1.0 are the same version, and so are 1.6 and v1.6. */
export function sameVersion(left: string, right: string): boolean {
  const parts = (text: string) => text.split('.').map(Number);
  const [a, b] = [parts(left), parts(right)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => (a[index] ?? 0) === (b[index] ?? 0)).every(
    Boolean,
  );
}

/** Places where a log states its version: the file's name, the cover, the version history. */
export function findVersions(fileName: string, grids: Grid[], logGrid: Grid): Versions {
  const versions: Versions = [];
  const named = /(?:^|[\s_\-(])v(?:ersion)?[\s_.-]*(\d{1,3}(?:\.\d{1,3}){0,3})(?=[\s_\-).]|$)/i.exec(
    fileName.replace(/\.[a-z]{2,4}$/i, ''),
  );
  if (named?.[1]) versions.push({ source: 'file name', version: named[1], place: null });
  for (const grid of grids) {
    if ((grid === logGrid && grids.length > 1) || isChangeLog(grid)) continue;
    const history = /history|amendment|change|revision/i.test(grid.name);
    const found = history ? lastOfHistory(grid) : labelled(grid);
    if (found) versions.push(found);
  }
  return versions;
}

function labelled(grid: Grid): Versions[number] | null {
  for (let row = 1; row < Math.min(grid.rows.length, 60); row += 1)
    for (const [column, cell] of (grid.rows[row] ?? []).entries()) {
      if (!cell || !/^(?:document |current )?version(?: no\.?| number)?\s*:?$/i.test(cell.text.trim())) continue;
      for (const next of [column + 1, column + 2]) {
        const version = VERSION.exec(grid.rows[row]?.[next]?.text.trim() ?? '')?.[1];
        if (version) return { source: grid.name, version, place: { sheet: grid.name, cell: cellAddress(row, next) } };
      }
    }
  return null;
}

/** The last row under the "Version" heading, down to the first gap. */
function lastOfHistory(grid: Grid): Versions[number] | null {
  for (let row = 1; row < Math.min(grid.rows.length, 60); row += 1)
    for (const [column, cell] of (grid.rows[row] ?? []).entries()) {
      if (!cell || !/^version(?: no\.?| number)?$/i.test(cell.text.trim())) continue;
      let last: Versions[number] | null = null;
      for (let at = row + 1; at < grid.rows.length; at += 1) {
        const version = VERSION.exec(grid.rows[at]?.[column]?.text.trim() ?? '')?.[1];
        if (!version) break;
        last = { source: grid.name, version, place: { sheet: grid.name, cell: cellAddress(at, column) } };
      }
      return last;
    }
  return null;
}
