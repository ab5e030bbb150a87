import type { LogShape } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { inflateEntry, readZipDirectory } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import { type Grid, scanSheet } from '../ooxml/sheetScanner.ts';
import { isWordDocument, readWordDocument } from '../ooxml/wordDocument.ts';
import { readScanContext, readWorkbookParts } from '../ooxml/workbookParts.ts';
import { beginsAsCsv, readCsv } from './csv.ts';
import { decodeText, looksBinary } from './decodeText.ts';
import { readHtmlBlocks } from './html.ts';
import { encrypted, readLegacyWorkbook } from './legacyWorkbook.ts';
import { plainField, readMarkdownTables } from './markdown.ts';
import { readMarkdownCards } from './markdownCards.ts';
import { readMarkdownLines, type TextLines } from './markdownLines.ts';
import { CELL_LIMIT, ReadingBudget } from './readingBudget.ts';
import { readRecords } from './records.ts';
import { nameOfTable, openBlocks, toGrid } from './textBlocks.ts';

type FileFormat = LogShape['format'];
/** A file as grids of cells, whatever its format. */
export type OpenedFile = {
  format: FileFormat;
  grids: Grid[];
  /** Sections of a text that may be cards of hazards. */
  cards?: Grid[];
  /** The lines of that text. */
  text?: TextLines;
  remarks: string[];
};

/** Processor time that one file may take until it is read, by kind: the net below the counts of {@link ReadingBudget}. */
const READING_MILLISECONDS = { package: 4000, text: 1500, legacy: 1500 };

type Magic = { name: string; starts: number[]; message: string };
const save = 'Save the hazard log as an Excel workbook (.xlsx) or CSV and try again.';
/** File formats that people often rename or upload by mistake. */
const FOREIGN: Magic[] = [
  {
    name: 'exe',
    starts: [0x4d, 0x5a],
    message: `This is a Windows program, whatever its name says. It was not opened. ${save}`,
  },
  {
    name: 'elf',
    starts: [0x7f, 0x45, 0x4c, 0x46],
    message: `This is a program, whatever its name says. It was not opened. ${save}`,
  },
  { name: 'pdf', starts: [0x25, 0x50, 0x44, 0x46], message: `This is a PDF. ${save}` },
  { name: 'png', starts: [0x89, 0x50, 0x4e, 0x47], message: `This is a picture. ${save}` },
  { name: 'jpeg', starts: [0xff, 0xd8, 0xff], message: `This is a picture. ${save}` },
  { name: 'gif', starts: [0x47, 0x49, 0x46, 0x38], message: `This is a picture. ${save}` },
  { name: 'gzip', starts: [0x1f, 0x8b], message: `This is a compressed archive. Unpack it first. ${save}` },
  { name: '7z', starts: [0x37, 0x7a, 0xbc, 0xaf], message: `This is a compressed archive. Unpack it first. ${save}` },
  { name: 'rar', starts: [0x52, 0x61, 0x72, 0x21], message: `This is a compressed archive. Unpack it first. ${save}` },
];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];

const startsWith = (bytes: Uint8Array, magic: number[]) => magic.every((byte, index) => bytes[index] === byte);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Opens any file that may hold a log or tickets. Recognised by its content, not by its name. */
export async function openFile(bytes: Uint8Array, fileName: string): Promise<OpenedFile> {
  if (bytes.length === 0)
    throw new HazardFileError('empty_log', 'This file is empty. Check that it was saved, and try again.');
  const foreign = FOREIGN.find(({ starts }) => startsWith(bytes, starts));
  if (foreign) throw new HazardFileError('not_a_spreadsheet', foreign.message);
  const opened = startsWith(bytes, ZIP)
    ? openPackage(bytes, fileName)
    : startsWith(bytes, OLE)
      ? await openCompound(bytes)
      : await openText(bytes, fileName);
  if (
    ![...opened.grids, ...(opened.cards ?? []), ...(opened.text ? [opened.text.lines] : [])].some(({ rows }) =>
      rows.some((row) => row?.some((cell) => cell?.text.trim())),
    )
  )
    throw new HazardFileError(
      'empty_log',
      'This file holds no text at all: every sheet is empty. Check that it is the right file, and try again.',
    );
  return opened;
}

function openPackage(bytes: Uint8Array, fileName: string): OpenedFile {
  const entries = readZipDirectory(bytes);
  if (isWordDocument(entries)) return openWord(entries, fileName);
  const parts = readWorkbookParts(entries);
  const sources: { part: (typeof parts.sheets)[number]; bytes: Uint8Array }[] = [];
  let cells = 0;
  for (const part of parts.sheets) {
    const entry = entries.get(part.partName);
    if (!entry) continue;
    const sheet = inflateEntry(entry);
    cells += countCells(sheet, CELL_LIMIT - cells);
    if (cells > CELL_LIMIT)
      throw new HazardFileError(
        'too_many_cells',
        `This workbook has more than ${CELL_LIMIT.toLocaleString('en-GB')} cells, more than one analysis reads. Save the hazard log sheet on its own and try again.`,
      );
    sources.push({ part, bytes: sheet });
  }
  const budget = new ReadingBudget('workbook', READING_MILLISECONDS.package);
  const context = readScanContext(entries, parts, budget);
  const decoder = new TextDecoder();
  const grids = sources.map(({ part, bytes: sheet }) =>
    scanSheet(decoder.decode(sheet), part.name, part.hidden, context),
  );
  const remarks: string[] = [];
  if (parts.macros) remarks.push('This workbook holds macros. They were not run, and a merge keeps them as they are.');
  if (parts.externalLinks)
    remarks.push(
      `This workbook links to ${parts.externalLinks === 1 ? 'another workbook' : `${parts.externalLinks} other workbooks`}. The links were not followed.`,
    );
  return { format: parts.macros ? 'xlsm' : 'xlsx', grids, remarks };
}

