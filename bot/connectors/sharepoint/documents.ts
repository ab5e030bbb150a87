import type { DocumentSource, RemoteDocument } from '../../engine/connectors/connector.ts';
import { CursorRefused, ProviderFailure } from '../../engine/connectors/failure.ts';
import { readJson, request } from '../../engine/connectors/requests.ts';
import { isReadable } from '../../engine/documents/readable.ts';
import { GRAPH, type Listed } from './graph.ts';
import { readLibrary } from './scope.ts';

/** A file or a folder (https://learn.microsoft.com/graph/api/resources/driveitem). */
type DriveItem = {
  id: string;
  name?: string;
  size?: number;
  webUrl?: string;
  /** Changes with the content and with the name. */
  eTag?: string;
  file?: { mimeType?: string };
  folder?: object;
  deleted?: object;
};

const FIELDS = 'id,name,size,webUrl,eTag,file,folder,deleted';
const PAGE = 200;

const driveAddress = (driveId: string) => `${GRAPH}/drives/${encodeURIComponent(driveId)}`;

/** A document that Arc reads; null for any other item. */
function toDocument({ id, name = '', size = 0, webUrl = '', eTag = '', file }: DriveItem): RemoteDocument | null {
  if (!file || !isReadable(name)) return null;
  return { id, name, type: file.mimeType ?? 'application/octet-stream', url: webUrl, version: eTag, bytes: size };
}

/**
 * The name of a draft's file: with a part of its key, so that the same draft has the same name and no other has, and
 * without the signs that SharePoint refuses.
 */
export function draftName(name: string, key: string): string {
  const plain = name.replace(/["*:<>?/\\|]/g, '-').replace(/^[~\s.]+/, '');
  const [, stem = plain, extension = ''] = /^(.*?)(\.\w{2,4})?$/.exec(plain) ?? [];
  return `${stem.trim() || 'Draft'} (Arc ${key.slice(0, 8)})${extension}`;
}

export const documents: DocumentSource = {
  // The cursor is an address that Microsoft has given: the next page, or the changes since the last.
  async list(access, values, cursor) {
    const query = `$select=${FIELDS}&$top=${PAGE}`;
    const address = cursor ?? `${driveAddress(readLibrary(values).id)}/root/delta?${query}`;
    const answer = await access.send(address);
    if (cursor !== null && (answer.status === 410 || answer.status === 400)) throw new CursorRefused();
    if (!answer.ok) throw new ProviderFailure('refused', `it answers ${answer.status}`);
    const page = (await answer.json()) as Listed<DriveItem>;
    // An item may come more than once: the last counts.
    const items = [...new Map(page.value.map((item) => [item.id, item])).values()];
    // Of a folder that was deleted it is not said what was in it.
    if (cursor !== null && items.some(({ deleted, file }) => deleted && !file)) throw new CursorRefused();
    const found = items.flatMap((item) => (item.deleted ? [] : (toDocument(item) ?? [])));
    const isFound = new Set(found.map(({ id }) => id));
    return {
      documents: found,
      // What was renamed to a kind that is not read is gone too.
      gone: items.filter(({ id, folder }) => !folder && !isFound.has(id)).map(({ id }) => id),
      next: page['@odata.nextLink'] ?? null,
      mark: page['@odata.deltaLink'] ?? null,
    };
  },

  async read(access, { id, name, type }, values) {
    const file = `${driveAddress(readLibrary(values).id)}/items/${encodeURIComponent(id)}/content`;
    const answer = await request(access, file);
    return { fileName: name, type, bytes: new Uint8Array(await answer.arrayBuffer()) };
  },

  async save(access, values, { key, name, type, bytes }) {
    const path = `${driveAddress(readLibrary(values).id)}/root:/${encodeURIComponent(draftName(name, key))}`;
    const answer = await access.send(`${path}:/content?@microsoft.graph.conflictBehavior=fail`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: new Uint8Array(bytes),
    });
    if (answer.ok) return ((await answer.json()) as DriveItem).webUrl ?? '';
    // Only the same draft has this name: it was saved right before a crash.
    if (answer.status === 409) return (await readJson<DriveItem>(access, path)).webUrl ?? '';
    throw new ProviderFailure('refused', `saving answers ${answer.status}`);
  },
};
