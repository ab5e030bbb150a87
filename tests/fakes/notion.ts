import { type ApiAnswer, type ApiCall, startProvider } from './provider.ts';

type Text = { text: { content: string; link?: { url: string } } };
/** A block as it is stored; its children are blocks of their own. */
export type FakeBlock = { id: string; type: string; children: FakeBlock[] } & Record<string, unknown>;
type Page = {
  title: string;
  parent: Record<string, string>;
  blocks: FakeBlock[];
  properties: Record<string, object>;
  edited: number;
  isTrashed: boolean;
};

const PERSON = { object: 'user', id: 'bot-1', type: 'bot', bot: { workspace_name: 'Quillmere' } };
const VERSION = '2025-09-03';
const TOKEN_PARAMETERS = new Set(['grant_type', 'code', 'redirect_uri', 'refresh_token', 'token']);
const failure = (status: number, code: string): ApiAnswer => ({
  status,
  body: { object: 'error', status, code, message: code },
});
const invalid = failure(400, 'validation_error');
const minuteOf = (time: number) => new Date(Math.floor(time / 60_000) * 60_000).toISOString();
/** Texts as Notion gives them back. */
const stored = (texts: Text[]) =>
  texts.map(({ text }) => ({ plain_text: text.content, href: text.link?.url ?? null, text }));
const isTooLong = (texts: Text[]) => texts.length > 100 || texts.some(({ text }) => text.content.length > 2000);

/**
 * Notion over real HTTP: its consent, tokens asked for with JSON and a header, the search, blocks page by page, and new
 * pages within Notion's limits. The search can be late with what was added.
 */
