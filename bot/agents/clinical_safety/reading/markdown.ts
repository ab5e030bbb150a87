import { HazardFileError } from '../errors.ts';
import type { ReadingBudget } from './readingBudget.ts';

/** A longer text with a table in Markdown is refused. Other texts of many lines are read as CSV. */
const MOST_LINES = 200_000;
/** A line of dashes has one of these. */
const DASHES = /--|:-|-:|\|[ \t]*-[ \t]*\|/;

/** Is it the line of dashes under the headings of a table? */
function isRule(line: string): boolean {
  if (!line.includes('|') || !DASHES.test(line)) return false;
  const whole = line.trim();
  const inner = whole.replace(/^\|/, '').replace(/\|$/, '');
  // Without bars at both ends a dash alone can be a blank field of a table that "|" parts.
  const isFramed = whole.startsWith('|') && whole.endsWith('|');
  const fits = (field: string) => /^(?::?-{2,}:?|:-:?|-:)$/.test(field) || (isFramed && field === '-');
  return inner.includes('|') && inner.split('|').every((field) => fits(field.trim()));
}

/**
 * Tables of a Markdown text, one grid of records each, the lines that they take, counted from 1, and the first line of
 * each.
 * @throws HazardFileError too_many_cells
 */
export function readMarkdownTables(
  text: string,
  budget: ReadingBudget,
): { tables: string[][][]; tableLines: ReadonlySet<number>; starts: readonly number[] } {
  const tableLines = new Set<number>();
  const starts: number[] = [];
  if (!DASHES.test(text)) return { tables: [], tableLines, starts };
  const tables: string[][][] = [];
  let table: string[][] | null = null;
  // A table that a blank line has cut: rows with as many fields continue it.
  let cut = null as string[][] | null;
  let above = '';
  const lines = text.split(/\r?\n/, MOST_LINES + 1);
  for (const [at, line] of lines.entries()) {
    if (!line.includes('|')) {
      cut = line.trim() ? null : (table ?? cut);
      table = null;
    } else if (table) {
      table.push(splitRow(line, budget));
      tableLines.add(at + 1);
    } else if (above.includes('|') && isRule(line)) {
      budget.spendTable();
      table = [splitRow(above, budget)];
      tables.push(table);
      starts.push(at);
      tableLines.add(at).add(at + 1);
    } else if (cut && !isRule(lines[at + 1] ?? '')) {
      const row = splitRow(line, budget);
      if (row.length === cut[0]?.length) {
        cut.push(row);
        table = cut;
        tableLines.add(at + 1);
      }
    }
    above = line;
  }
  if (tables.length > 0 && lines.length > MOST_LINES)
    throw new HazardFileError(
      'too_many_cells',
      `This file has a table in Markdown and more than ${MOST_LINES.toLocaleString('en-GB')} lines, more than one analysis reads. Save the hazard log on its own and try again.`,
    );
  return { tables, tableLines, starts };
}

function splitRow(line: string, budget: ReadingBudget): string[] {
  const fields: string[] = [];
  const whole = line.trim();
  let start = whole.startsWith('|') ? 1 : 0;
  for (let at = start; at <= whole.length; at += 1) {
    const next = whole.indexOf('|', at);
    at = next < 0 ? whole.length : next;
    if (at < whole.length && whole[at - 1] === '\\') continue;
    // The mark that closes the row begins no further field.
    if (at === whole.length && start === at && at > 0) break;
    budget.spendCells(1);
    fields.push(plainField(budget.spendText(whole.slice(start, at))));
    start = at + 1;
  }
  return fields;
}

const BREAK = /<br\s{0,9}\/?>/gi;
/** "*instead of*": one star on each side of words, and none of a product. */
const EMPHASISED = /(?<![\w*])\*([^\s*](?:[^*\n]{0,200}[^\s*])?)\*(?![\w*])/g;
const MARKS = /[\\<*_`\]]/;

/** A field without the marks of Markdown. */
export function plainField(field: string): string {
  if (!MARKS.test(field)) return field.trim();
  const text = withoutLinks(field.replaceAll('\\|', '|').replace(BREAK, '\n'));
  return text
    .replace(/\*\*|__|`/g, '')
    .replace(EMPHASISED, '$1')
    .trim();
}

/** "[words](address)" as "words". Reads from the left, each character once. */
function withoutLinks(text: string): string {
  let plain = '';
  let from = 0;
  for (let middle = text.indexOf(']('); middle >= 0; middle = text.indexOf('](', Math.max(from, middle + 1))) {
    const close = text.indexOf(')', middle);
    if (close < 0) break;
    const open = text.slice(from, middle).lastIndexOf('[');
    if (open < 0) continue;
    plain += text.slice(from, from + open) + text.slice(from + open + 1, middle);
    from = close + 1;
  }
  return plain + text.slice(from);
}
