import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import { isRefused } from '../../engine/connectors/failure.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { get, type Item, type Parent, searchAll, titleOf } from './api.ts';

/** Pages of the search: of a hundred each. */
const MAX_PAGES = 20;
/** Parents that are asked for one by one in a listing, where the search does not give them. */
const MAX_LOOKUPS = 60;
/** Deeper pages are not read. */
const MAX_DEPTH = 40;

/** The chosen page. */
export const readRoot = ({ page }: ScopeValues): ReturnType<typeof readOption> => readOption(page);

const isThere = ({ in_trash, archived }: Item) => !in_trash && !archived;

type Held = Pick<Item, 'parent' | 'database_parent'>;

/** Finds out whether items are below a page, from what the search has given and, where that lacks a parent, one by one. */
function makeTree(access: Access, items: readonly Item[]) {
  const known = new Map<string, Promise<Held | null>>(items.map((item) => [item.id, Promise.resolve(item)]));
  let lookups = 0;

  async function lookUp(path: string): Promise<Held | null> {
    if (lookups >= MAX_LOOKUPS) return null;
    lookups += 1;
    return get<Held>(access, path).catch((error: unknown) => {
      if (isRefused(error)) return null;
      throw error;
    });
  }

  function find({ page_id, block_id, data_source_id }: Parent): [string, string] | null {
    if (page_id) return [page_id, `/pages/${page_id}`];
    if (block_id) return [block_id, `/blocks/${block_id}`];
    return data_source_id ? [data_source_id, `/data_sources/${data_source_id}`] : null;
  }

  return async function isBelow(item: Held & { id: string }, root: string): Promise<boolean> {
    let at: Held | null = item;
    let id = item.id;
    for (let depth = 0; at && depth < MAX_DEPTH; depth += 1) {
      if (id === root) return true;
      const next = find(at.database_parent ?? at.parent);
      if (!next) return false;
      const [parentId, path] = next;
      id = parentId;
      if (id === root) return true;
      const held: Promise<Held | null> = known.get(id) ?? lookUp(path);
      known.set(id, held);
      at = await held;
    }
    return false;
  };
}

/** The pages in scope: the chosen one and all below it, the last edited first. */
export async function readPagesBelow(access: Access, values: ScopeValues): Promise<Item[]> {
  const items = (await searchAll(access, MAX_PAGES)).filter(isThere);
  const isBelow = makeTree(access, items);
  const found: Item[] = [];
  for (const item of items) {
    if (item.object === 'page' && (await isBelow(item, readRoot(values).id))) found.push(item);
  }
  return found;
}

/** Whether a page was deleted, moved out of the scope, or is no longer readable. */
export async function isPageGone(access: Access, values: ScopeValues, id: string): Promise<boolean> {
  try {
    const page = await get<Item>(access, `/pages/${encodeURIComponent(id)}`);
    return !isThere(page) || !(await makeTree(access, [page])(page, readRoot(values).id));
  } catch (error) {
    if (isRefused(error)) return true;
    throw error;
  }
}

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'page',
      label: 'Page',
      hint: 'This page and the pages below it are read, and drafts are saved below it.',
      kind: 'choice',
      required: true,
    },
  ],
  async readOptions(access) {
    const pages = await searchAll(access, MAX_PAGES, { filter: { property: 'object', value: 'page' } });
    // Rows of tables are pages too; what holds others is chosen.
    const places = pages.filter((page) => isThere(page) && !page.parent.data_source_id);
    return { page: inOrder(places.map((page) => optionOf({ id: page.id, name: titleOf(page) }))) };
  },
  describe: (values) => `page ${readRoot(values).name} and those below it`,
};
