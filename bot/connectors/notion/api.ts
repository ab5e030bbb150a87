import type { Access } from '../../engine/connectors/connector.ts';
import { asJson, readJson, readPages } from '../../engine/connectors/requests.ts';
import type { Block, RichText } from './blocks.ts';

const API = 'https://api.notion.com/v1';
/** Rows of a page; also the most blocks that one call may add. */
export const PAGE = 100;

type Sender = Pick<Access, 'send'>;
type Listed<T> = { results: T[]; has_more: boolean; next_cursor: string | null };

/** Where a page, a block or a data source is (https://developers.notion.com/reference/parent-object). */
export type Parent = {
  type: string;
  page_id?: string;
  block_id?: string;
  data_source_id?: string;
  database_id?: string;
};

/** A page, or the table that pages are rows of. */
export type Item = {
  object: 'page' | 'data_source';
  id: string;
  url: string;
  last_edited_time: string;
  in_trash?: boolean;
  archived?: boolean;
  parent: Parent;
  /** Of a data source: where its database is. */
  database_parent?: Parent;
  properties: Record<string, Property>;
};

/** A property of a page, by its type: `{ type: 'select', select: { name: 'Open' } }`. */
export type Property = { type: string } & Record<string, unknown>;

export const get = <T>(access: Sender, path: string): Promise<T> => readJson<T>(access, `${API}${path}`);
export const post = <T>(access: Sender, path: string, body: object, method = 'POST'): Promise<T> =>
  readJson<T>(access, `${API}${path}`, asJson(method, body));

const toRows = <T>({ results, has_more, next_cursor }: Listed<T>) => ({
  rows: results,
  next: has_more ? next_cursor : null,
});

/** Everything that the connection may read, the last edited first, of at most so many pages of the search. */
export const searchAll = (access: Sender, maxPages: number, filter: object = {}): Promise<Item[]> =>
  readPages(async (cursor) => {
    const body = {
      ...filter,
      sort: { timestamp: 'last_edited_time', direction: 'descending' },
      page_size: PAGE,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    };
    const found = readJson<Listed<Item>>(access, `${API}/search`, { ...asJson('POST', body), isRead: true });
    return toRows(await found);
  }, maxPages);

/** The blocks directly in a page or a block, of at most so many pages. */
export const readChildren = (access: Sender, id: string, maxPages: number): Promise<Block[]> =>
  readPages(async (cursor) => {
    const query = new URLSearchParams({
      page_size: String(PAGE),
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    return toRows(await get<Listed<Block>>(access, `/blocks/${encodeURIComponent(id)}/children?${query}`));
  }, maxPages);

const wordsOf = (texts: readonly RichText[]) => texts.map(({ plain_text }) => plain_text).join('');

/** The title of a page. */
export function titleOf({ properties }: Pick<Item, 'properties'>): string {
  const title = Object.values(properties).find(({ type }) => type === 'title');
  return (title && wordsOf(title.title as RichText[]).trim()) || 'Untitled';
}
