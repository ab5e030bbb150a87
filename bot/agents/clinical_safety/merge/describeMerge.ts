import { counted } from '../counted.ts';
import type { ReadLog } from '../reading/logModel.ts';
import type { PatchedSheet } from './patchSheet.ts';

export const NOTHING_WRITTEN = 'No row was written, so the workbook is unchanged.';

const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`).join(', ');

/** Describes the changes to a workbook other than the new rows, from what actually changed. */
export function describePatch({
  patched: { growth, movedRows, rangesChanged },
  sheet,
  formulasMovedIn,
  changeLog,
  changeLogIsNew,
}: {
  patched: Pick<PatchedSheet, 'growth' | 'movedRows' | 'rangesChanged'>;
  sheet: string;
  /** Other sheets whose formulas refer to moved rows. */
  formulasMovedIn: readonly string[];
  changeLog: string;
  changeLogIsNew: boolean;
}): string[] {
  const moved =
    movedRows > 0
      ? `${counted(movedRows, 'row')} below the log in “${sheet}” moved down by ${growth.shift}, and formulas that refer to them were adjusted${formulasMovedIn.length > 0 ? `, also in ${quoted(formulasMovedIn)}` : ''}.`
      : '';
  const ranges = rangesChanged
    ? `Filters, lists, formats or merged ranges of “${sheet}” were adjusted to the new rows.`
    : '';
  return [
    moved,
    ranges,
    changeLogIsNew ? `The sheet “${changeLog}” is new.` : `The sheet “${changeLog}” has new rows at its end.`,
    'The existing rows of the log and the other sheets keep their values.',
  ].filter(Boolean);
}

/** Describes what a new workbook contains and leaves out, for a log whose own file can't take rows. */
export function describeNewWorkbook(log: ReadLog): string[] {
  const { grid, headerRows } = log.table;
  const rowsWithText = (from: number, to: number) =>
    grid.rows.slice(from, to).filter((row) => row?.some((cell) => cell?.text.trim())).length;
  const above = rowsWithText(1, headerRows[0] ?? 1);
  const below = rowsWithText(log.shape.lastDataRow + 1, grid.rows.length);
  const formulas = grid.rows.reduce((sum, row) => sum + (row?.filter((cell) => cell?.formula).length ?? 0), 0);
  const { sheets } = log.whole;
  const others = log.grids.filter((other) => other !== grid && !sheets.has(other.name)).map(({ name }) => name);
  const left = [
    above > 0 ? `${counted(above, 'row')} above the headings` : '',
    below > 0 ? `${counted(below, 'row')} below the log` : '',
    others.length > 0
      ? `the other ${others.length === 1 ? 'table or sheet' : 'tables or sheets'} ${quoted(others.slice(0, 10))}${others.length > 10 ? ' …' : ''}`
      : '',
    formulas > 0 ? `${counted(formulas, 'formula')} (their last values are here)` : '',
    'formatting',
  ].filter(Boolean);
  return [
    log.isPutTogether
      ? `This workbook is new: it has a row for each of the ${counted(log.hazards.length, 'hazard')} of the file.`
      : `This workbook is new: it has the headings and rows ${headerRows.at(-1) ?? 1} to ${log.shape.lastDataRow} of the log${sheets.size > 0 ? `, and the hazards of ${quoted([...sheets])}` : ''}.`,
    `Not in it: ${left.join('; ')}. Keep the original as well.`,
  ];
}
