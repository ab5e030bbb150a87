import { FileError } from '../../engine/files/fileError.ts';

/** Why a file or a job was refused. The error's message is for people. */
export const HAZARD_FILE_ERROR_CODES = [
  'empty_log',
  'not_a_spreadsheet',
  'encrypted_workbook',
  'damaged_workbook',
  'zip_bomb',
  'too_many_cells',
  'too_costly',
  'one_column_csv',
  'neither_log_nor_tickets',
  'not_a_hazard_log',
  'not_a_report_file',
  'not_tickets',
  'not_the_analysed_log',
  'no_room_below',
  'cells_would_change',
  'worker_timeout',
  'out_of_memory',
  'worker_failed',
  'too_many_waiting',
  'cancelled',
] as const;
export type HazardFileErrorCode = (typeof HAZARD_FILE_ERROR_CODES)[number];

/** A file can't be processed, or a job failed. */
export class HazardFileError extends FileError {
  declare readonly code: HazardFileErrorCode;

  constructor(code: HazardFileErrorCode, message: string) {
    super(code, message);
    this.name = 'HazardFileError';
  }
}
