/** A list as rows of texts; the first is its head. */
export type Rows = string[][];

const DELIMITERS = [',', ';', '\t', '|'];

/** The text of a file in UTF-8, UTF-16 with a byte order mark, or else Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The delimiter that is most often in the first line, outside quotation marks; a comma where there is none. */
function delimiterOf(text: string): string {
  const [head = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => head.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The rows of a CSV text (RFC 4180, any of the usual delimiters), empty ones left out. Reads in one pass. */
export function readCsv(text: string): Rows {
  const plain = text.replace(/^\uFEFF/, '').replace(/^sep=.\r?\n/i, '');
  const delimiter = delimiterOf(plain);
  const rows: Rows = [];
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], '', false];
  const endRow = () => {
    row.push(cell.trim());
    if (row.some((value) => value !== '')) rows.push(row);
    [row, cell] = [[], ''];
  };
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain[at] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (plain[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') [cell, isQuoted] = ['', true];
    else if (sign === delimiter) {
      row.push(cell.trim());
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}
