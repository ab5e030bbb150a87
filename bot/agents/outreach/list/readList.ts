import { type OptOut, personOf, readAddress } from '../optOuts/address.ts';
import type { Rows } from './readCsv.ts';

/** The columns that are read, each by words of its heading. */
const HEADINGS = {
  optedIn: /\b(?:opt(?:ed)?[-_ ]?in|subscribed|marketing[-_ ]consent)\b/i,
  optedOut: /opt(?:ed)?[-_ ]?out|unsubscri|do[-_ ]not[-_ ](?:contact|e-?mail|mail|call)|suppress|no[-_ ]contact/i,
  email: /\be-?mail\b|^mail$|\bmail[-_ ]?address\b/i,
  first: /\b(?:first|given|fore)[-_ ]?name\b/i,
  last: /\b(?:last|family|sur)[-_ ]?name\b/i,
  company: /\b(?:company|organi[sz]ation|employer|account|practice|trust|hospital|business)\b/i,
  role: /\b(?:role|job[-_ ]?title|position|job)\b/i,
  opening: /\b(?:opening|opener|first[-_ ]line|icebreaker|personal[-_ ]line)\b/i,
  name: /^(?:(?:full|contact)[-_ ]?)?name$|^contact(?: person)?$|^person$/i,
} as const;
type ColumnName = keyof typeof HEADINGS;

/** The number of each column that was found, from 0. */
export type Columns = Partial<Record<ColumnName, number>>;

/** Somebody to write to. Numbers of rows count the head as row 1. */
export type Prospect = {
  row: number;
  address: string;
  /** "Dear Jo": null where the list gives no name to greet by. */
  greeting: string | null;
  /** The name as the list has it; empty where it has none. */
  name: string;
  company: string;
  role: string;
  /** A first line for this person; empty where the list has none. */
  opening: string;
};

/** A row that gets no draft. */
export type LeftOut = { row: number; reason: 'opted out' | 'no address' | 'not an address' | 'twice' };

type ReadList = { columns: Columns; prospects: Prospect[]; leftOut: LeftOut[]; optOuts: OptOut[] };

/** The columns by their headings; the addresses, where no heading names them, by what most cells hold. */
export function findColumns([head = [], ...rows]: Rows): Columns {
  const columns: Columns = {};
  for (const [at, heading] of head.entries()) {
    const found = (Object.keys(HEADINGS) as ColumnName[]).find(
      (name) => columns[name] === undefined && HEADINGS[name].test(heading.trim()),
    );
    if (found) columns[found] = at;
  }
  if (columns.email === undefined) {
    const at = head.findIndex((_, column) => {
      const cells = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
      return cells.length > 0 && cells.filter((cell) => readAddress(cell) !== null).length * 2 > cells.length;
    });
    if (at !== -1) columns.email = at;
  }
  return columns;
}

const NO = /^(?:|0|no|n|false|nein|non|-|–|none|never|not opted out|subscribed|active)$/i;
/** What stands in a cell of somebody who opted out, whatever its column is called: “Status” is common. */
const SAYS_OUT = /^(?:unsubscribed|opted[- ]?out|opt[- ]?out|do[- ]not[- ](?:contact|e-?mail|mail|call)|suppressed)$/i;
const SAYS_NO = /^(?:0|no|n|false)$/i;
const HONORIFIC = /^((?:dr|prof|mr|mrs|ms|miss|sir|dame|rev)\.?)\s+(?:\S+\s+)*(\S+)$/i;
const LETTERS = /\p{L}/u;

/** How to greet somebody; null where there is no name to greet by. */
function greetingOf(first: string, name: string): string | null {
  const [, title, last] = HONORIFIC.exec(name) ?? [];
  if (title && last) return `Dear ${title} ${last}`;
  const [, after] = /^[^,]+,\s*(\S+)/.exec(name) ?? [];
  const given = first || after || name.split(/\s+/)[0] || '';
  return LETTERS.test(given) && !/[=<>{}@|]/.test(given) ? `Dear ${given}` : null;
}

/**
 * Reads a list of people. Who opted out, by the list's own column or by an opt-out given, is in no prospect.
 * @param isOut tells who opted out elsewhere
 */
export function readList(rows: Rows, columns: Columns, isOut: (address: string) => boolean): ReadList {
  const prospects: Prospect[] = [];
  const leftOut: LeftOut[] = [];
  const optOuts: OptOut[] = [];
  const known = new Set<string>();
  // The column is read for the whole list first: who is in it twice is out once.
  const read = rows.slice(1).map((cells, at) => {
    const value = (name: ColumnName) => (columns[name] === undefined ? '' : (cells[columns[name]] ?? ''));
    const address = readAddress(value('email'));
    const isNamed = !NO.test(value('optedOut').trim()) || SAYS_NO.test(value('optedIn').trim());
    const isOptedOut = isNamed || cells.some((cell) => SAYS_OUT.test(cell.trim()));
    if (address && isOptedOut) optOuts.push({ kind: 'person', value: personOf(address) });
    return { row: at + 2, value, address };
  });
  const own = new Set(optOuts.map(({ value }) => value));
  for (const { row, value, address } of read) {
    if (value('email') === '') leftOut.push({ row, reason: 'no address' });
    else if (!address) leftOut.push({ row, reason: 'not an address' });
    else if (own.has(personOf(address)) || isOut(address)) leftOut.push({ row, reason: 'opted out' });
    else if (known.has(personOf(address))) leftOut.push({ row, reason: 'twice' });
    else {
      known.add(personOf(address));
      const name = value('name') || [value('first'), value('last')].filter(Boolean).join(' ');
      const greeting =
        columns.first !== undefined && value('first') === '' && value('name') === ''
          ? null
          : greetingOf(value('first'), name);
      prospects.push({
        ...{ row, address, greeting, name },
        company: value('company'),
        role: value('role'),
        opening: value('opening'),
      });
    }
  }
  return { columns, prospects, leftOut, optOuts };
}
