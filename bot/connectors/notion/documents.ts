import type { Access, DocumentSource } from '../../engine/connectors/connector.ts';
import { get, type Item, readChildren, titleOf } from './api.ts';
import { type Block, blocksToText } from './blocks.ts';
import { saveDraft } from './drafts.ts';
import { propertyLines } from './properties.ts';
import { isPageGone, readPagesBelow, readRoot } from './scope.ts';

/** Pages of a hundred blocks that are read of one list of blocks, and lists that are read of one page. */
const MAX_PAGES = 20;
const MAX_LISTS = 200;
const MAX_DEPTH = 12;
/** Notion gives the minute of the last change. */
const SETTLED_MS = 2 * 60_000;

/**
 * Changes with a page's content. A page that was edited in this minute may be edited again without another time, so its
 * version is one that no later listing has.
 */
export const versionOf = (editedAt: string, now = Date.now()): string =>
  now - Date.parse(editedAt) < SETTLED_MS ? `${editedAt} read at ${now}` : editedAt;

/** All blocks of a page, with those in them. */
async function readBlocks(access: Access, pageId: string): Promise<{ blocks: Block[]; isAll: boolean }> {
  let lists = 0;
  let isAll = true;
  async function read(id: string, depth: number): Promise<Block[]> {
    if (lists >= MAX_LISTS || depth > MAX_DEPTH) {
      isAll = false;
      return [];
    }
    lists += 1;
    const blocks = await readChildren(access, id, MAX_PAGES);
    for (const block of blocks) {
      // Pages in a page are documents of their own.
      if (block.has_children && !block.type.startsWith('child_')) block.children = await read(block.id, depth + 1);
    }
    return blocks;
  }
  return { blocks: await read(pageId, 0), isAll };
}

export const documents: DocumentSource = {
  async list(access, values) {
    const pages = await readPagesBelow(access, values);
    const listed = pages.map((page) => ({
      ...{ id: page.id, name: titleOf(page), type: 'text/markdown', url: page.url, bytes: null },
      version: versionOf(page.last_edited_time),
    }));
    return { documents: listed, next: null };
  },

  isGone: isPageGone,

  async read(access, { id, name }) {
    const [{ properties }, { blocks, isAll }] = await Promise.all([
      get<Item>(access, `/pages/${encodeURIComponent(id)}`),
      readBlocks(access, id),
    ]);
    const lines = propertyLines(properties);
    const parts = [
      `# ${name}`,
      ...(lines.length > 0 ? [lines.join('\n')] : []),
      blocksToText(blocks),
      ...(isAll ? [] : ['[The rest of this page was not read: it is too long or too deep.]']),
    ];
    const text = `${parts.filter(Boolean).join('\n\n')}\n`;
    return { fileName: `${name}.md`, type: 'text/markdown', bytes: Buffer.from(text) };
  },

  save: (access, values, draft) => saveDraft(access, readRoot(values).id, draft),
};