function openWord(entries: ReturnType<typeof readZipDirectory>, fileName: string): OpenedFile {
  const budget = new ReadingBudget('document', READING_MILLISECONDS.package);
  const { blocks, countedCells } = readWordDocument(entries, budget);
  const counted =
    countedCells === 0
      ? []
      : [
          `${countedCells} ${countedCells === 1 ? 'cell has' : 'cells have'} nothing but a number that Word counts itself. It is not in the file and was not read: type ids as text.`,
        ];
  return {
    format: 'docx',
    ...openBlocks(blocks, fileName, budget),
    remarks: ['This is a Word document: a merge writes a new .xlsx beside it.', ...counted],
  };
}

/** "<c></c>": the next cell can't begin sooner. */
const SHORTEST_CELL = 7;

/** Counts "<c " and "<c>" without decoding; stops soon after the limit. */
function countCells(sheet: Uint8Array, limit: number): number {
  let count = 0;
  for (let at = 0; at < sheet.length && count <= limit; at += 1) {
    if (sheet[at] !== 0x3c || sheet[at + 1] !== 0x63) continue;
    const next = sheet[at + 2];
    if (next !== 0x20 && next !== 0x3e) continue;
    count += 1;
    at += SHORTEST_CELL - 1;
  }
  return count;
}

async function openCompound(bytes: Uint8Array): Promise<OpenedFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.includes(utf16('EncryptedPackage'))) throw encrypted();
  if (buffer.includes(utf16('WordDocument')))
    throw new HazardFileError('not_a_spreadsheet', `This is a Word document. ${save}`);
  if (!buffer.includes(utf16('Workbook')) && !buffer.includes(utf16('Book')))
    throw new HazardFileError('not_a_spreadsheet', `This is not a spreadsheet. ${save}`);
  return {
    format: 'xls',
    grids: await readLegacyWorkbook(bytes, new ReadingBudget('workbook', READING_MILLISECONDS.legacy)),
    remarks: ['This is an old .xls workbook: a merge writes a new .xlsx beside it.'],
  };
}

async function openText(bytes: Uint8Array, fileName: string): Promise<OpenedFile> {
  if (looksBinary(bytes))
    throw new HazardFileError(
      'not_a_spreadsheet',
      `This is neither a spreadsheet nor text, whatever its name says. It was not opened. ${save}`,
    );
  const text = decodeText(bytes);
  const budget = new ReadingBudget('file', READING_MILLISECONDS.text);
  const head = text.slice(0, 2000).trimStart().toLowerCase();
  if (head.includes('urn:schemas-microsoft-com:office:spreadsheet'))
    return {
      format: 'xls',
      grids: await readLegacyWorkbook(bytes, new ReadingBudget('workbook', READING_MILLISECONDS.legacy)),
      remarks: ['This is an XML spreadsheet: a merge writes a new .xlsx beside it.'],
    };
  if (/^(<!doctype html|<html|<\?xml[^>]*>\s*<html|<table|<meta|<style|<head)/.test(head))
    return {
      format: 'html',
      ...openBlocks(readHtmlBlocks(text, budget), fileName, budget),
      remarks: ['This is a web page under a spreadsheet’s name: a merge writes a new .xlsx beside it.'],
    };
  const markdown = beginsAsCsv(text) ? null : openMarkdown(text, fileName, budget);
  if (markdown) return markdown;
  if (!text.trim())
    throw new HazardFileError('empty_log', 'This file is empty. Check that it was saved, and try again.');
  const records = readCsv(text, budget);
  if (!records)
    throw new HazardFileError(
      'one_column_csv',
      'This file has one column only, so it can’t be a hazard log or a ticket export. Export it again with a comma, semicolon or tab between the columns.',
    );
  return { format: 'csv', grids: toGrids([records], fileName), remarks: [] };
}

/** Null where the text has neither tables nor sections that read as hazards. */
function openMarkdown(text: string, fileName: string, budget: ReadingBudget): OpenedFile | null {
  const { tables, tableLines, starts } = readMarkdownTables(text, budget);
  const { cards, fieldOf } = readMarkdownCards(text, fileName, budget, tableLines);
  if (tables.length === 0 && !readRecords(cards)) return null;
  return {
    format: 'markdown',
    grids: withCaptions(toGrids(tables, fileName), starts, text, fileName),
    cards,
    text: { lines: readMarkdownLines(text, fileName), tableLines, fieldOf, unit: 'line' },
    remarks: ['This is a text in Markdown: a merge writes a new .xlsx beside it.'],
  };
}

/** Tables with the heading of their section, and where no other table stands between, as that right above them. */
function withCaptions(grids: Grid[], starts: readonly number[], text: string, fileName: string): Grid[] {
  const lines = text.split(/\r?\n/);
  let section: string | undefined;
  return grids.map((grid, at) => {
    const from = starts[at - 1] ?? 0;
    for (let line = (starts[at] ?? 0) - 1; line > from; line -= 1) {
      const title = HEADING.exec(lines[line - 1] ?? '')?.[1];
      if (!title) continue;
      section = plainField(title);
      return { ...grid, section, caption: { text: section, origin: { sheet: fileName, cell: `A${line}` } } };
    }
    return section === undefined ? grid : { ...grid, section };
  });
}
const HEADING = /^#{1,6}\s{1,9}(\S.{0,199})$/;

const toGrids = (tables: string[][][], fileName: string): Grid[] =>
  tables.map((records, at) => toGrid(records, nameOfTable(fileName, at, tables.length)));