export async function startNotion(client?: Parameters<typeof startProvider>[0]) {
  const pages = new Map<string, Page>();
  const unfound = new Set<string>();
  let count = 0;
  let pageSize = 100;
  let limited = 0;

  const present = ([id, { title, parent, properties, edited, isTrashed }]: [string, Page]) => ({
    ...{ object: 'page', id, parent, in_trash: isTrashed, archived: isTrashed },
    ...{ url: `https://www.notion.so/${id}`, last_edited_time: minuteOf(edited) },
    properties: { ...properties, Name: { type: 'title', title: stored([{ text: { content: title } }]) } },
  });
  const presentBlock = ({ children, ...block }: FakeBlock) => ({ ...block, has_children: children.length > 0 });

  function pageOf<T>(rows: T[], asked: { start_cursor?: string | null; page_size?: string | number | null }) {
    const at = Number(asked.start_cursor ?? 0);
    const end = at + Math.min(pageSize, Number(asked.page_size ?? 100));
    const next = end < rows.length ? String(end) : null;
    return { object: 'list', results: rows.slice(at, end), has_more: next !== null, next_cursor: next };
  }

  function search(body: string): ApiAnswer {
    const asked = JSON.parse(body) as { start_cursor?: string; page_size?: number };
    const found = [...pages].filter(([id, { isTrashed }]) => !isTrashed && !unfound.has(id));
    const sorted = found.sort(([, one], [, other]) => other.edited - one.edited);
    return { status: 200, body: pageOf(sorted.map(present), asked) };
  }

  const allBlocks = (blocks: FakeBlock[]): FakeBlock[] =>
    blocks.flatMap((block) => [block, ...allBlocks(block.children)]);

  /** The blocks in a page or a block; pages below a page are blocks of it. */
  function childrenOf(id: string): FakeBlock[] | null {
    const page = pages.get(id);
    const below = [...pages].filter(([, { parent, isTrashed }]) => parent.page_id === id && !isTrashed);
    if (page)
      return [
        ...page.blocks,
        ...below.map(([child, { title, blocks }]) => ({
          ...{ id: child, type: 'child_page', child_page: { title } },
          children: blocks,
        })),
      ];
    const block = [...pages.values()].flatMap(({ blocks }) => allBlocks(blocks)).find((one) => one.id === id);
    return block?.children ?? null;
  }

  function toBlocks(given: Record<string, unknown>[]): FakeBlock[] | null {
    const texts = given.map((block) => (block[String(block.type)] as { rich_text: Text[] }).rich_text);
    if (given.length > 100 || texts.some(isTooLong)) return null;
    return given.map((block, at) => {
      count += 1;
      const type = String(block.type);
      return { id: `b${count}`, type, children: [], [type]: { rich_text: stored(texts[at] ?? []) } };
    });
  }

  function createPage(body: string): ApiAnswer {
    const { parent, properties, children } = JSON.parse(body) as {
      parent: { page_id: string };
      properties: { title: { title: Text[] } };
      children: Record<string, unknown>[];
    };
    const blocks = toBlocks(children);
    const title = properties.title.title.map(({ text }) => text.content).join('');
    if (!blocks || !pages.has(parent.page_id) || isTooLong(properties.title.title)) return invalid;
    count += 1;
    const id = `draft-${count}`;
    const at = { type: 'page_id', page_id: parent.page_id };
    pages.set(id, { title, parent: at, blocks, properties: {}, edited: Date.now(), isTrashed: false });
    return { status: 200, body: present([id, pages.get(id) as Page]) };
  }

  function answerPage(id: string): ApiAnswer {
    const page = pages.get(id);
    return page ? { status: 200, body: present([id, page]) } : failure(404, 'object_not_found');
  }

  function answerChildren({ method, query, body }: ApiCall, id: string): ApiAnswer {
    const children = childrenOf(id);
    if (!children) return failure(404, 'object_not_found');
    if (method === 'PATCH') {
      const blocks = toBlocks((JSON.parse(body) as { children: Record<string, unknown>[] }).children);
      if (!blocks) return invalid;
      pages.get(id)?.blocks.push(...blocks);
      return { status: 200, body: { object: 'list', results: blocks.map(presentBlock) } };
    }
    const asked = { start_cursor: query.get('start_cursor'), page_size: query.get('page_size') };
    return { status: 200, body: pageOf(children.map(presentBlock), asked) };
  }

  function api(call: ApiCall): ApiAnswer | null {
    const { path, headers, body } = call;
    if (headers['notion-version'] !== VERSION) return failure(400, 'missing_version');
    if (limited > 0) {
      limited -= 1;
      return { ...failure(429, 'rate_limited'), headers: { 'retry-after': '0' } };
    }
    if (path === '/v1/users/me') return { status: 200, body: PERSON };
    if (path === '/v1/search') return search(body);
    if (path === '/v1/pages') return createPage(body);
    const [, kind, id = '', children] = /^\/v1\/(pages|blocks|data_sources)\/([\w-]+)(\/children)?$/.exec(path) ?? [];
    if (kind === 'pages') return answerPage(id);
    if (kind === 'blocks' && children) return answerChildren(call, id);
    const [ofBlock] = [...pages].find(([, { blocks }]) => allBlocks(blocks).some((block) => block.id === id)) ?? [];
    if (kind === 'blocks' && ofBlock)
      return { status: 200, body: { object: 'block', id, parent: { type: 'page_id', page_id: ofBlock } } };
    return failure(404, 'object_not_found');
  }

  function readTokenCall({ headers, body }: ApiCall): URLSearchParams | ApiAnswer {
    const isJson = headers['content-type'] === 'application/json' && headers['notion-version'] === VERSION;
    if (!isJson || !headers.authorization) return invalid;
    const given = Object.entries(JSON.parse(body) as Record<string, string>);
    return given.every(([name]) => TOKEN_PARAMETERS.has(name)) ? new URLSearchParams(given) : invalid;
  }

  const provider = await startProvider(client, {
    ...{ authorize: '/v1/oauth/authorize', token: '/v1/oauth/token', revoke: '/v1/oauth/revoke' },
    ...{ api, readTokenCall, refusesPkce: true },
  });
  const initial = { ...provider.behaviour, lifetime: null };
  Object.assign(provider.behaviour, initial);
  return {
    ...provider,
    pages,
    /** Leaves a page out of the search, as Notion does for a while. */
    hideFromSearch: (id: string) => unfound.add(id),
    /** Answers the next calls with 429. */
    limit(times: number) {
      limited = times;
    },
    put(id: string, page: Partial<Page> & { title: string }) {
      const known = pages.get(id);
      const base = { parent: { type: 'page_id', page_id: 'root' }, blocks: [], properties: {}, isTrashed: false };
      pages.set(id, { ...base, edited: Date.now() - 600_000, ...known, ...page });
    },
    setPageSize(size: number) {
      pageSize = size;
    },
    recover() {
      provider.recover();
      Object.assign(provider.behaviour, initial);
      unfound.clear();
      limited = 0;
    },
  };
}
