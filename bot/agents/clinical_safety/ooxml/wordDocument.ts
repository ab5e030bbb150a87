import { readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import type { ReadingBudget } from '../reading/readingBudget.ts';
import type { TextBlock } from '../reading/textBlocks.ts';
import { attribute, elements, unescapeXml } from './xmlText.ts';

/** The part that has the text of a Word document. */
const DOCUMENT = 'word/document.xml';

export const isWordDocument = (entries: ReadonlyMap<string, ZipEntry>): boolean =>
  entries.has(DOCUMENT) && !entries.has('xl/workbook.xml');

/** Levels of headings by the id of their style. Word keeps the English name of its own styles: "heading 2". */
function readHeadingStyles(entries: Map<string, ZipEntry>): Map<string, number> {
  const levels = new Map<string, number>();
  for (const { tag, inner } of elements(readPart(entries, 'word/styles.xml') ?? '', 'style')) {
    const [name] = elements(inner, 'name');
    const level = /^heading ([1-6])$/i.exec(attribute(name?.tag ?? '', 'w:val') ?? '')?.[1];
    if (level) levels.set(attribute(tag, 'w:styleId') ?? '', Number(level));
  }
  return levels;
}

type Paragraph = { text: string; heading: number | null; isListed: boolean };
type Cell = { texts: string[]; span: number; isContinued: boolean };
type Table = { rows: string[][]; row: string[]; cell: Cell | null };

/** What is deleted, moved away or a copy for older programs. */
const SKIPPED = new Set(['w:del', 'w:moveFrom', 'mc:Fallback']);
const MAX_SPAN = 100;

/**
 * The paragraphs and tables of a Word document in their order (ECMA-376 part 1, 17.2 to 17.4). Cells that are merged
 * have their text once, in the first. A table within a table is one of its own.
 * @throws HazardFileError too_many_cells, too_costly
 * @returns the blocks, and how many cells have nothing but a number that Word counts itself, which is not in the file
 */
export function readWordDocument(
  entries: Map<string, ZipEntry>,
  budget: ReadingBudget,
): { blocks: TextBlock[]; countedCells: number } {
  const xml = readPart(entries, DOCUMENT) ?? '';
  const headings = readHeadingStyles(entries);
  const blocks: TextBlock[] = [];
  const tables: Table[] = [];
  const paragraphs: Paragraph[] = [];
  let countedCells = 0;
  let skipped: { name: string; depth: number } | null = null;
  const say = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph) paragraph.text += text;
  };
  const endParagraph = () => {
    const paragraph = paragraphs.pop();
    if (!paragraph) return;
    const { heading, isListed } = paragraph;
    const text = paragraph.text.trim();
    const cell = tables.at(-1)?.cell;
    if (cell && isListed && !text) countedCells += 1;
    if (!text) return;
    budget.spendCells(1);
    budget.spendText(text);
    if (cell) cell.texts.push(isListed ? `• ${text}` : text);
    else blocks.push({ heading, text: isListed && heading === null ? `• ${text}` : text });
  };
  const endCell = () => {
    const table = tables.at(-1);
    if (!table?.cell) return;
    const { texts, span, isContinued } = table.cell;
    // A cell that is one item of a list is no list.
    const text = texts.length === 1 ? (texts[0] ?? '').replace(/^• /, '') : texts.join('\n');
    budget.spendCells(span);
    table.row.push(isContinued ? '' : text, ...Array.from({ length: span - 1 }, () => ''));
    table.cell = null;
  };
  for (let open = xml.indexOf('<'); open !== -1; open = xml.indexOf('<', open + 1)) {
    const close = xml.indexOf('>', open);
    if (close === -1) break;
    budget.spendWork(1);
    const isEnd = xml[open + 1] === '/';
    const tag = xml.slice(open, close + 1);
    const name = /^<\/?([\w:.-]{1,80})/.exec(tag)?.[1] ?? '';
    const isEmpty = tag.endsWith('/>');
    if (skipped) {
      if (name === skipped.name && !isEmpty) skipped.depth += isEnd ? -1 : 1;
      if (skipped.depth === 0) skipped = null;
      continue;
    }
    if (SKIPPED.has(name) && !isEmpty && !isEnd) {
      skipped = { name, depth: 1 };
      continue;
    }
    const value = () => attribute(tag, 'w:val') ?? '';
    const table = tables.at(-1);
    const paragraph = paragraphs.at(-1);
    if (name === 'w:p') {
      if (isEnd) endParagraph();
      else if (!isEmpty) paragraphs.push({ text: '', heading: null, isListed: false });
    } else if (name === 'w:t' && !isEnd && !isEmpty) {
      const end = xml.indexOf('<', close);
      say(unescapeXml(xml.slice(close + 1, end === -1 ? undefined : end)));
    } else if (name === 'w:tab' && paragraph && !xml.startsWith(' w:val', open + 6)) say('\t');
    else if (name === 'w:br' || name === 'w:cr') say('\n');
    else if (name === 'w:noBreakHyphen') say('-');
    else if (name === 'w:pStyle' && paragraph) paragraph.heading = headings.get(value()) ?? null;
    else if (name === 'w:numPr' && paragraph && !isEnd) paragraph.isListed = true;
    else if (name === 'w:tbl') {
      if (!isEnd) {
        budget.spendTable();
        tables.push({ rows: [], row: [], cell: null });
      } else if (table) {
        tables.pop();
        blocks.push({ table: table.rows });
      }
    } else if (name === 'w:tr' && table && !isEmpty) {
      if (isEnd) table.rows.push(table.row);
      else table.row = [];
    } else if (name === 'w:gridBefore' && table)
      table.row.push(...Array.from({ length: Math.min(MAX_SPAN, Number(value()) || 0) }, () => ''));
    else if (name === 'w:tc' && table && !isEmpty) {
      if (isEnd) endCell();
      else table.cell = { texts: [], span: 1, isContinued: false };
    } else if (name === 'w:gridSpan' && table?.cell)
      table.cell.span = Math.min(MAX_SPAN, Math.max(1, Number(value()) || 1));
    else if (name === 'w:vMerge' && table?.cell) table.cell.isContinued = value() !== 'restart';
  }
  return { blocks, countedCells };
}
