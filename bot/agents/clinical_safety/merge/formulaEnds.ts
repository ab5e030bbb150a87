import { cellAddress } from '../ooxml/cellAddress.ts';
import { listReferences } from '../ooxml/formulaReferences.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { type Growth, movedRow } from './growth.ts';

/**
 * The cells whose formula takes a range that ends with the log's last row, such as a total: as in Excel, it does not
 * grow over rows that are added below, so it does not count them. Formulas in the log's own rows are left out.
 * @returns the cells' places after the merge
 */
export function formulasEndingAt(grids: readonly Grid[], growth: Growth): string[] {
  const { sheet, lastRow, columns } = growth;
  const found: string[] = [];
  for (const { name, rows } of grids)
    for (const [row, cells] of rows.entries())
      for (const [column, cell] of (cells ?? []).entries()) {
        const isOfLog = name === sheet && row <= lastRow;
        if (!cell?.formula?.includes(':') || isOfLog) continue;
        const ends = listReferences(cell.formula).some(
          (reference) =>
            reference.endsRange &&
            reference.row === lastRow &&
            (reference.sheet ?? name).toLowerCase() === sheet.toLowerCase() &&
            reference.column >= columns.first &&
            reference.column <= columns.last,
        );
        if (ends) found.push(`“${name}”!${cellAddress(name === sheet ? movedRow(row, growth) : row, column)}`);
      }
  return found;
}
