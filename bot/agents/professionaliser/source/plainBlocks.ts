import { marked, type Token, type Tokens } from 'marked';

/** A piece of text of a plain document. */
export type PlainRun = { text: string; bold: boolean };

/** A block of a plain document, as it becomes a paragraph or a table. */
export type PlainBlock =
  | { kind: 'heading'; level: number; runs: PlainRun[] }
  | { kind: 'text'; runs: PlainRun[] }
  | { kind: 'item'; marker: string; depth: number; runs: PlainRun[] }
  | { kind: 'table'; rows: PlainRun[][][] };

const plain = (text: string): PlainRun[] => [{ text, bold: false }];

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };
const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => NAMED[name] ?? whole);

function runsOf(tokens: readonly Token[], bold = false): PlainRun[] {
  return tokens.flatMap((token): PlainRun[] => {
    switch (token.type) {
      case 'strong':
        return runsOf((token as Tokens.Strong).tokens, true);
      case 'link': {
        const { href, tokens: inner, text } = token as Tokens.Link;
        // The address is a fact of the document too.
        return [...runsOf(inner, bold), ...(href && href !== text ? [{ text: ` (${href})`, bold }] : [])];
      }
      case 'image': {
        const { href, text } = token as Tokens.Image;
        return [{ text: `[Picture: ${[text, href].filter(Boolean).join(', ')}]`, bold }];
      }
      case 'br':
        return [{ text: '\n', bold }];
      case 'codespan':
        return [{ text: (token as Tokens.Codespan).text, bold }];
      default: {
        const inner = (token as Tokens.Generic).tokens;
        return inner ? runsOf(inner, bold) : [{ text: decode((token as Tokens.Text).text ?? token.raw), bold }];
      }
    }
  });
}

function itemsOf(list: Tokens.List, depth: number): PlainBlock[] {
  return list.items.flatMap((item, at) => {
    const inner = item.tokens.filter((token) => token.type !== 'list');
    const marker = list.ordered ? `${Number(list.start || 1) + at}.` : '•';
    const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
    const runs = runsOf(inner.filter(({ type }) => type !== 'checkbox'));
    return [
      { kind: 'item' as const, marker, depth, runs: box ? [{ text: box, bold: false }, ...runs] : runs },
      ...item.tokens.flatMap((token) => (token.type === 'list' ? itemsOf(token as Tokens.List, depth + 1) : [])),
    ];
  });
}

/** Facts in lines between two rules at the start of a file, as editors and generators of sites write them. */
const FRONT = /^---\n([\s\S]{0,4000}?)\n---(?:\n|$)/;

/** The blocks of a Markdown text. */
export function markdownBlocks(text: string): PlainBlock[] {
  const [whole = '', front = ''] = FRONT.exec(text) ?? [];
  const lines = front.split('\n').filter((line) => line.trim() !== '');
  return [
    ...lines.map((line): PlainBlock => ({ kind: 'text', runs: plain(line) })),
    ...blocksOf(text.slice(whole.length)),
  ];
}

function blocksOf(text: string): PlainBlock[] {
  return marked.lexer(text).flatMap((token): PlainBlock[] => {
    switch (token.type) {
      case 'heading': {
        const { depth, tokens } = token as Tokens.Heading;
        return [{ kind: 'heading', level: depth - 1, runs: runsOf(tokens) }];
      }
      case 'list':
        return itemsOf(token as Tokens.List, 0);
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [
          {
            kind: 'table',
            rows: [
              header.map((cell) => runsOf(cell.tokens, true)),
              ...rows.map((row) => row.map((cell) => runsOf(cell.tokens))),
            ],
          },
        ];
      }
      case 'space':
      case 'hr':
      case 'def':
        return [];
      case 'blockquote':
        return blocksOf((token as Tokens.Blockquote).text);
      case 'paragraph':
        return [{ kind: 'text', runs: runsOf((token as Tokens.Paragraph).tokens) }];
      default:
        return token.raw.trim() === ''
          ? []
          : token.raw
              .trimEnd()
              .split('\n')
              .map((line) => ({ kind: 'text', runs: plain(line) }));
    }
  });
}

/** Lines that wrap are at least so long. */
const WRAPPED = 60;
const ITEM = /^(\s*)([•*–-]|\(?[a-z0-9]{1,2}[.)])\s+(?=\S)/i;
const NUMBERED = /^\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s/;

const isWrapped = (lines: readonly string[]): boolean =>
  lines.length > 1 &&
  lines.slice(0, -1).every((line) => line.length >= WRAPPED) &&
  !lines.some((line) => ITEM.test(line) || NUMBERED.test(line) || /^[^.]{1,40}:\s/.test(line));

/** The blocks of a text without markup: a line each; lines that an editor wrapped are one. */
export function textBlocks(text: string): PlainBlock[] {
  return text.split(/\n[ \t]*(?:\n[ \t]*)+/).flatMap((group): PlainBlock[] => {
    const lines = group.split('\n').filter((line) => line.trim() !== '');
    if (isWrapped(lines)) return [{ kind: 'text', runs: plain(lines.map((line) => line.trim()).join(' ')) }];
    return lines.map((line): PlainBlock => {
      const bullet = /^(\s*)[•*–-]\s+(?=\S)/.exec(line);
      if (!bullet) return { kind: 'text', runs: plain(line.trimEnd()) };
      const depth = (bullet[1] ?? '').length >= 2 ? 1 : 0;
      return { kind: 'item', marker: '•', depth, runs: plain(line.slice(bullet[0].length).trimEnd()) };
    });
  });
}

/** Whether a text without a name is Markdown, by its marks. */
export const looksLikeMarkdown = (text: string): boolean =>
  /^#{1,6}\s\S/m.test(text) || /\*\*\S[^*\n]*\*\*/.test(text) || /^\|.*\|\s*$\n^\|[\s:|-]+\|\s*$/m.test(text);
