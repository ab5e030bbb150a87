import { cellAddress, parseAddress } from '../ooxml/cellAddress.ts';
import type { Grid, GridCell, GridRow } from '../ooxml/sheetScanner.ts';
import type { HeaderMeaning } from './headerSynonyms.ts';
import { readTitle } from './markdownCards.ts';
import { matchHeader } from './matchHeader.ts';
import { sameId } from './readHazards.ts';
import { unfoldCards } from './unfoldCards.ts';

/** A hazard as pairs of heading and text, in their order. */
type RecordCells = Map<string, GridCell>;

/** A record has at least this many known headings; with fewer it may be any list of terms. */
const MIN_KNOWN = 4;
/** Headings that name a hazard: a record with only these has not been filled in yet. */
const NAMES = new Set<HeaderMeaning>(['id', 'name']);
/** Headings stand in one of the first columns. */
const MAX_HEADING_COLUMN = 3;
const MAX_RECORDS = 5000;
const MAX_COLUMNS = 256;
/** Each line costs a search for its heading: what is below is listed as not read. */
const MAX_LINES = 20_000;
/** A longer text in the first column is no heading. */
const MAX_HEADING_LENGTH = 60;

/** The name of the grid that records are put together in, where they come from several sheets. */
const RECORDS = 'Hazard records';

/** Where the cells of a grid of records stand: `sheet!row` of each. */
export const readRowsOf = ({ rows }: Grid): Set<string> => {
  const read = new Set<string>();
  for (const row of rows)
    for (const cell of row ?? [])
      if (cell?.origin) read.add(rowKey(cell.origin.sheet, parseAddress(cell.origin.cell)?.row));
  return read;
};

/** Names a row of a sheet. */
export const rowKey = (sheet: string, row: number | undefined): string => `${sheet}!${row}`;

/**
 * Hazards that do not stand in rows: a card for each, with a heading and its text in each line, or a table that lies
 * on its side, with a column for each hazard. Gives them as a grid with a row for each, whose cells know where they
 * come from; null where there are none.
 */
export function readRecords(grids: readonly Grid[]): Grid | null {
  const records: RecordCells[] = [];
  const sheets = new Set<string>();
  for (const grid of grids)
    for (const record of recordsOf(unfoldCards(grid))) {
      if (records.length >= MAX_RECORDS) break;
      records.push(record);
      sheets.add(grid.name);
    }
  if (explainsOthers(records)) records.shift();
  if (records.length === 0) return null;
  shareHeadings(records);
  const headings = [...new Set(records.flatMap((record) => [...record.keys()]))].slice(0, MAX_COLUMNS);
  const head: GridRow = [];
  for (const [at, text] of headings.entries()) head[at + 1] = { text, number: null, formula: null };
  const rows: Grid['rows'] = [[], head];
  for (const record of records) {
    const row: GridRow = [];
    for (const [at, heading] of headings.entries()) {
      const cell = record.get(heading);
      if (cell) row[at + 1] = cell;
    }
    rows.push(row);
  }
  const [only] = sheets;
  return { name: sheets.size === 1 && only ? only : RECORDS, hidden: false, rows, merges: [] };
}

/**
 * Gives records one heading for what they name differently, "Severity" and "Severity (estimate)": side by side they
 * would be two columns of one table, of which the second stands for something else. Headings that one record has both
 * of stay apart.
 */
function shareHeadings(records: readonly RecordCells[]): void {
  const together = new Map<string, Set<string>>();
  for (const record of records)
    for (const heading of record.keys()) {
      const known = together.get(heading) ?? new Set();
      for (const other of record.keys()) known.add(other);
      together.set(heading, known);
    }
  const firstOf = new Map<string, string[]>();
  const shared = new Map<string, string>();
  for (const heading of together.keys()) {
    const match = matchHeader(heading, null);
    if (!match) continue;
    const key = `${match.phase} ${match.meaning}`;
    const alike = firstOf.get(key) ?? [];
    const first = alike.find((other) => !together.get(heading)?.has(other));
    if (first === undefined) firstOf.set(key, [...alike, heading]);
    else {
      shared.set(heading, first);
      // What stands beside the one stands beside the other now.
      for (const other of together.get(heading) ?? []) {
        together.get(first)?.add(other);
        together.get(other)?.add(first);
      }
    }
  }
  if (shared.size === 0) return;
  for (const record of records) {
    const cells = [...record];
    record.clear();
    for (const [heading, cell] of cells) record.set(shared.get(heading) ?? heading, cell);
  }
}

