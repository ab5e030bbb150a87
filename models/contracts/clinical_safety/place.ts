import { z } from 'zod';

/** A place in a workbook: a sheet and a cell ("H2"), or a whole row ("row 2") where no single cell is meant. */
export const place = z.object({
  /** The sheet's name as the workbook has it; for CSV and Markdown the file's name. */
  sheet: z.string(),
  /** A1-style address. */
  cell: z.string(),
});
