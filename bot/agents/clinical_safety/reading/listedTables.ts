import type { Control } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { saysNotInPlace } from './controlStatus.ts';
import { normaliseHeader } from './headerWords.ts';
import type { LogHazard } from './logModel.ts';
import { matchHeader } from './matchHeader.ts';
import { controlKindOf } from './readControls.ts';

const CONTROL = /\b(?:controls?|measures?|mitigations?|barriers?|maßnahmen?|massnahmen?|mesures?)\b/i;
/** Headings of such a table stand in one of its first rows. */
const HEADER_ROWS = 10;
const MAX_ROWS = 5000;

export type Headings = { row: number; texts: { text: string; column: number }[] };

/** The first row of a grid that has two headings or more. */
export function headingsOf({ rows }: Grid): Headings | null {
  for (let row = 1; row < Math.min(rows.length, HEADER_ROWS); row += 1) {
    const texts = (rows[row] ?? []).flatMap((cell, column) =>
      cell?.text.trim() ? [{ text: cell.text.trim(), column }] : [],
    );
    if (texts.length > 1) return { row, texts };
  }
  return null;
}

/** The ids that a cell lists. */
export const refsIn = (text: string) => text.split(/[\s,;/]+/).filter((ref) => /\d/.test(ref));
/** The trimmed text of a cell; empty where blank. */
export const textAt = ({ rows }: Grid, row: number, column: number) => rows[row]?.[column]?.text.trim() ?? '';
/** The column of the first heading that fits; undefined where none does. */
export const columnWhere = ({ texts }: Headings, fits: (text: string) => boolean) =>
  texts.find(({ text }) => fits(text))?.column;
/** What a heading stands for; undefined for an unknown one. */
export const meaningOf = (heading: string) => matchHeader(heading, null)?.meaning;

const STATUS = /^(?:status|state|implemented|implementation(?: status)?|in place|control status|stand|statut|läge)$/;
/** The column of a state. */
export const statusColumn = (headings: Headings) => columnWhere(headings, (text) => STATUS.test(normaliseHeader(text)));

/** A grid with the columns of its own ids, of its texts and of their kinds. */
export type Listed = {
  grid: Grid;
  row: number;
  id: number;
  text: number;
  type: number | undefined;
  status: number | undefined;
};

/** A table of controls or causes with ids of its own; null for any other. */
export function readListed(grid: Grid): Listed | null {
  const headings = headingsOf(grid);
  if (!headings) return null;
  const id = columnWhere(headings, (text) => ['id', 'control_id', 'cause_id'].includes(meaningOf(text) ?? ''));
  const text = columnWhere(headings, (heading) =>
    ['control_text', 'cause', 'description', 'name'].includes(meaningOf(heading) ?? ''),
  );
  if (id === undefined || text === undefined) return null;
  return {
    grid,
    row: headings.row,
    id,
    text,
    type: columnWhere(headings, (heading) => /\btype\b|\bart\b/i.test(heading)),
    status: statusColumn(headings),
  };
}

/** Whether a table or the heading above it speaks of controls. */
export const saysControls = ({ grid, row }: Listed) =>
  CONTROL.test(
    [grid.name, grid.caption?.text ?? '', ...(grid.rows[row] ?? []).map((cell) => cell?.text ?? '')].join(' '),
  );

/** The numbers of the rows below a row of headings. */
export const rowsBelow = ({ rows }: Grid, row: number) =>
  Array.from({ length: Math.min(rows.length, MAX_ROWS) - row - 1 }, (_, at) => row + 1 + at);

/** A row of such a table as a control. */
export function toControl({ grid, text, type, status }: Listed, row: number): Control {
  return {
    text: textAt(grid, row, text),
    kind: controlKindOf(type === undefined ? '' : textAt(grid, row, type)),
    owner: null,
    status: (status === undefined ? '' : textAt(grid, row, status)) || null,
    evidence: null,
    place: { sheet: grid.name, cell: cellAddress(row, text) },
  };
}

/**
 * Gives a hazard a control, unless its status says that it is not in place: that one is kept apart. One that was read from
 * the same cell already is the same control.
 */
export function give(hazard: LogHazard, control: Control): void {
  const known = hazard.controls.findIndex(
    ({ text, place }) =>
      text === control.text && place.sheet === control.place.sheet && place.cell === control.place.cell,
  );
  if (known >= 0) hazard.controls.splice(known, 1);
  if (control.status && saysNotInPlace(control.status)) hazard.notInPlace = [...(hazard.notInPlace ?? []), control];
  else hazard.controls.push(control);
}
