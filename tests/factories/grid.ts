import { parseRange } from '../../bot/agents/clinical_safety/ooxml/cellAddress.ts';
import type { Grid, GridCell } from '../../bot/agents/clinical_safety/ooxml/sheetScanner.ts';

/** A cell given by its text or number; `null` and an empty text mean no cell. */
export type CellSpec = string | number | null;

const toCell = (cell: CellSpec): GridCell | undefined =>
  cell === null || cell === ''
    ? undefined
    : { text: String(cell), number: typeof cell === 'number' ? cell : null, formula: null };

/** A sheet as the readers return it; rows and columns count from 1. */
export function makeGrid(
  name: string,
  rows: CellSpec[][],
  { hidden = false, merges = [] }: { hidden?: boolean; merges?: string[] } = {},
): Grid {
  return {
    name,
    hidden,
    rows: [[], ...rows.map((cells) => (cells.length > 0 ? [undefined, ...cells.map(toCell)] : []))],
    merges: merges.flatMap((range) => parseRange(range) ?? []),
  };
}
