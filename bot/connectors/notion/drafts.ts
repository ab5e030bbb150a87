import type { Access, RemoteDraft } from '../../engine/connectors/connector.ts';
import { type DraftLine, introductionOf, readDraftLines, titleOfDraft } from '../../engine/documents/draftLines.ts';
import { get, type Item, PAGE, post, readChildren } from './api.ts';
import type { Block, RichText } from './blocks.ts';

/** Limits of Notion: characters of a piece of text, pieces of a block (https://developers.notion.com/reference/request-limits). */
const MAX_CHARACTERS = 2000;
const MAX_PIECES = 100;
/** Pages of a hundred blocks in which a draft is looked for. */
const MAX_PAGES = 20;

type NewText = { type: 'text'; text: { content: string; link?: { url: string } } };
type NewBlock = { object: 'block'; type: string } & Record<string, unknown>;

/** A text in pieces of at most two thousand characters, none of which ends within a character. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_CHARACTERS;
    const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && end < text.length;
    pieces.push(text.slice(at, isSplit ? end - 1 : end));
    at = isSplit ? end - 1 : end;
  }
  return pieces;
}

const textOf = (content: string, link?: string): NewText => ({
  type: 'text',
  text: { content, ...(link === undefined ? {} : { link: { url: link } }) },
});

const typeOf = (line: DraftLine): string => {
  if (line.kind === 'heading') return `heading_${line.level}`;
  return line.kind === 'item' ? 'bulleted_list_item' : 'paragraph';
};

function blocksOf(line: DraftLine): NewBlock[] {
  const pieces = piecesOf(line.text).map((piece) => textOf(piece));
  const type = typeOf(line);
  return Array.from({ length: Math.ceil(pieces.length / MAX_PIECES) }, (_, at) => ({
    object: 'block',
    type,
    [type]: { rich_text: pieces.slice(at * MAX_PIECES, (at + 1) * MAX_PIECES) },
  }));
}

/** The blocks of a draft's page: a link to Arc, then its text. */
export function draftBlocks({ name, text, link }: Pick<RemoteDraft, 'name' | 'text' | 'link'>): NewBlock[] {
  const introduction: NewBlock = {
    object: 'block',
    type: 'paragraph',
    paragraph: { rich_text: [textOf(introductionOf(name, text).slice(0, MAX_CHARACTERS), link)] },
  };
  return [introduction, ...(text === null ? [] : readDraftLines(text)).flatMap(blocksOf)];
}

/** The page of a draft that was begun before; it begins with the draft's own link. */
async function findDraft(access: Access, parent: string, title: string, link: string): Promise<Block | null> {
  const pages = (await readChildren(access, parent, MAX_PAGES)).filter(
    (block) => block.type === 'child_page' && (block.child_page as { title: string }).title === title,
  );
  for (const page of pages) {
    const [first] = await readChildren(access, page.id, 1);
    const { rich_text = [] } = (first?.paragraph ?? {}) as { rich_text?: RichText[] };
    if (rich_text.some(({ href }) => href === link)) return page;
  }
  return null;
}

/**
 * Saves a draft as a page below another. A page that a crash has left unfinished is completed.
 * @returns the link to the page
 * @throws ProviderFailure
 */
export async function saveDraft(access: Access, parent: string, draft: RemoteDraft): Promise<string> {
  const title = titleOfDraft(draft.name).slice(0, MAX_CHARACTERS);
  const blocks = draftBlocks(draft);
  const known = await findDraft(access, parent, title, draft.link);
  const page = known
    ? await get<Item>(access, `/pages/${known.id}`)
    : await post<Item>(access, '/pages', {
        parent: { page_id: parent },
        properties: { title: { title: [textOf(title)] } },
        children: blocks.slice(0, PAGE),
      });
  const written = known ? (await readChildren(access, known.id, MAX_PAGES)).length : PAGE;
  for (let at = written; at < blocks.length; at += PAGE)
    await post(access, `/blocks/${page.id}/children`, { children: blocks.slice(at, at + PAGE) }, 'PATCH');
  return page.url;
}
