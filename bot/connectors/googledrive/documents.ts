import { randomUUID } from 'node:crypto';
import type { DocumentSource } from '../../engine/connectors/connector.ts';
import { readJson, request } from '../../engine/connectors/requests.ts';
import { isReadable } from '../../engine/documents/readable.ts';
import { API, type DriveFile, listFiles, readFolder } from './files.ts';

/** Google's own documents are read as files of these types. */
const EXPORTS: Record<string, { type: string; extension: string }> = {
  'application/vnd.google-apps.document': { type: 'text/markdown', extension: 'md' },
  'application/vnd.google-apps.spreadsheet': {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
};

const isRead = ({ mimeType, name }: DriveFile) => Object.hasOwn(EXPORTS, mimeType) || isReadable(name);
const linkOf = ({ id, webViewLink }: Pick<DriveFile, 'id' | 'webViewLink'>) =>
  webViewLink ?? `https://drive.google.com/open?id=${encodeURIComponent(id)}`;

/** A body of two parts: what the file is called, and its bytes (RFC 2387). */
function multipart(
  about: object,
  type: string,
  bytes: Uint8Array,
): { contentType: string; body: Uint8Array<ArrayBuffer> } {
  const boundary = `arc-${randomUUID()}`;
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(about)}\r\n`;
  const middle = `--${boundary}\r\ncontent-type: ${type}\r\n\r\n`;
  return {
    contentType: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head + middle), bytes, Buffer.from(`\r\n--${boundary}--`)]),
  };
}

export const documents: DocumentSource = {
  async list(access, values, cursor) {
    const { rows, next } = await listFiles(access, `'${readFolder(values).id}' in parents and trashed = false`, cursor);
    return {
      documents: rows.filter(isRead).map((file) => ({
        ...{ id: file.id, name: file.name, type: file.mimeType, version: file.modifiedTime, url: linkOf(file) },
        bytes: file.size === undefined ? null : Number(file.size),
      })),
      next,
    };
  },

  async read(access, { id, name, type }) {
    const file = `${API}/drive/v3/files/${encodeURIComponent(id)}`;
    const exported = EXPORTS[type];
    const answer = await request(
      access,
      exported
        ? `${file}/export?${new URLSearchParams({ mimeType: exported.type })}`
        : `${file}?alt=media&supportsAllDrives=true`,
    );
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { fileName: exported ? `${name}.${exported.extension}` : name, type: exported?.type ?? type, bytes };
  },

  async save(access, values, { key, name, type, bytes }) {
    const found = await listFiles(
      access,
      `appProperties has { key='arcDraft' and value='${key}' } and trashed = false`,
      null,
    );
    const [known] = found.rows;
    if (known) return linkOf(known);
    const about = { name, parents: [readFolder(values).id], appProperties: { arcDraft: key } };
    const { contentType, body } = multipart(about, type, bytes);
    const address = `${API}/upload/drive/v3/files?uploadType=multipart&fields=id,webViewLink&supportsAllDrives=true`;
    return linkOf(await readJson(access, address, { method: 'POST', headers: { 'content-type': contentType }, body }));
  },
};
