/** A piece of text with one format (https://developers.notion.com/reference/rich-text). */
export type RichText = { plain_text: string; href?: string | null };

/** What of a block's own part is read. */
type Content = {
  rich_text?: RichText[];
  caption?: RichText[];
  checked?: boolean;
  cells?: RichText[][];
  expression?: string;
  title?: string;
  url?: string;
};

/** A block as Notion gives it (https://developers.notion.com/reference/block); `children` are read apart. */
export type Block = { id: string; type: string; has_children?: boolean; children?: Block[] } & Record<string, unknown>;

const plain = (texts: readonly RichText[] = []): string => texts.map(({ plain_text }) => plain_text).join('');

/** What stands before the text of a block. */
const MARKS: Record<string, string> = {
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  heading_4: '#### ',
  bulleted_list_item: '- ',
  toggle: '- ',
  quote: '> ',
};

/** Blocks that only hold others. */
const FRAMES = new Set(['column_list', 'column', 'synced_block', 'table', 'tab', 'tabs']);
/** Blocks that say nothing of their own. */
const SILENT = new Set(['table_of_contents', 'breadcrumb', 'template']);

/** The line of a block, without what is in it; null where it has none. */
function lineOf({ type, ...block }: Block, number: number): string | null {
  const content = (block[type as keyof typeof block] ?? {}) as Content;
  const text = plain(content.rich_text);
  if (FRAMES.has(type) || SILENT.has(type)) return null;
  if (type === 'numbered_list_item') return `${number}. ${text}`;
  if (type === 'to_do') return `- [${content.checked ? 'x' : ' '}] ${text}`;
  if (type === 'table_row') return `| ${(content.cells ?? []).map(plain).join(' | ')} |`;
  if (type === 'code') return `\`\`\`\n${text}\n\`\`\``;
  if (type === 'divider') return '---';
  if (type === 'equation') return content.expression ?? '';
  if (type === 'child_page' || type === 'child_database') return `[${content.title ?? 'Untitled'}]`;
  if (content.rich_text) return (MARKS[type] ?? '') + text;
  // Pictures, files, links and what Notion's interface gives no content of: said, so that nobody takes it for nothing.
  const about = plain(content.caption) || content.url || '';
  return `[${type.replaceAll('_', ' ')}${about ? `: ${about}` : ''}]`;
}

const isItem = (type: string) => /_item$|^to_do$|^toggle$/.test(type);

function write(blocks: readonly Block[], indent: string, lines: string[]): void {
  let number = 0;
  let before = '';
  for (const block of blocks) {
    number = block.type === 'numbered_list_item' ? number + 1 : 0;
    const line = lineOf(block, number);
    const isClose = isItem(block.type) || block.type === 'table_row';
    if (line !== null) {
      if (lines.length > 0 && !(isClose && (before === block.type || indent !== ''))) lines.push('');
      lines.push(...line.split('\n').map((one) => (one === '' ? '' : indent + one)));
    }
    before = block.type;
    write(block.children ?? [], isItem(block.type) ? `${indent}  ` : indent, lines);
  }
}

/** The text of blocks as Markdown. */
export function blocksToText(blocks: readonly Block[]): string {
  const lines: string[] = [];
  write(blocks, '', lines);
  return lines.join('\n');
}
