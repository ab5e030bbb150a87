import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Item = {
  name: string;
  drive: string;
  parent: string;
  isFolder: boolean;
  content: string;
  version: number;
  /** The number of its last change. */
  changed: number;
  isDeleted: boolean;
};

const HOST = 'https://graph.microsoft.com';
const TENANT = '/organizations/oauth2/v2.0';
const failure = (status: number, code: string): ApiAnswer => ({ status, body: { error: { code, message: code } } });
/** Signs that a name can't have. */
const REFUSED = /["*:<>?/\\|]/;

/** SharePoint by Microsoft Graph over real HTTP: a site and its libraries, changes since a token, downloads, uploads. */
export async function startSharepoint(client?: Parameters<typeof startProvider>[0]) {
  const sites = [
    { id: 'quillmere.sharepoint.com,1,2', name: 'safety', displayName: 'Safety' },
    { id: 'quillmere.sharepoint.com,1,3', name: 'closed', displayName: 'Closed' },
  ];
  const drives = [
    { id: 'b!1', name: 'Documents' },
    { id: 'b!2', name: 'Private' },
  ];
  const items = new Map<string, Item>();
  let changes = 0;
  let oldest = 0;
  let pageSize = 200;
  let url = '';
  let count = 0;

  const linkOf = ({ drive, name }: Item) =>
    `https://quillmere.sharepoint.com/sites/safety/${drive}/${encodeURIComponent(name)}`;
  const kindOf = ({ isFolder }: Item) =>
    isFolder ? { folder: { childCount: 0 } } : { file: { mimeType: 'text/plain' } };
  const present = ([id, item]: [string, Item]) =>
    // Of a deleted folder only its id is given.
    item.isDeleted
      ? { id, deleted: { state: 'deleted' }, ...(item.isFolder ? {} : kindOf(item)) }
      : {
          ...{ id, name: item.name, size: item.content.length, webUrl: linkOf(item), eTag: `"${id},${item.version}"` },
          ...kindOf(item),
        };

  function pageOf(rows: object[], path: string, query: URLSearchParams, end: object = {}): ApiAnswer {
    const at = Number(query.get('$skiptoken') ?? 0);
    const to = at + pageSize;
    const next = new URLSearchParams([...query].filter(([name]) => name !== '$skiptoken'));
    next.set('$skiptoken', String(to));
    const more = to < rows.length ? { '@odata.nextLink': `${HOST}${path}?${next}` } : end;
    return { status: 200, body: { value: rows.slice(at, to), ...more } };
  }

  function answerDelta(drive: string, { path, query }: ApiCall): ApiAnswer {
    const token = query.get('token');
    if (token !== null && Number(token) < oldest) return failure(410, 'resyncRequired');
    const since = Number(token ?? 0);
    const found = [...items]
      .filter(([, item]) => item.drive === drive && item.changed > since && (token !== null || !item.isDeleted))
      .sort(([, one], [, other]) => one.changed - other.changed);
    const root = { id: `root-${drive}`, name: 'root', folder: {}, root: {} };
    const end = { '@odata.deltaLink': `${HOST}${path}?token=${changes}` };
    return pageOf([...(token === null ? [root] : []), ...found.map(present)], path, query, end);
  }

  function answerFile(drive: string, name: string, { method, query, body }: ApiCall, isContent: boolean): ApiAnswer {
    const known = [...items].find(([, item]) => item.drive === drive && item.name === name && !item.isDeleted);
    if (method !== 'PUT') return known ? { status: 200, body: present(known) } : failure(404, 'itemNotFound');
    if (!isContent || REFUSED.test(name)) return failure(400, 'invalidRequest');
    if (known && query.get('@microsoft.graph.conflictBehavior') === 'fail') return failure(409, 'nameAlreadyExists');
    count += 1;
    put(`up-${count}`, { name, drive, content: body });
    return { status: 201, body: present([`up-${count}`, items.get(`up-${count}`) as Item]) };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { path, query } = call;
    if (path === '/v1.0/me') return { status: 200, body: { id: 'u1', userPrincipalName: 'ada@quillmere.test' } };
    if (path === '/v1.0/sites' && query.get('search') === '*') return pageOf(sites, path, query);
    const [, site] = /^\/v1\.0\/sites\/([^/]+)\/drives$/.exec(path) ?? [];
    if (site)
      return decodeURIComponent(site) === sites[0]?.id ? pageOf(drives, path, query) : failure(403, 'accessDenied');
    const [, drive = '', rest = ''] = /^\/v1\.0\/drives\/(b!\d)\/(.+)$/.exec(path) ?? [];
    if (rest === 'root/delta') return answerDelta(drive, call);
    const [, name, content] = /^root:\/([^:]+?)(:\/content)?$/.exec(rest) ?? [];
    if (name) return answerFile(drive, decodeURIComponent(name), call, content !== undefined);
    const [, id = ''] = /^items\/([\w-]+)\/content$/.exec(rest) ?? [];
    if (!items.has(id) || items.get(id)?.isDeleted) return failure(404, 'itemNotFound');
    return { status: 302, body: '', headers: { location: `${url}/download/${id}?tempauth=t1` } };
  }

  function open({ path, query }: ApiCall): ApiAnswer | null {
    const [, id = ''] = /^\/download\/([\w-]+)$/.exec(path) ?? [];
    if (id === '' || query.get('tempauth') !== 't1') return null;
    return { status: 200, body: items.get(id)?.content ?? '', headers: { 'content-type': 'application/octet-stream' } };
  }

  function put(id: string, change: Partial<Item>) {
    changes += 1;
    const known = items.get(id);
    const base = { name: id, drive: 'b!1', parent: 'root', isFolder: false, content: '', isDeleted: false };
    items.set(id, { ...base, ...known, ...change, version: (known?.version ?? 0) + 1, changed: changes });
  }

  const provider = await startProvider(client, {
    ...{ authorize: `${TENANT}/authorize`, token: `${TENANT}/token` },
    ...{ api, open },
  });
  url = provider.url;
  return {
    ...provider,
    items,
    put,
    remove(id: string) {
      put(id, { isDeleted: true });
      // What is in a deleted folder goes with it, and is not named.
      for (const [inner, item] of items) if (item.parent === id) items.delete(inner);
    },
    /** Accepts no token that was given before. */
    forgetTokens() {
      changes += 1;
      oldest = changes;
    },
    setPageSize(size: number) {
      pageSize = size;
    },
  };
}
