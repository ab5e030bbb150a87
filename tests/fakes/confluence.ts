import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Page = { title: string; space: string; storage: string; version: number; status: 'current' | 'draft' };

const SITE = { id: 'cloud-1', url: 'https://quillmere.atlassian.net', name: 'quillmere' };
const BASE = `${SITE.url}/wiki`;
const refused = (status: number, title: string): ApiAnswer => ({ status, body: { errors: [{ status, title }] } });

/** Confluence Cloud over real HTTP: Atlassian's consent, a site, its spaces and pages with cursors, and drafts. */
export async function startConfluence(client?: Parameters<typeof startProvider>[0]) {
  const spaces = [
    { id: '11', key: 'SAFE', name: 'Safety case', type: 'global' },
    { id: '12', key: 'PRIV', name: 'Private', type: 'collaboration' },
    { id: '13', key: '~ada', name: 'Ada', type: 'personal' },
  ];
  const pages = new Map<string, Page>();
  let count = 100;
  let pageSize = 100;

  const present = ([id, { title, space, version, status, storage }]: [string, Page], withBody = false) => ({
    ...{ id, title, status, spaceId: space, version: { number: version } },
    _links: { webui: `/spaces/${space}/pages/${id}`, editui: `/pages/resumedraft.action?draftId=${id}` },
    ...(withBody ? { body: { storage: { representation: 'storage', value: storage } } } : {}),
  });

  function answerList(rows: object[], { path, query }: ApiCall): ApiAnswer {
    const at = Number(query.get('cursor') ?? 0);
    const end = at + Math.min(pageSize, Number(query.get('limit') ?? 25));
    const [, rest] = /\/ex\/confluence\/[^/]+(\/.+)$/.exec(path) ?? [];
    const next = new URLSearchParams(
      [...query].filter(([name]) => name !== 'cursor').concat([['cursor', String(end)]]),
    );
    const links = end < rows.length ? { next: `${rest}?${next}` } : {};
    return { status: 200, body: { results: rows.slice(at, end), _links: { base: BASE, ...links } } };
  }

  function create({ body }: ApiCall): ApiAnswer {
    const given = JSON.parse(body) as {
      spaceId: string;
      status: 'draft';
      title: string;
      body: { representation: string; value: string };
    };
    const isKnown = spaces.some(({ id }) => id === given.spaceId);
    if (!isKnown || given.body.representation !== 'storage' || given.title.length > 255)
      return refused(400, 'Invalid page');
    count += 1;
    const { title, status } = given;
    pages.set(String(count), { title, status, space: given.spaceId, storage: given.body.value, version: 1 });
    const page = present([String(count), pages.get(String(count)) as Page]);
    return { status: 200, body: { ...page, _links: { ...page._links, base: BASE } } };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { path, method, query } = call;
    if (path === '/oauth/token/accessible-resources') return { status: 200, body: [SITE] };
    const [, site, rest = ''] = /^\/ex\/confluence\/([^/]+)\/wiki\/api\/v2\/(.+)$/.exec(path) ?? [];
    if (site !== SITE.id) return null;
    if (rest === 'spaces') return answerList(spaces, call);
    if (rest === 'pages' && method === 'POST') return create(call);
    const [, space] = /^spaces\/(\d+)\/pages$/.exec(rest) ?? [];
    if (space && query.get('status') === 'current') {
      const found = [...pages].filter(([, page]) => page.space === space && page.status === 'current');
      return answerList(
        found.map((page) => present(page)),
        call,
      );
    }
    const [, id = ''] = /^pages\/(\w+)$/.exec(rest) ?? [];
    const page = pages.get(id);
    if (!page || query.get('body-format') !== 'storage') return refused(404, 'Not Found');
    return { status: 200, body: present([id, page], true) };
  }

  const provider = await startProvider(client, { token: '/oauth/token', api });
  return {
    ...provider,
    pages,
    put(id: string, page: Partial<Page> & { title: string }) {
      const known = pages.get(id);
      const base = { space: '11', storage: '', status: 'current' as const, ...known };
      pages.set(id, { ...base, ...page, version: (known?.version ?? 0) + 1 });
    },
    setPageSize(size: number) {
      pageSize = size;
    },
  };
}
