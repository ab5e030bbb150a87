import { randomUUID } from 'node:crypto';
import type { DocumentSource } from '../../engine/connectors/connector.ts';
import { ProviderFailure } from '../../engine/connectors/failure.ts';
import { API, type DriveFile, get, listFiles, readFolder } from './files.ts';

/** Google's own documents are read as files of these types. */
const EXPORTS: Record<string, { type: string; extension: string }> = {
  'application/vnd.google-apps.document': { type: 'text/markdown', extension: 'md' },
  'application/vnd.google-apps.spreadsheet': {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
  },
};
/** Other files are read as they are, if their name says that Arc can read them. */
const READABLE = /\.(?:docx|xlsx|xlsm|csv|md|txt)$/i;

const isRead = ({ mimeType, name }: DriveFile) => Object.hasOwn(EXPORTS, mimeType) || READABLE.test(name);

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
    const { files, next } = await listFiles(
      access,
      `'${readFolder(values).id}' in parents and trashed = false`,
      cursor,
    );
    return {
      documents: files.filter(isRead).map(({ id, name, mimeType, modifiedTime, webViewLink, size }) => ({
        ...{ id, name, type: mimeType, version: modifiedTime },
        url: webViewLink ?? `https://drive.google.com/open?id=${encodeURIComponent(id)}`,
        bytes: size === undefined ? null : Number(size),
      })),
      next,
    };
  },

  async read(access, { id, name, type }) {
    const file = `/drive/v3/files/${encodeURIComponent(id)}`;
    const exported = EXPORTS[type];
    const answer = await get(
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
    const linkOf = (file: Pick<DriveFile, 'id' | 'webViewLink'>) =>
      file.webViewLink ?? `https://drive.google.com/open?id=${encodeURIComponent(file.id)}`;
    const [known] = found.files;
    if (known) return linkOf(known);
    const about = { name, parents: [readFolder(values).id], appProperties: { arcDraft: key } };
    const { contentType, body } = multipart(about, type, bytes);
    const address = `${API}/upload/drive/v3/files?uploadType=multipart&fields=id,webViewLink&supportsAllDrives=true`;
    const answer = await access.send(address, { method: 'POST', headers: { 'content-type': contentType }, body });
    if (!answer.ok) throw new ProviderFailure('refused', `saving answers ${answer.status}`);
    return linkOf((await answer.json()) as DriveFile);
  },
};
