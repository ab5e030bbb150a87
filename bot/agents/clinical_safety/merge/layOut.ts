import type { MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ReadLog } from '../reading/logModel.ts';
import type { Recordable } from './changeLog.ts';
import { addressOf, type PlannedAddition } from './planAdditions.ts';
import { type RowValues, rowsFor } from './rowValues.ts';
import type { MergePlan, PlannedHazard } from './settled.ts';

/** A hazard with its rows in the log, and the number of the first. */
type Written = { hazard: PlannedHazard; rows: RowValues[]; firstRow: number };

/** A cause or control with the first row that has it. */
type Added = { addition: PlannedAddition; row: number };

/** A merged workbook: its bytes, what was written, and the sentences about what else changed. */
export type MergedFile = {
  bytes: Uint8Array<ArrayBuffer>;
  written: Written[];
  added: Added[];
  /** Additions that could not be written to a hazard of the log. */
  conflicts: MergeConflict[];
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

/** The first row of each addition: its hazard's, or that of its further rows, which follow from `next` on. */
export function placeAdditions(additions: PlannedAddition[], next: number): Added[] {
  let free = next;
  return additions.map((addition) => {
    const [cell] = addition.cells;
    if (cell) return { addition, row: addressOf(cell).row };
    const row = free;
    free += addition.rows.length;
    return { addition, row };
  });
}

/** The decisions for the Change log: written hazards first, then causes and controls, then rejected proposals. */
export const recordable = (written: Written[], added: Added[], { rejected }: MergePlan): Recordable[] => [
  ...written.map(({ hazard, firstRow }) => ({
    ...hazard,
    written: { hazardId: hazard.hazardId, row: firstRow },
  })),
  ...added.map(({ addition, row }) => ({ ...addition, written: { hazardId: addition.hazard.id, row } })),
  ...rejected.map((settled) => ({ ...settled, written: null })),
];
