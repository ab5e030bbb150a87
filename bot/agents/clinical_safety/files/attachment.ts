import type { Attachment } from '../../../../models/contracts/chat.ts';
import type { FileRow } from '../../../../models/file.ts';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const XLSM = 'application/vnd.ms-excel.sheet.macroEnabled.12';

/** A file as a message carries it. */
export function attachmentOf({ name, size, type }: Pick<FileRow, 'name' | 'size' | 'type'>): Attachment {
  return { name, size, type, url: `/api/download/${encodeURIComponent(name)}` };
}
