/** A piece of a line. `gap` is a place that only a person can fill; it is highlighted and counted. */
export type WordRun = string | { text: string; bold?: boolean; gap?: boolean };

/** The lines of a cell. `fill` is a background as six hexadecimal digits; its text must stay readable on it. */
export type WordCell = string | { lines: readonly (readonly WordRun[])[]; fill?: string; isCentred?: boolean };

export type WordTable = {
  kind: 'table';
  caption: string;
  head: readonly string[];
  rows: readonly (readonly WordCell[])[];
  /** Relative widths of the columns. */
  widths: readonly number[];
  /** Whether the first cell of each row is a heading of its row. */
  hasRowHeads?: boolean;
  /** The share of the page's width that it takes; all of it by default. */
  share?: number;
};

export type WordBlock =
  | { kind: 'heading'; level: 1 | 2; text: string }
  | { kind: 'text'; runs: readonly WordRun[] }
  | { kind: 'list'; items: readonly (readonly WordRun[])[] }
  | WordTable;

/** A Word document: a cover, a table of contents, and parts that are upright or turned. */
export type WordDocument = {
  title: string;
  /** What it is of, under the title. */
  subtitle: string;
  /** State of the document, e.g. "Draft, not approved": on the cover and in the header of each page. */
  state: string;
  /** Facts on the cover, each with its label. */
  cover: readonly { label: string; runs: readonly WordRun[] }[];
  /** The line at the foot of each page, before the page's number. */
  footer: string;
  author: string;
  parts: readonly { isLandscape: boolean; blocks: readonly WordBlock[] }[];
};

const gapsIn = (runs: readonly WordRun[]): number =>
  runs.filter((run) => typeof run !== 'string' && run.gap === true).length;

function gapsOf(block: WordBlock): number {
  const sum = (lines: readonly (readonly WordRun[])[]) => lines.reduce((total, runs) => total + gapsIn(runs), 0);
  switch (block.kind) {
    case 'heading':
      return 0;
    case 'text':
      return gapsIn(block.runs);
    case 'list':
      return sum(block.items);
    case 'table':
      return sum(block.rows.flat().flatMap((cell) => (typeof cell === 'string' ? [] : cell.lines)));
  }
}

/** The number of places that only a person can fill. */
export const countGaps = ({ cover, parts }: Pick<WordDocument, 'cover' | 'parts'>): number =>
  cover.reduce((total, { runs }) => total + gapsIn(runs), 0) +
  parts.flatMap(({ blocks }) => blocks).reduce((total, block) => total + gapsOf(block), 0);
