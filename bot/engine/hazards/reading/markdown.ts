const RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)+\|?\s*$/;

/** Tables of a Markdown text, one grid of records each. */
export function readMarkdownTables(text: string): string[][][] {
  const lines = text.split(/\r?\n/);
  const tables: string[][][] = [];
  for (let at = 1; at < lines.length; at += 1) {
    if (!RULE.test(lines[at] ?? '') || !(lines[at - 1] ?? '').includes('|')) continue;
    const records = [splitRow(lines[at - 1] ?? '')];
    for (at += 1; at < lines.length && (lines[at] ?? '').includes('|'); at += 1)
      records.push(splitRow(lines[at] ?? ''));
    tables.push(records);
  }
  return tables;
}

function splitRow(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((field) =>
    field
      .replaceAll('\\|', '|')
      .replace(/<br\s*\/?>/gi, '\n')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/\*\*|__|`/g, '')
      .trim(),
  );
}
