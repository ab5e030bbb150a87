import type { ReadingBudget } from './readingBudget.ts';

/** Splits CSV into records by the rules of RFC 4180, and forgives ragged rows and stray quotes. Every field stays text. */
export function parseCsv(
  text: string,
  delimiter: string,
  maximumRecords = Number.POSITIVE_INFINITY,
  budget?: ReadingBudget,
): string[][] {
  const records: string[][] = [];
  const code = delimiter.charCodeAt(0);
  let record: string[] = [];
  let at = 0;
  const { length } = text;
  while (records.length < maximumRecords) {
    let field: string;
    let start = at;
    while (text.charCodeAt(start) === 32) start += 1;
    if (text.charCodeAt(start) === 34) {
      [field, at] = quotedField(text, start + 1, code);
    } else {
      let end = at;
      for (
        let character = text.charCodeAt(end);
        end < length && character !== code && character !== 10 && character !== 13;
      ) {
        end += 1;
        character = text.charCodeAt(end);
      }
      field = text.slice(at, end);
      at = end;
    }
    budget?.spendCells(1);
    budget?.spendText(field);
    record.push(field);
    if (at >= length) {
      records.push(record);
      break;
    }
    if (text.charCodeAt(at) === code) {
      at += 1;
      continue;
    }
    at += text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1;
    records.push(record);
    record = [];
    if (at >= length) break;
  }
  return records;
}

/** From behind the opening quote to the one that closes the field; stray quotes inside stay as they are. */
function quotedField(text: string, start: number, delimiter: number): [field: string, next: number] {
  const unquoted = (end: number) => text.slice(start, end).replaceAll('""', '"');
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [unquoted(text.length), text.length];
    if (text.charCodeAt(quote + 1) === 34) {
      at = quote + 2;
      continue;
    }
    let end = quote + 1;
    while (end < text.length && text.charCodeAt(end) === 32) end += 1;
    const after = text.charCodeAt(end);
    if (end >= text.length || after === delimiter || after === 10 || after === 13) return [unquoted(quote), end];
    at = end;
  }
}

const DELIMITERS = [',', ';', '\t', '|'];
/** The delimiter is detected in this many characters and records. */
const HEAD = 200_000;
const HEAD_RECORDS = 20;

/** The first records that are not blank. */
const headRecords = (text: string, delimiter: string) =>
  parseCsv(text.slice(0, HEAD), delimiter, HEAD_RECORDS).filter((record) => record.some((field) => field.trim()));

/** The delimiter that gives the most even table over the first records; null where all give one column. */
export function findDelimiter(text: string): string | null {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named) return named;
  let best: { delimiter: string; score: number } | null = null;
  for (const delimiter of DELIMITERS) {
    const records = headRecords(text, delimiter);
    const counts = new Map<number, number>();
    for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
    const [columns = 1, share = 0] =
      [...counts].filter(([size]) => size > 1).sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [];
    if (columns < 2) continue;
    const score = (share / records.length) * (1 + Math.log2(columns));
    if (!best || score > best.score) best = { delimiter, score };
  }
  return best?.delimiter ?? null;
}

const OF_MARKDOWN = /^\s*(?:#|>|[-*+] )|\|/;

/**
 * Whether a text begins with a heading row that half of its first records are as long as. Tables in Markdown below it
 * stand in fields: a ticket's description may hold one.
 */
export function beginsAsCsv(text: string): boolean {
  const delimiter = findDelimiter(text);
  if (delimiter === null || delimiter === '|') return false;
  const records = headRecords(text, delimiter);
  const width = records[0]?.length ?? 0;
  if (width < 2 || records[0]?.some((field) => OF_MARKDOWN.test(field))) return false;
  return records.filter(({ length }) => length === width).length * 2 > records.length;
}

/**
 * Records of a CSV file in any of the usual delimiters; null where it has one column only.
 * @throws HazardFileError too_many_cells
 */
export function readCsv(text: string, budget: ReadingBudget): string[][] | null {
  const delimiter = findDelimiter(text);
  return delimiter === null ? null : parseCsv(text.replace(/^sep=.\r?\n/i, ''), delimiter, undefined, budget);
}
