import { readFileSync } from 'node:fs';

export const ROWS_FILE = 'docs/spec-coverage.rows';

/** One requirement; a tag in a test names its id. */
export interface Row {
  id: string;
  /** The other cells of its row, as the page shows them. */
  cells: string[];
  /** Why no test is needed: the work is in preparation, or a decision says otherwise. `null`: a test is needed. */
  excuse: string | null;
}

/** A page of the app, with one row for each of its states. */
export interface PageRow {
  address: string;
  cells: string[];
  states: Row[];
}

export interface Rows {
  S1: Row[];
  S2: Row[];
  'Every page': Row[];
  'The states of every page': PageRow[];
  'Every call, together': Row[];
  'Every call': Row[];
}

export const STATES = ['signed out', 'loading', 'empty', 'error', 'no permission'];
const EXCUSE = /^(in preparation|decided otherwise: \d{3})$/;

/** Reads the rows: one per line, cells divided by ` | `, under the heading of their table. */
export function parseRows(text: string): Rows {
  const linesOf = (heading: keyof Rows) => {
    const [, part = ''] = text.split(`\n## ${heading}\n`);
    const lines = part.split('\n## ')[0]?.split('\n') ?? [];
    return lines.filter((line) => line.includes(' | ')).map((line) => line.split('|').map((cell) => cell.trim()));
  };
  const rowsOf = (heading: keyof Rows): Row[] =>
    linesOf(heading).map(([id = '', ...cells]) => {
      const excuse = EXCUSE.test(cells.at(-1) ?? '') ? (cells.pop() ?? null) : null;
      return { id, cells, excuse };
    });
  const pages = linesOf('The states of every page').map(([address = '', page = '', where = '', ...states]): PageRow => {
    const rows = STATES.map((state, at) => {
      const [, none] = /^\((.+)\)$/.exec(states[at] ?? '') ?? [];
      return { id: `${address} ${state}`, cells: none ? [] : [states[at] ?? ''], excuse: none ?? null };
    });
    return { address, cells: [page, where], states: rows };
  });
  return {
    S1: rowsOf('S1'),
    S2: rowsOf('S2'),
    'Every page': rowsOf('Every page'),
    'The states of every page': pages,
    'Every call, together': rowsOf('Every call, together'),
    'Every call': rowsOf('Every call'),
  };
}

/** The rows of all tables. */
export function allRows(rows: Rows): Row[] {
  const { 'The states of every page': pages, ...tables } = rows;
  return [...Object.values(tables).flat(), ...pages.flatMap(({ states }) => states)];
}

export const readRows = (): Rows => parseRows(readFileSync(ROWS_FILE, 'utf8'));
