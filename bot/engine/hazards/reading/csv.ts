/** Splits CSV into records by the rules of RFC 4180, and forgives ragged rows and stray quotes. Every field stays text. */
export function parseCsv(
  text: string,
  delimiter: string,
  maximumRecords = Number.POSITIVE_INFINITY,
  maximumFields = Number.POSITIVE_INFINITY,
): string[][] {
  const records: string[][] = [];
  const code = delimiter.charCodeAt(0);
  let record: string[] = [];
  let fields = 0;
  let at = 0;
  const { length } = text;
  while (at <= length && records.length < maximumRecords) {
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
    record.push(field);
    fields += 1;
    if (fields > maximumFields) return records.concat([record]);
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

function quotedField(text: string, start: number, delimiter: number): [field: string, next: number] {
  let field = '';
  let at = start;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [field + text.slice(at), text.length];
    field += text.slice(at, quote);
    const next = text.charCodeAt(quote + 1);
    if (next === 34) {
      field += '"';
      at = quote + 2;
      continue;
    }
    let end = quote + 1;
    while (end < text.length && text.charCodeAt(end) === 32) end += 1;
    const after = text.charCodeAt(end);
    if (end >= text.length || after === delimiter || after === 10 || after === 13) return [field, end];
    field += '"';
    at = quote + 1;
  }
}

const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that gives the most even table over the first records; null where all give one column. */
export function findDelimiter(text: string): string | null {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named) return named;
  const head = text.slice(0, 200_000);
  let best: { delimiter: string; score: number } | null = null;
  for (const delimiter of DELIMITERS) {
    const records = parseCsv(head, delimiter, 20).filter((record) => record.some((field) => field.trim()));
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

/** Records of a CSV file in any of the usual delimiters, up to so many fields; null where it has one column only. */
export function readCsv(text: string, maximumFields?: number): string[][] | null {
  const delimiter = findDelimiter(text);
  return delimiter === null ? null : parseCsv(text.replace(/^sep=.\r?\n/i, ''), delimiter, undefined, maximumFields);
}
