import type { Attachment } from './chat.ts';
import { ownEntry } from './ownEntry.ts';

/** The media types of spreadsheets, by extension. */
export const SHEET_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  xls: 'application/vnd.ms-excel',
  csv: 'text/csv',
} as const;

/** The media types of what may be uploaded for an agent, by extension: sheets, and documents in Word, Markdown or plain text. */
const UPLOAD_TYPES = {
  ...SHEET_TYPES,
  md: 'text/markdown',
  txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const;

/** The extensions of uploads, as a browser's file dialog takes them. */
export const UPLOAD_EXTENSIONS = Object.keys(UPLOAD_TYPES)
  .map((extension) => `.${extension}`)
  .join(',');

/** Shown where a file of another type was chosen: specification 1, section 5. */
export const UPLOAD_TYPE_REFUSED = 'Please select an Excel (.xlsx, .xls) or CSV file.';

const extensionOf = (fileName: string) => /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase();

/** The media type of a file with sheets, by its name; undefined for any other. */
export const sheetTypeOf = (fileName: string): string | undefined => ownEntry(SHEET_TYPES, extensionOf(fileName));

/** Whether a file of this name, or of this media type, may be uploaded for an agent. */
export const isUploadType = (fileName: string, mediaType = ''): boolean =>
  ownEntry(UPLOAD_TYPES, extensionOf(fileName)) !== undefined ||
  Object.values<string>(UPLOAD_TYPES).some((type) => type.toLowerCase() === mediaType.toLowerCase());

/** Download path of the account's file of this name. */
export const downloadPath = (name: string): string => `/api/download/${encodeURIComponent(name)}`;

/** A file as a message carries it. */
export const attachmentOf = ({ name, size, type }: Omit<Attachment, 'url'>): Attachment => ({
  name,
  size,
  type,
  url: downloadPath(name),
});
