import type { Attachment } from './chat.ts';

/** The media types of spreadsheets, by extension. */
export const SHEET_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  xls: 'application/vnd.ms-excel',
  csv: 'text/csv',
} as const;

/** Download path of the account's file of this name. */
export const downloadPath = (name: string): string => `/api/download/${encodeURIComponent(name)}`;

/** A file as a message carries it. */
export const attachmentOf = ({ name, size, type }: Omit<Attachment, 'url'>): Attachment => ({
  name,
  size,
  type,
  url: downloadPath(name),
});
