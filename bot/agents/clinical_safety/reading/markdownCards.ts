import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import { groupPhase, type Phase } from './headerWords.ts';
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
const FENCE = /^\s{0,9}(?:```|~~~)/;
const UNFOLD = /<\/details>/i;
const SECTION = /^(#{1,6})\s{1,9}(.{1,200})$/;
/** A longer text is no log of cards. */
const MAX_LINES = 50_000;
const MAX_HEADINGS = 5000;
/** "HAZ-01: Wrong patient": an id with a number, and a name. */
const TITLE = /^((?:[A-Za-z]{1,12}[-_ /.]?){0,3}\d{1,6}[a-z]?)\s{0,3}[-–—:.)·|]{0,2}\s{1,3}(\S.{0,180})$/;
/** "Hazard: Wrong patient" and "Hazard 3 - Wrong patient". */
const NAMED = /^(?:hazard|risk)\s{0,3}(\d{0,6})\s{0,3}[-–—:·|]\s{1,3}(\S.{0,180})$/i;

type Field = {
  heading: string;
  text: string;
  line: number;
  /** Whether it is one of several ratings of one line: no further line belongs to it. */
  isWhole?: true;
};

type Heading = { line: number; level: number; title: string };

/** A section whose sub-headings are fields has at least this many known ones. */
const MIN_FIELD_HEADINGS = 3;

/** The line of the heading that a section stands below; 0 for none. */
const parentOf = (headings: readonly Heading[], line: number, level: number): number =>
  headings.findLast((other) => other.line < line && other.level < level)?.line ?? 0;

/**
 * The headings that are fields of the section above them, by line: "#### Severity" below "### Hazard: …". Those below
 * one of them are items of it: "##### 1. Audit log" below "#### Mitigations".
 */
function fieldHeadings(headings: readonly Heading[]): Map<number, 'field' | 'item'> {
  const fields = new Map<number, 'field' | 'item'>();
  for (const [at, { level }] of headings.entries()) {
    const next = headings.findIndex((other, index) => index > at && other.level <= level);
    const below = headings.slice(at + 1, next < 0 ? undefined : next);
    const closest = Math.min(...below.map((heading) => heading.level));
    const children = below.filter((heading) => heading.level === closest);
    // "Initial risk assessment" stands above ratings.
    const isKnown = ({ title }: Heading) => matchHeader(title, null) !== null || groupPhase(title) !== null;
    if (children.filter(isKnown).length >= MIN_FIELD_HEADINGS)
      for (const { line, level: own } of below) fields.set(line, own === closest ? 'field' : 'item');
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
  let isFenced = false;
  let isInItem = false;
  for (const [at, line] of lines.entries()) {
    // What is folded away is talk about the hazard. It belongs to no field, and is listed as not read.
    const wasFolded = isFolded;
    isFolded = FOLD.test(line) || (isFolded && !UNFOLD.test(line));
    if ((isFolded || wasFolded) && !titles.has(at + 1)) continue;
    // Code says nothing about a hazard by itself.
    const wasFenced = isFenced;
    if (FENCE.test(line)) isFenced = !isFenced;
    if (isFenced || wasFenced) continue;
    const title = titles.get(at + 1);
    const section = sections.at(-1);
    if (title !== undefined) {
      budget.spendCells(2);
      fieldOf.set(at + 1, at + 1);
      const last = section?.at(-1);
      isInItem = section !== undefined && asFields.get(at + 1) === 'item';
      if (last && isInItem) {
        const item = title.replace(/^\d{1,2}[.)]\s{1,3}/, '');
        last.text = last.text ? `${last.text}\n${item}` : item;
        fieldOf.set(at + 1, last.line);
      } else if (section && asFields.has(at + 1)) section.push({ heading: title, text: '', line: at + 1 });
      else {
        budget.spendTable();
        sections.push(titleFields(budget.spendText(title), at + 1));
      }
      continue;
    }
    if (!section || isInItem || tableLines.has(at + 1) || !line.trim() || isDivider(line)) continue;
    const [, bold, italic, plain, rest = ''] = FIELD.exec(line) ?? [];
    const alone = isAboveList(lines, at) ? line.trim() : undefined;
    const marked = bold !== undefined && isSentence(bold, line) ? undefined : bold;
    const heading =
      marked ?? italic ?? alone ?? (plain !== undefined && isHeading(plain, line, section) ? plain : undefined);
    budget.spendCells(2);
    const ratings = ratingsInLine(plainField(line.replace(BULLET, '')), phaseAbove(section));
    if (ratings.length > 0) {
      for (const rating of ratings)
        section.push({ ...rating, text: budget.spendText(rating.text), line: at + 1, isWhole: true });
      fieldOf.set(at + 1, at + 1);
    } else if (heading !== undefined && rest.trim() && BEGINS.test(heading.trim())) {
      budget.spendTable();
      const id = BEGINS.exec(heading.trim())?.[1] ?? '';
      sections.push(titleFields(`${id}: ${plainField(budget.spendText(rest))}`, at + 1));
      fieldOf.set(at + 1, at + 1);
    } else if (heading !== undefined && !asFields.has(section.at(-1)?.line ?? 0)) {
      section.push({ heading: heading.trim(), text: plainField(budget.spendText(rest)), line: at + 1 });
      fieldOf.set(at + 1, at + 1);
    } else {
      // What follows a field without a heading of its own belongs to it: a list, or a further paragraph.
      const last = section.at(-1);
      const more = plainField(budget.spendText(line.replace(BULLET, '')));
      if (!last || last.isWhole || last.line <= (section[0]?.line ?? 0)) continue;
      last.text = last.text ? `${last.text}\n${more}` : more;
      fieldOf.set(at + 1, last.line);
    }
  }
  const above = new Map(headings.map(({ line, level }) => [line, parentOf(headings, line, level)]));
  return { cards: joinParts(sections, above).map((fields) => toGrid(withOneName(fields), fileName)), fieldOf };
}

/** "Residual risk:" with nothing behind it: the phase of the ratings in the line below; null for any other field. */
function phaseAbove(section: readonly Field[]): Phase | null {
  const last = section.at(-1);
  return last && last.text === '' ? groupPhase(last.heading) : null;
}

/** Whether bold words that no colon ends are a sentence of a field's text: "**The guard never fires.** Opening …". */
const isSentence = (words: string, line: string): boolean =>
  /[.!?]$/.test(words.trim()) && !/:\*\*|\*\*:/.test(line) && matchHeader(words, null) === null;

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
  // "Risk 1: RISK-0001" has an id twice and no name, and "Hazard category 1: …" is a chapter.
  if (name !== undefined && ID_ALONE.test(name)) return { id: name, name: '' };
  return { id: id && !CHAPTER.test(id) ? id : null, name: name ?? title };
}
const ID_ALONE = /^[A-Za-z]{1,12}[-_]?\d{1,6}$/;
const CHAPTER = /\b(?:categor(?:y|ies)|chapter|section|part|table|appendix|annex|figure|step|phase)\b/i;

function titleFields(title: string, line: number): Field[] {
  const { id, name } = readTitle(title);
  const named: Field[] = name ? [{ heading: TITLE_NAME, text: name, line }] : [];
  return id ? [{ heading: 'Hazard ID', text: id, line }, ...named] : named;
}
/** The heading of a name that the title of a section gives. */
const TITLE_NAME = 'Hazard title';

/**
 * The fields of a section without the name out of its title, where a field names the hazard itself: under "# Hazard"
 * that of each of several.
 */
function withOneName(fields: Field[]): Field[] {
  // The title gives an id in the first line.
  const [first] = fields;
  const hasOwnId = fields.some(({ heading, line }) => line > (first?.line ?? 0) && IS_ID.test(heading.trim()));
  const namedBy = (names: RegExp) =>
    fields.filter(({ heading, text }) => heading !== TITLE_NAME && text && names.test(heading.trim())).length;
  // One that comes again names each of several hazards below the title.
  const isNamed = namedBy(hasOwnId ? NAMES_IT_WITH_ID : NAMES_IT) > 0 || namedBy(NAMES_IT_WITH_ID) > 1;
  return isNamed ? fields.filter(({ heading }) => heading !== TITLE_NAME) : fields;
}
const NAMES_IT = /^(?:hazard|risk) (?:name|title)$/i;
const NAMES_IT_WITH_ID = /^(?:hazard|risk)(?: (?:name|title))?$/i;
const IS_ID = /^(?:hazard|risk) (?:id|ref|reference|number|no\.?)$/i;

/**
 * The sections below one heading as one, where one of them alone has the id of a hazard: "Risk information" with the id,
 * then "Risk analysis" and "Ownership" of the same.
 * @param above the line of the heading above each section; 0 where there is none
 */
function joinParts(sections: readonly Field[][], above: ReadonlyMap<number, number>): Field[][] {
  const groups = new Map<number, Field[][]>();
  for (const [at, fields] of sections.entries()) {
    const parent = above.get(fields[0]?.line ?? 0) || -1 - at;
    groups.set(parent, [...(groups.get(parent) ?? []), fields]);
  }
  return [...groups].flatMap(([parent, parts]) => {
    const withId = parts.filter((fields) => fields.some(({ heading }) => IS_ID.test(heading.trim())));
    const [only] = withId;
    if (parent < 0 || !only || withId.length > 1 || parts.length < 2) return parts;
    const others = parts.filter((fields) => fields !== only).flat();
    return [[...only, ...others.filter(({ heading }) => heading !== TITLE_NAME)]];
  });
}
/** "**Hazard H001**: Wrong patient": the first line of a hazard in a section of several. */
const BEGINS = /^(?:hazard|risk)\s{1,3}((?:[A-Za-z]{1,8}[-_]?)?\d{1,6})$/i;

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
