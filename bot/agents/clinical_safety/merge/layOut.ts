import type { ReadLog } from '../reading/logModel.ts';
import type { Recordable } from './changeLog.ts';
import { type RowValues, rowsFor } from './rowValues.ts';
import type { MergePlan, PlannedHazard } from './settled.ts';

/** A hazard with its rows in the log, and the number of the first. */
type Written = { hazard: PlannedHazard; rows: RowValues[]; firstRow: number };

/** A merged workbook: its bytes, what was written, and the sentences about what else changed. */
export type MergedFile = {
  bytes: Uint8Array<ArrayBuffer>;
  written: Written[];
  statusAllowed: boolean;
  changes: string[];
};

/** Gives each hazard its rows, one hazard after the other. */
export function layOut(log: ReadLog, hazards: PlannedHazard[], statusAllowed: boolean, firstRow: number): Written[] {
  let next = firstRow;
  return hazards.map((hazard) => {
    const rows = rowsFor(log, hazard, statusAllowed);
    const written = { hazard, rows, firstRow: next };
    next += rows.length;
    return written;
  });
}

/** The decisions for the Change log: written hazards first, then rejected proposals. */
export const recordable = (written: Written[], { rejected }: MergePlan): Recordable[] => [
  ...written.map(({ hazard, firstRow }) => ({
    ...hazard,
    written: { hazardId: hazard.hazardId, row: firstRow },
  })),
  ...rejected.map((settled) => ({ ...settled, written: null })),
];
