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

function plainText(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/p>|<\/div>|<\/li>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
      if (name[0] !== '#') return ENTITIES[name.toLowerCase()] ?? whole;
      const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    })
    .trim();
}

const span = (tag: string, name: string) =>
  Math.min(100, Math.max(1, Number(new RegExp(`${name}\\s*=\\s*["']?(\\d+)`, 'i').exec(tag)?.[1] ?? 1)));

/** Tables of a web page saved under a spreadsheet's name: what many ticket trackers call "Excel". */
export function readHtmlTables(html: string): string[][][] {
  const tables: string[][][] = [];
  for (const table of html.split(/<table\b/i).slice(1)) {
    const records: string[][] = [];
    const body = table.split(/<\/table>/i)[0] ?? '';
    for (const [index, row] of body.split(/<tr\b/i).slice(1).entries()) {
      const record = records[index] ?? [];
      records[index] = record;
      let column = 0;
      for (const cell of row.split(/<t[dh](?=[\s>])/i).slice(1)) {
        while (record[column] !== undefined) column += 1;
        const cut = cell.indexOf('>');
        const tag = cell.slice(0, cut);
        const text = plainText(cell.slice(cut + 1).split(/<\/t[dh]>/i)[0] ?? '');
        for (let down = 0; down < span(tag, 'rowspan'); down += 1) {
          const target = records[index + down] ?? [];
          records[index + down] = target;
          for (let right = 0; right < span(tag, 'colspan'); right += 1)
            target[column + right] = right === 0 ? text : '';
        }
        column += span(tag, 'colspan');
      }
    }
    tables.push(records.map((record) => Array.from(record, (field) => field ?? '')));
  }
  return tables;
}
