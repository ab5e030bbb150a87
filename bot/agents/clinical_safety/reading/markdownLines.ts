import type { Grid } from '../ooxml/sheetScanner.ts';
import { plainField } from './markdown.ts';

/** The lines of a text that may hold cards, for what no hazard was read from. */
export type TextLines = {
  /** A row of one cell for each line that says something, without the marks of Markdown. */
  lines: Grid;
  /** Lines that belong to tables: those are grids of their own. */
  tableLines: ReadonlySet<number>;
  /** Of each line that belongs to a field of a section, the line in which that field begins. */
  fieldOf: ReadonlyMap<number, number>;
  /** The unit of its rows: lines of a text, or paragraphs of a document. */
  unit: 'line' | 'paragraph';
};

/** More lines than this are not listed one by one. */
const MAX_LINES = 50_000;
const HEADING = /^#{1,6}\s{1,9}/;
/** The mark of an item of a list. */
export const BULLET = /^\s{0,9}[-*+]\s{1,9}/;

/** Whether a line is nothing but a rule across the page. */
export const isDivider = (line: string): boolean => /^\s{0,9}[-*_]{3,}\s{0,9}$/.test(line);

/** The lines of a Markdown text as a grid, each in the row of its number. */
export function readMarkdownLines(text: string, fileName: string): Grid {
  const rows: Grid['rows'] = [];
  for (const [at, line] of text.split(/\r?\n/, MAX_LINES).entries()) {
    const said = isDivider(line) ? '' : plainField(line.replace(HEADING, '').replace(BULLET, ''));
    if (said) rows[at + 1] = [undefined, { text: said, number: null, formula: null }];
  }
  return { name: fileName, hidden: false, rows, merges: [] };
}
