import { HazardFileError } from '../errors.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import { type Growth, grownFormula, movedRow } from './growth.ts';

/** The outcome of comparing a sheet before and after a merge. */
export type KeptCells = {
  /** The cells that were there and have the same value. */
  cells: number;
  /** Those of them whose formula now refers to moved cells. */
  formulas: number;
  /** The cells that a value of the new rows was written over: ids and formulas that were filled in advance. */
  replaced: number;
};

const sameValue = (before: GridCell, after: GridCell | undefined) =>
  after !== undefined && after.text === before.text && after.number === before.number;

/**
 * Compares every cell that a sheet had with the same cell after the merge, at its new place.
 * @param changedRows the rows that are not the same to the byte; the others are only counted
 * @param after null where no row has changed
 * @param isReplaced whether the merge wrote a new value over a cell, by its place before
 * @throws HazardFileError cells_would_change where one is not what it was: a merge with a fault must not be handed out
 */
export function requireKeptCells(
  before: Grid,
  after: Grid | null,
  growth: Growth,
  isReplaced: (row: number, column: number) => boolean,
  changedRows: Pick<ReadonlyMap<number, unknown>, 'has'>,
): KeptCells {
  const isGrown = before.name === growth.sheet;
  const kept: KeptCells = { cells: 0, formulas: 0, replaced: 0 };
  for (const [row, cells] of before.rows.entries()) {
    if (!changedRows.has(row)) {
      kept.cells += cells?.reduce((count) => count + 1, 0) ?? 0;
      continue;
    }
    for (const [column, cell] of (cells ?? []).entries()) {
      if (!cell) continue;
      if (isGrown && isReplaced(row, column)) {
        kept.replaced += 1;
        continue;
      }
      const found = after?.rows[isGrown ? movedRow(row, growth) : row]?.[column];
      const formula = cell.formula === null ? null : grownFormula(cell.formula, before.name, growth);
      if (!sameValue(cell, found) || found?.formula !== formula)
        throw new HazardFileError(
          'cells_would_change',
          `The merge was stopped: “${before.name}”!${cellAddress(row, column)} would not have been the same afterwards. Your file is unchanged. Please report this to support.`,
        );
      kept.cells += 1;
      if (formula !== cell.formula) kept.formulas += 1;
    }
  }
  return kept;
}
