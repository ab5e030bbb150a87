import { Parser } from 'htmlparser2';

/** Elements whose text is none of the page's. */
const SILENT = new Set(['ac:task-id', 'ac:task-uuid', 'ac:placeholder', 'ac:adf-attribute', 'ac:adf-fallback']);
/** Macros that say nothing of their own. */
const SILENT_MACROS = new Set(['toc', 'anchor', 'toc-zone', 'children', 'pagetree']);
/** Elements after which a paragraph ends. */
const BLOCKS = new Set(['p', 'div', 'blockquote', 'ac:task-list', 'table', 'ac:layout-cell', 'pre']);

/** Deeper lists are written as if they were so deep. */
const MAX_INDENT = 20;
/** Elements in one another; a page that has more ends there. */
const MAX_DEPTH = 300;
const MAX_CHARACTERS = 2_000_000;
const CUT = '\n\n[The rest of this page was not read: it is too long or too deep.]';

type Attributes = Record<string, string>;
type Macro = { name: string; parameters: Record<string, string>; hasBody: boolean };

/** What stands for an element without text: dates, emoticons, lines, and names of what is linked to. */
function wordOf(name: string, attributes: Attributes): string | null {
  if (name === 'time') return attributes.datetime ?? '';
  if (name === 'ac:emoticon') return attributes['ac:emoji-fallback'] ?? '';
  if (name === 'ri:page') return attributes['ri:content-title'] ?? '';
  if (name === 'ri:attachment') return attributes['ri:filename'] ?? '';
  return null;
}

/** What a macro without a body says: its content is elsewhere, so that it is named. */
function wordOfMacro({ name, parameters }: Macro): string {
  if (SILENT_MACROS.has(name)) return '';
  if (name === 'status') return parameters.title ?? '';
  const about = parameters.key ?? parameters.title ?? parameters.name ?? '';
  return `[${name}${about === '' ? '' : `: ${about}`}]`;
}

/**
 * The text of a page in Confluence's storage format as Markdown
 * (https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html). What stands elsewhere, such as
 * pictures and lists of tickets, is named in brackets.
 */
export function storageToText(storage: string): string {
  const parts: string[] = [];
  const lists: { isOrdered: boolean; count: number }[] = [];
  const macros: Macro[] = [];
  /** Where the texts of open links and images begin. */
  const begun: { name: string; at: number; word: string }[] = [];
  let parameter: string | null = null;
  let isTaskDone: string | null = null;
  let silent = 0;
  let cells = 0;
  let depth = 0;
  let isCut = storage.length > MAX_CHARACTERS;
  let raw = 0;

  const say = (text: string) => {
    parts.push(text);
  };
  const endBlock = () => say(cells > 0 || lists.length > 0 ? ' ' : '\n\n');

  function beginItem() {
    const list = lists.at(-1);
    if (list) list.count += 1;
    const indent = '  '.repeat(Math.min(MAX_INDENT, Math.max(0, lists.length - 1)));
    say(`${cells > 0 ? ' ' : '\n'}${indent}${list?.isOrdered ? `${list.count}.` : '-'} `);
  }

  function open(name: string, attributes: Attributes) {
    depth += 1;
    if (depth > MAX_DEPTH) {
      isCut = true;
      parser.pause();
      return;
    }
    if (SILENT.has(name)) silent += 1;
    else if (/^h[1-6]$/.test(name)) say(cells > 0 ? ' ' : `\n\n${'#'.repeat(Number(name[1]))} `);
    else if (name === 'ul' || name === 'ol') lists.push({ isOrdered: name === 'ol', count: 0 });
    else if (name === 'li') beginItem();
    else if (name === 'br') say(cells > 0 || lists.length > 0 ? ' ' : '\n');
    else if (name === 'hr') say('\n\n---\n\n');
    else if (name === 'tr') say(cells > 0 ? ' ' : '\n|');
    else if (name === 'td' || name === 'th') {
      cells += 1;
      say(' ');
    } else if (name === 'pre') raw += 1;
    else if (name === 'ac:task-status') isTaskDone = '';
    else if (name === 'ac:parameter') parameter = attributes['ac:name'] ?? '';
    else if (name === 'ac:structured-macro')
      macros.push({ name: attributes['ac:name'] ?? 'macro', parameters: {}, hasBody: false });
    else if (name === 'ac:rich-text-body' || name === 'ac:plain-text-body') beginBody(name);
    else if (name === 'ac:link' || name === 'ac:image')
      begun.push({ name, at: parts.length, word: attributes['ac:alt'] ?? '' });
    const word = wordOf(name, attributes);
    if (word === null) return;
    const holder = begun.at(-1);
    // The name of what is linked to counts where the link has no text of its own.
    if (holder) holder.word ||= word;
    else say(word);
  }

  function beginBody(name: string) {
    const macro = macros.at(-1);
    if (macro) macro.hasBody = true;
    if (macro?.parameters.title) say(`\n\n${macro.parameters.title}\n\n`);
    if (name !== 'ac:plain-text-body') return;
    raw += 1;
    say('\n\n```\n');
  }

  function endHolder() {
    const holder = begun.pop();
    if (!holder) return;
    const text = parts.slice(holder.at).join('').trim();
    if (holder.name === 'ac:image') {
      parts.length = holder.at;
      say(`[image${holder.word || text ? `: ${holder.word || text}` : ''}]`);
    } else if (text === '') say(holder.word);
  }

  function close(name: string) {
    depth -= 1;
    if (SILENT.has(name)) silent -= 1;
    else if (/^h[1-6]$/.test(name) || BLOCKS.has(name)) {
      if (name === 'pre') raw -= 1;
      endBlock();
    } else if (name === 'ul' || name === 'ol') {
      lists.pop();
      if (lists.length === 0) endBlock();
    } else if (name === 'td' || name === 'th') {
      cells -= 1;
      say(cells > 0 ? ' ' : ' |');
    } else if (name === 'ac:task-status') {
      say(`\n- [${isTaskDone === 'complete' ? 'x' : ' '}] `);
      isTaskDone = null;
    } else if (name === 'ac:parameter') parameter = null;
    else if (name === 'ac:plain-text-body') {
      raw -= 1;
      say('\n```\n\n');
    } else if (name === 'ac:structured-macro') {
      const macro = macros.pop();
      if (macro && !macro.hasBody) say(wordOfMacro(macro));
    } else if (name === 'ac:link' || name === 'ac:image') endHolder();
  }

  function hear(text: string) {
    const macro = macros.at(-1);
    if (silent > 0) return;
    if (isTaskDone !== null) isTaskDone += text.trim();
    else if (parameter !== null && macro) macro.parameters[parameter] = (macro.parameters[parameter] ?? '') + text;
    else say(raw > 0 ? text : text.replace(/\s+/g, ' '));
  }

  const options = { recognizeSelfClosing: true, recognizeCDATA: true, decodeEntities: true };
  const parser = new Parser({ onopentag: open, ontext: hear, onclosetag: close }, options);
  parser.write(storage.slice(0, MAX_CHARACTERS));
  parser.end();
  return tidy(parts.join('')) + (isCut ? CUT : '');
}

/** Lines without spaces at their ends, and one empty line between paragraphs. */
function tidy(text: string): string {
  const lines = text.replaceAll('\u00a0', ' ').split('\n');
  const tidied = lines.map((line) => (line.startsWith('|') ? line.replace(/ {2,}/g, ' ') : line).trimEnd());
  return tidied
    .map((line) => (/^ \S/.test(line) ? line.slice(1) : line))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
