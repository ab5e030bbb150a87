import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type File = {
  name: string;
  mimeType: string;
  parent: string;
  content: Buffer;
  modified: number;
  key: string | null;
};

export const DOCUMENT = 'application/vnd.google-apps.document';
const FOLDER = 'application/vnd.google-apps.folder';

/**
 * Google Drive over real HTTP: its consent, files by the three queries that Arc makes, export of Google's documents,
 * downloads, and upload in two parts.
 */
export async function startGoogleDrive(client?: Parameters<typeof startProvider>[0]) {
  const files = new Map<string, File>();
  const uploads: string[] = [];
  let count = 0;
  let pageSize = 100;

  const present = ([id, { name, mimeType, modified, content }]: [string, File]) => ({
    ...{ id, name, mimeType, modifiedTime: new Date(modified).toISOString() },
    webViewLink: `https://drive.google.com/file/d/${id}/view`,
    ...(mimeType.startsWith('application/vnd.google-apps') ? {} : { size: String(content.length) }),
  });

  function find(q: string): [string, File][] | null {
    const [, parent] = /^'([\w-]+)' in parents and trashed = false$/.exec(q) ?? [];
    if (parent) return [...files].filter(([, file]) => file.parent === parent);
    if (q === `mimeType = '${FOLDER}' and trashed = false`)
      return [...files].filter(([, it]) => it.mimeType === FOLDER);
    const [, key] = /^appProperties has \{ key='arcDraft' and value='(\w+)' \} and trashed = false$/.exec(q) ?? [];
    return key ? [...files].filter(([, file]) => file.key === key) : null;
  }

  function upload({ headers, body }: ApiCall): ApiAnswer {
    const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
    const [, about = '', media = ''] = body.split(`--${boundary}`);
    const partOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '');
    const { name, parents, appProperties } = JSON.parse(partOf(about)) as {
      name: string;
      parents: [string];
      appProperties: { arcDraft: string };
    };
    if (!files.has(parents[0])) return { status: 404, body: { error: { code: 404 } } };
    count += 1;
    const id = `up-${count}`;
    uploads.push(id);
    const mimeType = /content-type: (\S+)/.exec(media)?.[1] ?? '';
    const content = Buffer.from(partOf(media));
    files.set(id, { name, mimeType, parent: parents[0], content, modified: Date.now(), key: appProperties.arcDraft });
    return { status: 200, body: { id, webViewLink: `https://drive.google.com/file/d/${id}/view` } };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { method, path, query } = call;
    if (path === '/drive/v3/about')
      return { status: 200, body: { user: { permissionId: 'p1', emailAddress: 'ada@quillmere.test' } } };
    if (path === '/upload/drive/v3/files' && method === 'POST') return upload(call);
    if (path === '/drive/v3/files') {
      const found = find(query.get('q') ?? '');
      if (!found) return { status: 400, body: { error: { code: 400 } } };
      const at = Number(query.get('pageToken') ?? 0);
      const next = at + pageSize < found.length ? { nextPageToken: String(at + pageSize) } : {};
      return { status: 200, body: { files: found.slice(at, at + pageSize).map(present), ...next } };
    }
    const [, id = '', exported] = /^\/drive\/v3\/files\/([\w-]+)(\/export)?$/.exec(path) ?? [];
    const file = files.get(id);
    if (!file || file.mimeType === FOLDER || Boolean(exported) !== (file.mimeType === DOCUMENT)) return null;
    return {
      status: 200,
      body: file.content.toString('utf8'),
      headers: { 'content-type': 'application/octet-stream' },
    };
  }

  const provider = await startProvider(client, { authorize: '/o/oauth2/v2/auth', api });
  return {
    ...provider,
    files,
    uploads,
    /** Adds or changes a file in a folder. */
    put(id: string, change: Partial<Omit<File, 'content'>> & { content?: string } = {}) {
      const { content = '', ...rest } = change;
      const base = { name: id, mimeType: 'text/markdown', parent: 'f1', modified: Date.now(), key: null };
      files.set(id, { ...base, ...files.get(id), ...rest, content: Buffer.from(content) });
    },
    addFolder: (id: string, name: string) =>
      files.set(id, { name, mimeType: FOLDER, parent: 'root', content: Buffer.alloc(0), modified: 0, key: null }),
    setPageSize(size: number) {
      pageSize = size;
    },
  };
}
