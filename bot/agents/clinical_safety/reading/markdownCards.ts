import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import { plainField } from './markdown.ts';
import type { ReadingBudget } from './readingBudget.ts';
import { toNumber } from './toNumber.ts';

/** "Cause: text", "- **Cause:** text" and "**Cause** text": a heading of at most 60 characters and what follows it. */
const FIELD = /^\s{0,9}(?:[-*+]\s{1,9})?(?:\*\*([^*:]{1,60}):?\*\*:?|([^*:|#]{1,60}):)\s{0,9}(.*)$/;
const SECTION = /^#{1,6}\s{1,9}(.{1,200})$/;
/** "HAZ-01: Wrong patient": an id with a number, and a name. */
const TITLE = /^((?:[A-Za-z]{1,12}[-_ ]?)?\d{1,6}[a-z]?)\s{0,3}[-–—:.)]{0,2}\s{1,3}(\S.{0,180})$/;
const BULLET = /^\s{0,9}[-*+]\s{1,9}/;

type Field = { heading: string; text: string; line: number };

/**
 * The sections of a Markdown text whose lines are a heading and its text, a grid each: headings in the first column,
 * texts in the second. The title of a section gives the id and the name. Each cell knows its line, as row of column A.
 * @throws HazardFileError too_many_cells
 */
export function readMarkdownCards(text: string, fileName: string, budget: ReadingBudget): Grid[] {
  const sections: Field[][] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const title = SECTION.exec(line)?.[1];
    if (title !== undefined) {
      budget.spendTable();
      sections.push(titleFields(plainField(budget.spendText(title)), at + 1));
      continue;
    }
    const section = sections.at(-1);
    if (!section || line.includes('|') || !line.trim()) continue;
    const [, marked, plain, rest = ''] = FIELD.exec(line) ?? [];
    const heading = marked ?? plain;
    budget.spendCells(2);
    if (heading !== undefined)
      section.push({ heading: heading.trim(), text: plainField(budget.spendText(rest)), line: at + 1 });
    else {
      // What follows a field without a heading of its own belongs to it: a list, or a further paragraph.
      const last = section.at(-1);
      const more = plainField(budget.spendText(line.replace(BULLET, '')));
      if (last && section.length > 2) last.text = last.text ? `${last.text}\n${more}` : more;
    }
  }
  return sections.map((fields) => toGrid(fields, fileName));
}

function titleFields(title: string, line: number): Field[] {
  const [, id, name] = TITLE.exec(title) ?? [];
  const named: Field = { heading: 'Hazard name', text: name ?? title, line };
  return id === undefined ? [named] : [{ heading: 'Hazard ID', text: id, line }, named];
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
