import { isUtf8 } from 'node:buffer';
import { ownEntry } from '../../../models/contracts/ownEntry.ts';

type Kind = { type: string; fits: (bytes: Uint8Array) => boolean; analysable?: true };

const begins =
  (...signature: number[]) =>
  (bytes: Uint8Array) =>
    signature.every((byte, at) => bytes[at] === byte);
const isZip = begins(0x50, 0x4b, 0x03, 0x04);
const isText = (bytes: Uint8Array) => !bytes.includes(0) && isUtf8(bytes);
/** CSV also comes in older encodings, and as UTF-16 with a byte order mark. */
const isSheetText = (bytes: Uint8Array) => !bytes.includes(0) || begins(0xff, 0xfe)(bytes) || begins(0xfe, 0xff)(bytes);
const OOXML = 'application/vnd.openxmlformats-officedocument';

/** Accepted documents by extension, with the check of their content. */
const KINDS: Record<string, Kind> = {
  pdf: { type: 'application/pdf', fits: begins(0x25, 0x50, 0x44, 0x46, 0x2d) },
  docx: { type: `${OOXML}.wordprocessingml.document`, fits: isZip, analysable: true },
  xlsx: { type: `${OOXML}.spreadsheetml.sheet`, fits: isZip, analysable: true },
  xlsm: { type: 'application/vnd.ms-excel.sheet.macroEnabled.12', fits: isZip, analysable: true },
  xls: { type: 'application/vnd.ms-excel', fits: begins(0xd0, 0xcf, 0x11, 0xe0), analysable: true },
  csv: { type: 'text/csv', fits: isSheetText, analysable: true },
  md: { type: 'text/markdown', fits: isText },
  txt: { type: 'text/plain', fits: isText },
};

const kindOf = (fileName: string) => ownEntry(KINDS, /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase());

/** The media type of a document; null where the extension is not accepted or the content does not match it. */
export function documentType(fileName: string, bytes: Uint8Array): string | null {
  const kind = kindOf(fileName);
  return kind?.fits(bytes) ? kind.type : null;
}

/** Whether an agent can analyse this file. */
export const isAnalysable = (fileName: string) => kindOf(fileName)?.analysable ?? false;