/** A line of a card; the meaning is null for a heading that is not known. */
type Line = { row: number; heading: string; meaning: HeaderMeaning | null };

function recordsOf(grid: Grid): RecordCells[] {
  for (let column = 1; column <= MAX_HEADING_COLUMN; column += 1) {
    const records = blocksOf(grid, column).flatMap((block) => {
      const found = recordsIn(grid, column, block);
      const [own] = found;
      if (own && found.length === 1) addNumber(grid, column, block[0]?.row ?? 0, own);
      return found;
    });
    const [only] = records;
    if (only && records.length === 1) addCaption(grid, only);
    if (records.length > 0) return records;
  }
  return [];
}

/** "Hazard 3", "HAZ-03": what stands in front of the first line of a card. */
const NUMBER = /^(?:(?:hazard|haz|risk)[-_ .:#]{0,3}|[A-Za-z]{1,12}[-_]?)?\d{1,6}[a-z]?$/i;

/** Gives a card without an id the number in front of its first line. */
function addNumber(grid: Grid, headingColumn: number, row: number, record: RecordCells): void {
  const hasId = [...record.keys()].some((heading) => matchHeader(heading, null)?.meaning === 'id');
  const column = (grid.rows[row] ?? []).findIndex((cell) => cell?.text.trim());
  const cell = grid.rows[row]?.[column];
  if (hasId || !cell || column >= headingColumn || !NUMBER.test(cell.text.trim())) return;
  const origin = cell.origin ?? { sheet: grid.name, cell: cellAddress(row, column) };
  record.set('Hazard ID', { ...cell, number: null, formula: null, origin });
}

/**
 * Gives a card the id and the name that it lacks out of the heading right above its table: "HAZ-01: Wrong patient". A
 * name beside another id is that of something else.
 */
function addCaption({ caption }: Grid, record: RecordCells): void {
  if (!caption) return;
  const textOf = (meaning: HeaderMeaning) =>
    [...record].find(([heading]) => matchHeader(heading, null)?.meaning === meaning)?.[1].text;
  const [ownId, ownName] = [textOf('id'), textOf('name')];
  const { id, name } = readTitle(caption.text);
  const cell = (text: string): GridCell => ({ text, number: null, formula: null, origin: caption.origin });
  const isOfAnother = ownId !== undefined && (id === null || sameId(id) !== sameId(ownId));
  if (ownId === undefined && id && (ownName === undefined || !CHAPTER.test(id))) record.set('Hazard ID', cell(id));
  if (ownName === undefined && name && !isOfAnother) record.set('Hazard name', cell(name));
}
/** A number alone above a card that names its hazard may be that of a chapter. */
const CHAPTER = /^\d/;

/** Words of the title of a section that explains how hazards are rated. */
const SCALE =
  /\b(?:risk|hazard|severity|likelihood|probability)\b.{0,30}\b(?:scor(?:es?|ing)|ratings?|matrix|matrices|scales?|levels?|criteria|acceptab\w{2,6}|methodology|definitions?|classifications?)\b/i;
const ABOUT_A_HAZARD = new Set<HeaderMeaning>([
  'description',
  'cause',
  'clinical_impact',
  'existing_controls',
  'control_text',
]);

/** An id has fewer words: "Give each hazard an id of its own, such as H1" explains how a log is kept. */
const MAX_WORDS_OF_ID = 6;

/** Whether a record explains the scale, titled so and without a word on any hazard, or how a log is kept. */
function isScale(record: RecordCells): boolean {
  let isTitled = false;
  for (const [heading, { text }] of record) {
    const meaning = matchHeader(heading, null)?.meaning;
    if (meaning === 'id' && text.trim().split(/\s+/).length > MAX_WORDS_OF_ID) return true;
    if (meaning && ABOUT_A_HAZARD.has(meaning) && text.trim()) return false;
    isTitled ||= meaning === 'name' && SCALE.test(text);
  }
  return isTitled;
}

/** The title of what lists hazards: "Hazard log", "Risk register of the ward board". */
const OF_LOG =
  /\b(?:hazards?|risks?|safety)\b.*\b(?:log|register|analysis|assessment|file|report|table|list|cases?)\b/i;

/**
 * Whether the first record is what stands above the others under the title of their log: all of them have ids, and it has
 * none. What it says of severities and controls explains how the log is kept.
 */
function explainsOthers([first, ...others]: readonly RecordCells[]): boolean {
  const textOf = (record: RecordCells, meaning: HeaderMeaning) =>
    [...record].find(([heading]) => matchHeader(heading, null)?.meaning === meaning)?.[1].text;
  if (!first || others.length < 2 || textOf(first, 'id') !== undefined) return false;
  return OF_LOG.test(textOf(first, 'name') ?? '') && others.every((record) => textOf(record, 'id') !== undefined);
}

/**
 * Runs of lines whose first cell is a heading, of which enough are known; one that comes again begins the next card.
 * Unknown headings with a text beside them belong to the card, so that they are listed as not read.
 */
function blocksOf(grid: Grid, column: number): Line[][] {
  const blocks: Line[][] = [];
  let block: Line[] = [];
  const flush = () => {
    if (new Set(block.flatMap(({ meaning }) => meaning ?? [])).size >= MIN_KNOWN) blocks.push(block);
    block = [];
    headings.clear();
  };
  const headings = new Set<string>();
  for (let row = 1; row < Math.min(grid.rows.length, MAX_LINES); row += 1) {
    const cell = grid.rows[row]?.[column];
    const heading = cell?.text.replace(/\s+/g, ' ').trim().replace(/:$/, '').trimEnd() ?? '';
    if (!heading || heading.length > MAX_HEADING_LENGTH || cell?.number !== null) {
      // A line without a heading ends a card only where it says nothing at all.
      if (!grid.rows[row]?.some((it) => it?.text.trim())) flush();
      continue;
    }
    const meaning = matchHeader(heading, null)?.meaning ?? null;
    const isBeside = grid.rows[row]?.some((it, at) => at > column && it?.text.trim());
    if (meaning === null && (block.length === 0 || !isBeside)) continue;
    if (headings.has(heading)) flush();
    headings.add(heading);
    block.push({ row, heading, meaning });
  }
  flush();
  return blocks;
}

/** The records of a block: one for each further column with texts. */
function recordsIn(grid: Grid, headingColumn: number, block: readonly Line[]): RecordCells[] {
  const widest = block.reduce((most, { row }) => Math.max(most, Math.min(grid.rows[row]?.length ?? 0, MAX_COLUMNS)), 0);
  const records: RecordCells[] = [];
  for (let column = headingColumn + 1; column < widest; column += 1) {
    const record: RecordCells = new Map();
    for (const { row, heading } of block) {
      const cell = grid.rows[row]?.[column];
      if (!cell?.text.trim()) continue;
      const origin = cell.origin ?? { sheet: grid.name, cell: cellAddress(row, column) };
      record.set(heading, { ...cell, formula: null, origin });
    }
    // A table in rows has headings in its first column too rarely: its columns then hold other headings.
    const isHeadings = [...record.values()].filter(({ text }) => matchHeader(text, null)).length > record.size / 2;
    const filled = block.flatMap(({ heading, meaning }) => (record.has(heading) ? (meaning ?? []) : []));
    if ((filled.some((meaning) => NAMES.has(meaning)) || filled.length >= 2) && !isHeadings && !isScale(record))
      records.push(record);
  }
  return records;
}
