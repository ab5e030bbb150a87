import { ownEntry } from '../../../../models/contracts/ownEntry.ts';
import type { ReadingBudget } from './readingBudget.ts';
import type { TextBlock } from './textBlocks.ts';

const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  pound: '£',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
};

/** Everything between "<" and the next ">" left out; what is never closed stays as text. */
function withoutTags(html: string): string {
  let text = '';
  let from = 0;
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', from)) {
    const close = html.indexOf('>', open);
    if (close < 0) break;
    text += html.slice(from, open);
    from = close + 1;
  }
  return text + html.slice(from);
}

const TASKS = /\btask-list\b/i;

function plainText(html: string): string {
  // An item of a task list that is not ticked.
  const marked = TASKS.test(html) ? html.replace(/<li(?![^>]{0,200}\bchecked\b)/gi, '☐ <li') : html;
  return withoutTags(marked.replace(/<br\s{0,9}\/?>|<\/p>|<\/div>|<\/li>/gi, '\n'))
    .replace(/&(#x[0-9a-f]{1,8}|#\d{1,9}|\w{1,32});/gi, (whole, name: string) => {
      if (name[0] !== '#') return ownEntry(ENTITIES, name.toLowerCase()) ?? whole;
      const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .trim();
}

const SPANS = {
  rowspan: /\browspan\s{0,9}=\s{0,9}["']?(\d{1,6})/i,
  colspan: /\bcolspan\s{0,9}=\s{0,9}["']?(\d{1,6})/i,
};
const MOST_SPANNED = 100;
/** Cost of parsing a row, as a number of cells. */
const COST_OF_ROW = 6;
/** Longest tag of a cell that is read, in characters. */
const LONGEST_TAG = 2000;

const spanOf = (tag: string, name: keyof typeof SPANS) =>
  tag.length < name.length ? 1 : Math.min(MOST_SPANNED, Math.max(1, Number(SPANS[name].exec(tag)?.[1] ?? 1)));

/** The rows of one table, from behind its "<table". */
function readTable(table: string, budget: ReadingBudget): string[][] {
  budget.spendTable();
  const records: string[][] = [];
  const body = upTo(table, TABLE_END);
  for (const [index, row] of body.split(/<tr\b/i).slice(1).entries()) {
    budget.spendCells(COST_OF_ROW);
    const record = records[index] ?? [];
    records[index] = record;
    let column = 0;
    for (const cell of row.split(/<t[dh](?=[\s>])/i).slice(1)) {
      while (record[column] !== undefined) column += 1;
      const cut = cell.indexOf('>');
      const tag = cell.slice(0, Math.min(Math.max(0, cut), LONGEST_TAG));
      const text = plainText(budget.spendText(upTo(cell.slice(cut + 1), /<\/t[dh]>/i)));
      const rows = spanOf(tag, 'rowspan');
      const columns = spanOf(tag, 'colspan');
      budget.spendCells(rows * columns);
      for (let down = 0; down < rows; down += 1) {
        const target = records[index + down] ?? [];
        records[index + down] = target;
        for (let right = 0; right < columns; right += 1) target[column + right] = right === 0 ? text : '';
      }
      column += columns;
    }
  }
  return records.map((record) => Array.from(record, (field) => field ?? ''));
}

const TABLE_END = /<\/table>/i;

/** Elements whose text is not shown. */
const HIDDEN = ['script', 'style', 'head'];

/** Leaves out what is between the tags of hidden elements; one that is never closed stays. */
function withoutHidden(html: string): string {
  let plain = html;
  for (const name of HIDDEN) {
    let text = '';
    let from = 0;
    const lower = plain.toLowerCase();
    for (let open = lower.indexOf(`<${name}`); open >= 0; open = lower.indexOf(`<${name}`, from)) {
      const end = lower.indexOf(`</${name}>`, open);
      // "<header>" begins like "<head>".
      const isOther = /[a-z]/.test(lower[open + name.length + 1] ?? '');
      if (end < 0 && !isOther) break;
      text += plain.slice(from, isOther ? open + name.length + 1 : open);
      from = isOther ? open + name.length + 1 : end + name.length + 3;
    }
    plain = text + plain.slice(from);
  }
  return plain;
}

/** Paragraphs outside of tables; a heading as one. */
function readProse(html: string, budget: ReadingBudget): TextBlock[] {
  return html
    .split(/(?=<h[1-6][\s>])|(?<=<\/h[1-6]>)|<br\s{0,9}\/?>|<\/(?:p|div|li|tr|caption)>/i)
    .flatMap((part): TextBlock[] => {
      budget.spendWork(1);
      const level = /^\s{0,99}<h([1-6])[\s>]/i.exec(part)?.[1];
      const text = plainText(budget.spendText(part));
      if (!text) return [];
      budget.spendCells(1);
      return [{ heading: level ? Number(level) : null, text }];
    });
}

/**
 * The tables of a web page and the paragraphs outside of them, in their order. Many ticket trackers write such a page
 * under a spreadsheet's name.
 * @throws HazardFileError too_many_cells
 */
export function readHtmlBlocks(html: string, budget: ReadingBudget): TextBlock[] {
  const [before = '', ...tables] = withoutHidden(html).split(/<table\b/i);
  return [
    ...readProse(before, budget),
    ...tables.flatMap((table): TextBlock[] => {
      const end = table.search(TABLE_END);
      const after = end < 0 ? '' : table.slice(end + '</table>'.length);
      return [{ table: readTable(table, budget) }, ...readProse(after, budget)];
    }),
  ];
}

/** The text before the first match; all of it where there is none. */
function upTo(text: string, end: RegExp): string {
  const at = text.search(end);
  return at < 0 ? text : text.slice(0, at);
}
