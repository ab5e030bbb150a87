import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { ownEntry } from '../../../../models/contracts/ownEntry.ts';

const extensionOf = (fileName: string) => /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase();

/** The media type of a file that holds sheets, by its name; undefined for any other. */
export const sheetTypeOf = (fileName: string): string | undefined => ownEntry(SHEET_TYPES, extensionOf(fileName));

/** Whether a file may hold a log or tickets: sheets, or a table in Markdown. */
export const mayHoldTable = (fileName: string): boolean =>
  sheetTypeOf(fileName) !== undefined || extensionOf(fileName) === 'md';
