import type { Grid, GridRow } from '../ooxml/sheetScanner.ts';
import { readMarkdownCards } from './markdownCards.ts';
import type { TextLines } from './markdownLines.ts';
import type { ReadingBudget } from './readingBudget.ts';
import { toNumber } from './toNumber.ts';

/** A paragraph or a table of a document, in its order. */
export type TextBlock = { heading: number | null; text: string } | { table: string[][] };

/** A paragraph without line breaks: each is a line of the text that cards are looked for in. */
const lineOf = (text: string) => text.replace(/\s*\n\s*/g, ' ');

/** Rows of texts as a grid. */
export function toGrid(records: readonly (readonly string[])[], name: string): Grid {
  const rows: Grid['rows'] = [];
  for (const [at, record] of records.entries()) {
    const row: GridRow = [];
    for (const [column, field] of record.entries())
      if (field.trim())
        row[column + 1] = { text: field.replace(/\r\n?/g, '\n'), number: toNumber(field), formula: null };
    if (row.length > 0) rows[at + 1] = row;
  }
  return { name, hidden: false, rows, merges: [] };
}

/** Names of the grids of a document's tables. */
export const nameOfTable = (fileName: string, at: number, count: number) =>
  count > 1 ? `${fileName} (table ${at + 1})` : fileName;

/**
 * A document as grids: its tables, each with the heading right above it, the sections that may be cards, and its
 * paragraphs, each in the row of its number. The caller has counted their cells and texts against the budget.
 * @throws HazardFileError too_many_cells
 */
export function openBlocks(
  blocks: readonly TextBlock[],
  fileName: string,
  budget: ReadingBudget,
): { grids: Grid[]; cards: Grid[]; text: TextLines } {
  const sheet = `${fileName} (text)`;
  const count = blocks.filter((block) => 'table' in block).length;
  const grids: Grid[] = [];
  const lines: string[] = [];
  const tableLines = new Set<number>();
  const prose: Grid['rows'] = [];
  let caption: Grid['caption'];
  let section: string | undefined;
  for (const block of blocks) {
    if ('table' in block) {
      grids.push({
        ...toGrid(block.table, nameOfTable(fileName, grids.length, count)),
        ...(caption ? { caption } : {}),
        ...(section ? { section } : {}),
      });
      caption = undefined;
      lines.push('');
      tableLines.add(lines.length);
      continue;
    }
    const text = lineOf(block.text);
    lines.push(block.heading === null ? text : `${'#'.repeat(block.heading)} ${text}`);
    prose[lines.length] = [undefined, { text, number: null, formula: null }];
    if (block.heading === null) continue;
    section = text;
    caption = { text, origin: { sheet, cell: `A${lines.length}` } };
  }
  const { cards, fieldOf } = readMarkdownCards(lines.join('\n'), sheet, budget, tableLines);
  return {
    grids,
    cards,
    text: { lines: { name: sheet, hidden: false, rows: prose, merges: [] }, tableLines, fieldOf, unit: 'paragraph' },
  };
}
