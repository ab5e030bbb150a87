import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import { plainField } from './markdown.ts';
import { BULLET, isDivider } from './markdownLines.ts';
import { matchHeader } from './matchHeader.ts';
import { ratingsInLine } from './ratingLines.ts';
import type { ReadingBudget } from './readingBudget.ts';
import { toNumber } from './toNumber.ts';

/**
 * "Cause: text", "- **Cause:** text", "**Cause** text" and "*Cause*: text": a heading of at most 60 characters and what
 * follows it.
 */
const FIELD =
  /^\s{0,9}(?:[-*+]\s{1,9})?(?:\*\*([^*:]{1,60}):?\*\*:?|[*_]([^*_:|#]{1,60})(?::[*_]|[*_]:)|([^*:|#]{1,60}):)\s{0,9}(.*)$/;
const FOLD = /^\s{0,9}<details\b(?!.*<\/details>)/i;
const UNFOLD = /<\/details>/i;
const SECTION = /^(#{1,6})\s{1,9}(.{1,200})$/;
/** A longer text is no log of cards. */
const MAX_LINES = 50_000;
const MAX_HEADINGS = 5000;
/** "HAZ-01: Wrong patient": an id with a number, and a name. */
const TITLE = /^((?:[A-Za-z]{1,12}[-_ /.]?){0,3}\d{1,6}[a-z]?)\s{0,3}[-–—:.)]{0,2}\s{1,3}(\S.{0,180})$/;
/** "Hazard: Wrong patient" and "Hazard 3 - Wrong patient". */
const NAMED = /^(?:hazard|risk)\s{0,3}(\d{0,6})\s{0,3}[-–—:]\s{1,3}(\S.{0,180})$/i;

type Field = { heading: string; text: string; line: number };

type Heading = { line: number; level: number; title: string };

/** A section whose sub-headings are fields has at least this many known ones. */
const MIN_FIELD_HEADINGS = 3;

/** The headings that are fields of the section above them, by line: "#### Severity" below "### Hazard: …". */
function fieldHeadings(headings: readonly Heading[]): Set<number> {
  const fields = new Set<number>();
  for (const [at, { level }] of headings.entries()) {
    const next = headings.findIndex((other, index) => index > at && other.level <= level);
    const below = headings.slice(at + 1, next < 0 ? undefined : next);
    const closest = Math.min(...below.map((heading) => heading.level));
    const children = below.filter((heading) => heading.level === closest);
    if (children.filter(({ title }) => matchHeader(title, null)).length >= MIN_FIELD_HEADINGS)
      for (const { line } of below) fields.add(line);
  }
  return fields;
}

/**
 * The sections of a Markdown text whose lines are a heading and its text, a grid each: headings in the first column,
 * texts in the second. Sub-headings with the text below them count as well. The title of a section gives the id and
 * the name. Each cell knows its line, as row of column A.
 * @param tableLines lines that belong to tables
 * @returns the grids, and of each line that belongs to a field the line in which that field begins
 * @throws HazardFileError too_many_cells
 */
export function readMarkdownCards(
  text: string,
  fileName: string,
  budget: ReadingBudget,
  tableLines: ReadonlySet<number>,
): { cards: Grid[]; fieldOf: ReadonlyMap<number, number> } {
  const fieldOf = new Map<number, number>();
  const lines = text.split(/\r?\n/, MAX_LINES);
  const headings = lines.flatMap((line, at): Heading[] => {
    const [, marks = '', title] = SECTION.exec(line) ?? [];
    return title === undefined ? [] : [{ line: at + 1, level: marks.length, title: plainField(title) }];
  });
  if (headings.length === 0 || headings.length > MAX_HEADINGS) return { cards: [], fieldOf };
  const titles = new Map(headings.map((heading) => [heading.line, heading.title]));
  const asFields = fieldHeadings(headings);
  const sections: Field[][] = [];
  let isFolded = false;
  for (const [at, line] of lines.entries()) {
    // What is folded away is talk about the hazard. It belongs to no field, and is listed as not read.
    const wasFolded = isFolded;
    isFolded = FOLD.test(line) || (isFolded && !UNFOLD.test(line));
    if ((isFolded || wasFolded) && !titles.has(at + 1)) continue;
    const title = titles.get(at + 1);
    const section = sections.at(-1);
    if (title !== undefined) {
      budget.spendCells(2);
      fieldOf.set(at + 1, at + 1);
      if (section && asFields.has(at + 1)) section.push({ heading: title, text: '', line: at + 1 });
      else {
        budget.spendTable();
        sections.push(titleFields(budget.spendText(title), at + 1));
      }
      continue;
    }
    if (!section || tableLines.has(at + 1) || !line.trim() || isDivider(line)) continue;
    const [, bold, italic, plain, rest = ''] = FIELD.exec(line) ?? [];
    const alone = isAboveList(lines, at) ? line.trim() : undefined;
    const heading =
      bold ?? italic ?? alone ?? (plain !== undefined && isHeading(plain, line, section) ? plain : undefined);
    budget.spendCells(2);
    const ratings = ratingsInLine(plainField(line.replace(BULLET, '')));
    if (ratings.length > 0) {
      for (const rating of ratings) section.push({ ...rating, text: budget.spendText(rating.text), line: at + 1 });
      fieldOf.set(at + 1, at + 1);
    } else if (heading !== undefined && !asFields.has(section.at(-1)?.line ?? 0)) {
      section.push({ heading: heading.trim(), text: plainField(budget.spendText(rest)), line: at + 1 });
      fieldOf.set(at + 1, at + 1);
    } else {
      // What follows a field without a heading of its own belongs to it: a list, or a further paragraph.
      const last = section.at(-1);
      const more = plainField(budget.spendText(line.replace(BULLET, '')));
      if (!last || last.line <= (section[0]?.line ?? 0)) continue;
      last.text = last.text ? `${last.text}\n${more}` : more;
      fieldOf.set(at + 1, last.line);
    }
  }
  return { cards: sections.map((fields) => toGrid(fields, fileName)), fieldOf };
}

/** Whether the words before a colon are a heading. In a list below a field an unknown one is part of its text. */
function isHeading(words: string, line: string, section: readonly Field[]): boolean {
  if (words.includes('(') && !words.includes(')')) return false;
  const isInList = BULLET.test(line) && (section.at(-1)?.line ?? 0) > (section[0]?.line ?? 0);
  return !isInList || matchHeader(words, null) !== null;
}

/** Whether a line is nothing but a known heading, as in "Causes", and a list follows it. */
function isAboveList(lines: readonly string[], at: number): boolean {
  const line = lines[at]?.trim() ?? '';
  if (line.length > MAX_ALONE || BULLET.test(line) || matchHeader(line, null)?.score !== 1) return false;
  const next = lines[at + 1]?.trim() ? lines[at + 1] : lines[at + 2];
  return next !== undefined && BULLET.test(next);
}
/** A heading that stands alone has a few words. */
const MAX_ALONE = 30;

/** The id and the name that the title of a section gives a hazard. */
export function readTitle(title: string): { id: string | null; name: string } {
  const [, id, name] = NAMED.exec(title) ?? TITLE.exec(title) ?? [];
  return { id: id || null, name: name ?? title };
}

function titleFields(title: string, line: number): Field[] {
  const { id, name } = readTitle(title);
  const named: Field = { heading: 'Hazard name', text: name, line };
  return id ? [{ heading: 'Hazard ID', text: id, line }, named] : [named];
}

function toGrid(fields: readonly Field[], fileName: string): Grid {
  const rows: Grid['rows'] = [[]];
  for (const { heading, text, line } of fields) {
    const cell = (content: string): GridCell => ({
      text: content,
      number: toNumber(content),
      formula: null,
      origin: { sheet: fileName, cell: `A${line}` },
    });
    rows.push([undefined, { ...cell(heading), number: null }, ...(text ? [cell(text)] : [])]);
  }
  return { name: fileName, hidden: false, rows, merges: [] };
}
