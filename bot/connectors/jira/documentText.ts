/** A node of the Atlassian Document Format (https://developer.atlassian.com/cloud/jira/platform/apis/document/structure). */
export type DocumentNode = {
  type?: string;
  text?: string;
  attrs?: { text?: string; shortName?: string; url?: string };
  content?: DocumentNode[];
};

/** Nodes that end a line. */
const LINES = new Set([
  'paragraph',
  'heading',
  'codeBlock',
  'tableRow',
  'rule',
  'blockCard',
  'taskItem',
  'decisionItem',
]);
/** Deeper nodes are left out: Jira writes some ten levels at most. */
const MAX_DEPTH = 40;

function write(node: DocumentNode, parts: string[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  const { type = '', text, attrs, content = [] } = node;
  if (type === 'listItem') parts.push('- ');
  if (type === 'hardBreak') parts.push('\n');
  if (type === 'text') parts.push(text ?? '');
  else if (attrs) parts.push(attrs.text ?? attrs.shortName ?? attrs.url ?? '');
  for (const child of content) write(child, parts, depth + 1);
  if (LINES.has(type)) parts.push('\n');
  if (type === 'tableCell' || type === 'tableHeader') parts.push('\t');
}

/** The text of a document, one line for each paragraph; empty where there is none. */
export function documentText(document: DocumentNode | null | undefined): string {
  if (!document) return '';
  const parts: string[] = [];
  write(document, parts, 0);
  return parts
    .join('')
    .replace(/\n\t/g, '\t')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
