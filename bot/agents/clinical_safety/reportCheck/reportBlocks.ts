import { readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import { isWordDocument, readWordDocument } from '../ooxml/wordDocument.ts';
import { decodeText, looksBinary } from '../reading/decodeText.ts';
import { readMarkdownTables } from '../reading/markdown.ts';
import { ReadingBudget } from '../reading/readingBudget.ts';
import type { TextBlock } from '../reading/textBlocks.ts';
import { isSectionHeading } from './sections.ts';

const READING_MS = 10_000;
const MAX_LINES = 50_000;
const MARKDOWN_HEADING = /^(#{1,6})\s{1,9}(\S.{0,299})$/;
/** "4.2 Scope": a number, then words that end no sentence. */
const NUMBERED_HEADING = /^(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s{1,9}([A-Z][^.;:]{2,79})$/;
/** A line of a table of contents ends with dots or a gap, and a page number. */
const CONTENTS_LINE = /(?:\.{3,}|\s{2,}|\t)\s*\d{1,3}$/;

const startsWith = (bytes: Uint8Array, ...signature: number[]) => signature.every((byte, at) => bytes[at] === byte);

/**
 * The paragraphs and tables of a report: a Word document, Markdown, or plain text.
 * @throws HazardFileError not_a_report_file, too_many_cells, too_costly
 */
export function readReportBlocks(bytes: Uint8Array): TextBlock[] {
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46))
    throw new HazardFileError(
      'not_a_report_file',
      'This is a PDF, which I can’t read. Save the report as a Word document (.docx), or paste its text.',
    );
  if (startsWith(bytes, 0x50, 0x4b)) {
    const entries = readZipDirectory(bytes);
    if (isWordDocument(entries)) return readWordDocument(entries, new ReadingBudget('document', READING_MS)).blocks;
  }
  if (bytes.length === 0 || looksBinary(bytes))
    throw new HazardFileError(
      'not_a_report_file',
      'A report is read from a Word document (.docx), Markdown or text. Save it as one of these, or paste its text.',
    );
  return readTextBlocks(decodeText(bytes));
}

/** The paragraphs and tables of a text; headings of Markdown, numbered ones, and lines that are a section's name. */
function readTextBlocks(text: string): TextBlock[] {
  const { tables, tableLines, starts } = readMarkdownTables(text, new ReadingBudget('file', READING_MS));
  const tableAt = new Map(starts.map((start, at) => [start, tables[at] ?? []]));
  const blocks: TextBlock[] = [];
  for (const [at, line] of text.split(/\r?\n/, MAX_LINES).entries()) {
    const table = tableAt.get(at + 1) ?? tableAt.get(at);
    if (table) {
      blocks.push({ table });
      tableAt.delete(tableAt.has(at + 1) ? at + 1 : at);
    }
    const said = line.trim();
    if (tableLines.has(at + 1) || !said || CONTENTS_LINE.test(said)) continue;
    const [, marks, title] = MARKDOWN_HEADING.exec(said) ?? [];
    const [, number, words] = NUMBERED_HEADING.exec(said) ?? [];
    if (marks && title) blocks.push({ heading: marks.length, text: title });
    else if (number && words) blocks.push({ heading: number.split('.').length, text: said });
    else if (said.length <= 80 && isSectionHeading(said)) blocks.push({ heading: 1, text: said });
    else blocks.push({ heading: null, text: said });
  }
  return blocks;
}
