import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Node = { id: string; name: string; type: string; characters?: string; visible?: boolean; children?: Node[] };
type Link = { id: string; name: string; url: string; file_key: string; node_id: string };

const text = (id: string, characters: string, visible = true): Node => ({
  ...{ id, name: 'Text', type: 'TEXT', characters, visible },
});
const PAGES: Node[] = [
  {
    ...{ id: '0:1', name: 'Observations', type: 'CANVAS' },
    children: [
      {
        ...{ id: '1:1', name: 'Record', type: 'FRAME', absoluteBoundingBox: { width: 360, height: 640.4 } },
        children: [
          text('2:1', 'Pulse'),
          { id: '2:2', name: 'Group', type: 'GROUP', children: [text('2:3', 'Temperature'), text('2:4', 'Pulse')] },
          text('2:5', 'Hidden', false),
        ],
      },
      { id: '1:2', name: 'Arrow', type: 'VECTOR' },
      { id: '1:3', name: 'List', type: 'FRAME', children: [text('3:1', 'Ward')] },
    ],
  },
];
const refused = (status: number): ApiAnswer => ({ status, body: { status, err: 'Not found' } });

/**
 * Figma over real HTTP: its consent, an address of its own for renewals, files of a project and of a team, frames with
 * texts, comments, developers' links, limits with Retry-After, and 403 for a token that it has withdrawn.
 */
export async function startFigma(client?: Parameters<typeof startProvider>[0]) {
  const files = new Map([
    ['KEY1', 'Ward app'],
    ['KEY2', 'Old app'],
  ]);
  const comments: { id: string; file: string; message: string; client_meta: { node_id: string } }[] = [];
  const links: Link[] = [];
  const START = { limits: 0, hasTooLargeFrames: false, mayLink: true, forbids: null as null | 'files' | 'all' };
  const state = { ...START };

  function write(path: string, body: string): ApiAnswer {
    if (path === '/v1/dev_resources') {
      if (!state.mayLink) return refused(403);
      const [link] = (JSON.parse(body) as { dev_resources: Omit<Link, 'id'>[] }).dev_resources;
      if (!link) return refused(400);
      const made = { ...link, id: `link-${links.length + 1}` };
      links.push(made);
      return { status: 200, body: { links_created: [made], errors: [] } };
    }
    const [, file = ''] = /^\/v1\/files\/(\w+)\/comments$/.exec(path) ?? [];
    if (!files.has(file)) return refused(404);
    const comment = { id: `comment-${comments.length + 1}`, file, ...JSON.parse(body) };
    comments.push(comment);
    return { status: 200, body: comment };
  }

  function readFile(key: string, part: string, query: URLSearchParams): ApiAnswer {
    const name = files.get(key);
    if (!name) return refused(404);
    if (part === '/comments') return { status: 200, body: { comments: comments.filter(({ file }) => file === key) } };
    if (part === '/dev_resources') {
      const on = query.get('node_ids');
      return { status: 200, body: { dev_resources: links.filter((one) => one.node_id === on) } };
    }
    const frames = PAGES.flatMap(({ children = [] }) => children);
    if (part === '/nodes') {
      if (state.hasTooLargeFrames) return refused(400);
      const asked = (query.get('ids') ?? '').split(',');
      const nodes = frames.filter(({ id }) => asked.includes(id)).map((node) => [node.id, { document: node }]);
      return { status: 200, body: { name, nodes: Object.fromEntries(nodes) } };
    }
    const children = PAGES.map((page) => ({
      ...page,
      children: query.get('depth') === '1' ? [] : page.children?.map(({ children: _children, ...node }) => node),
    }));
    return { status: 200, body: { name, document: { id: '0:0', name: 'Document', type: 'DOCUMENT', children } } };
  }

  function api({ method, path, query, body }: ApiCall): ApiAnswer | null {
    if (state.limits > 0) {
      state.limits -= 1;
      return { status: 429, body: { status: 429, err: 'Rate limit exceeded' }, headers: { 'retry-after': '0' } };
    }
    if (state.forbids === 'all' || (state.forbids === 'files' && path.startsWith('/v1/files/'))) return refused(403);
    if (path === '/v1/me') return { status: 200, body: { id: 'u1', handle: 'Ada', email: 'ada@example.com' } };
    if (path === '/v1/teams/7/projects') return { status: 200, body: { projects: [{ id: '71', name: 'Wards' }] } };
    if (path === '/v1/projects/71/files')
      return { status: 200, body: { files: [...files].map(([key, name]) => ({ key, name, last_modified: '' })) } };
    if (method === 'POST') return write(path, body);
    const [, key = '', part = ''] = /^\/v1\/files\/(\w+)(\/\w+)?$/.exec(path) ?? [];
    return readFile(key, part, query);
  }

  const provider = await startProvider(client, {
    ...{ authorize: '/oauth', token: '/v1/oauth/token', refresh: '/v1/oauth/refresh', isUntyped: true, api },
    refuse: (error) => (error === 'invalid_client' ? { status: 401, error } : { status: 400, error: true }),
  });
  return {
    ...provider,
    state,
    comments,
    links,
    clear() {
      comments.length = 0;
      links.length = 0;
      Object.assign(state, START);
    },
  };
}
