import type { Addition } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { counted } from '../counted.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { nameKinds } from './additionText.ts';
import type { Adjusted } from './adjustedPlaces.ts';
import type { KeptCells } from './keptCells.ts';
import type { PatchedSheet } from './patchSheet.ts';

export const NOTHING_WRITTEN = 'No row was written, so the workbook is unchanged.';

/** "2 new hazards written into log.xlsx", and in how many rows where each has not just one. */
export function describeNewHazards(hazards: number, rows: number, into = ''): string {
  const written = `${counted(hazards, 'new hazard')} written${into ? ` into ${into}` : ''}`;
  return rows === hazards ? written : `${written} in ${counted(rows, 'row')}`;
}

const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`).join(', ');

/** A sheet whose cells were compared with those before the merge. */
export type ComparedSheet = KeptCells & { sheet: string };

type PatchFacts = {
  patched: Pick<PatchedSheet, 'growth' | 'movedRows' | 'replacedFormulas'>;
  adjusted: readonly Adjusted[];
  /** Cells whose formula ends with the log's last row. */
  endingAbove: readonly string[];
  isRecalculated: boolean;
  compared: readonly ComparedSheet[];
  /** How many sheets are the same to the byte. */
  unchangedSheets: number;
  changeLog: string;
  changeLogIsNew: boolean;
  /** Existing cells that got a further ${nameKinds(grownBy)} at their end. */
  grownCells: readonly string[];
  /** What those cells got. */
  grownBy: readonly Addition['as'][];
};

const MAX_NAMED = 5;

/** "A", "A and B", "A, B and 3 more". */
function listed(names: readonly string[], most = MAX_NAMED): string {
  const shown = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const inSheets = (sheets: readonly ComparedSheet[]) => listed(sheets.map(({ sheet }) => `“${sheet}”`));
const total = (sheets: readonly ComparedSheet[], what: keyof KeptCells) =>
  sheets.reduce((sum, sheet) => sum + sheet[what], 0);

function describeKept(compared: readonly ComparedSheet[]): string {
  const [kept, replaced] = [total(compared, 'cells'), total(compared, 'replaced')];
  const had = `${counted(kept + replaced, 'cell')} that ${inSheets(compared)} had are there with the same value`;
  if (replaced === 0) return `all ${had}`;
  return `${kept.toLocaleString('en-GB')} of the ${had}, ${replaced === 1 ? 'one has' : `${replaced} have`} a value of the new rows`;
}

/** Describes the changes to a workbook other than the new rows, and what was compared: each sentence from what was done. */
export function describePatch({
  patched: { growth, movedRows, replacedFormulas },
  adjusted,
  endingAbove,
  isRecalculated,
  compared,
  unchangedSheets,
  changeLog,
  changeLogIsNew,
  grownCells,
  grownBy,
}: PatchFacts): string[] {
  const withFormulas = compared.filter(({ formulas }) => formulas > 0);
  const formulas = total(compared, 'formulas');
  const same =
    unchangedSheets > 0
      ? `, and ${unchangedSheets === 1 ? 'the other sheet is' : `the other ${unchangedSheets} sheets are`} the same to the byte`
      : '';
  return [
    movedRows > 0
      ? `${counted(movedRows, 'row')} below the log in “${growth.sheet}” moved down by ${growth.shift}.`
      : '',
    formulas > 0
      ? `${counted(formulas, 'formula')} that ${formulas === 1 ? 'refers' : 'refer'} to moved cells ${formulas === 1 ? 'was' : 'were'} adjusted, in ${inSheets(withFormulas)}.`
      : '',
    adjusted.length > 0
      ? `Adjusted to the new rows: ${listed(
          adjusted.map(({ one, many, count }) => counted(count, one, many)),
          adjusted.length,
        )}.`
      : '',
    replacedFormulas.length > 0
      ? `${counted(replacedFormulas.length, 'formula')} filled in below the log gave way to new values: ${listed(replacedFormulas)}.`
      : '',
    endingAbove.length > 0
      ? `${endingAbove.length === 1 ? 'This formula ends' : 'These formulas end'} above the new rows and ${endingAbove.length === 1 ? 'doesn’t' : 'don’t'} count them: ${listed(endingAbove)}. Check ${endingAbove.length === 1 ? 'it' : 'them'}.`
      : '',
    isRecalculated
      ? 'Excel calculates the formulas again when it opens the workbook; in another program, have them calculated again.'
      : '',
    changeLogIsNew ? `The sheet “${changeLog}” is new.` : `The sheet “${changeLog}” has new rows at its end.`,
    `Compared with your file: ${describeKept(compared)}${same}.`,
    grownCells.length > 0
      ? `Of these, ${listed(grownCells)} got a further ${nameKinds(grownBy)} at ${grownCells.length === 1 ? 'its' : 'their'} end; ratings and all other cells are as they were.`
      : '',
  ].filter(Boolean);
}

/** A comparison of a new workbook with the rows of the log that it was made from. */
export type ComparedRows = {
  /** Cells of the log with something in them. */
  cells: number;
  /** The places in the new workbook of those that do not have the same text. */
  different: readonly string[];
};

/** Describes what a new workbook contains and leaves out, for a log whose own file can't take rows. */
export function describeNewWorkbook(log: ReadLog, rowCount: number, { cells, different }: ComparedRows): string[] {
  const { grid, headerRows } = log.table;
  const rowsWithText = (from: number, to: number) =>
    grid.rows.slice(from, to).filter((row) => row?.some((cell) => cell?.text.trim())).length;
  const above = rowsWithText(1, headerRows[0] ?? 1);
  const below = rowsWithText(log.shape.lastDataRow + 1, grid.rows.length);
  const formulas = grid.rows.reduce((sum, row) => sum + (row?.filter((cell) => cell?.formula).length ?? 0), 0);
  const { sheets } = log.whole;
  const others = log.grids.filter((other) => other !== grid && !sheets.has(other.name)).map(({ name }) => name);
  const left = [
    above > 0 ? `${counted(above, 'row')} above the headings` : '',
    below > 0 ? `${counted(below, 'row')} below the log` : '',
    others.length > 0
      ? `the other ${others.length === 1 ? 'table or sheet' : 'tables or sheets'} ${quoted(others.slice(0, 10))}${others.length > 10 ? ' …' : ''}`
      : '',
    formulas > 0 ? `${counted(formulas, 'formula')} (their last values are here)` : '',
    'formatting',
  ].filter(Boolean);
  const own =
    rowCount === log.hazards.length
      ? `a row for each of the ${counted(rowCount, 'hazard')}`
      : `${counted(rowCount, 'row')} for the ${counted(log.hazards.length, 'hazard')}`;
  return [
    log.isPutTogether
      ? `This workbook is new: it has ${own} of the file.`
      : `This workbook is new: it has the headings and rows ${headerRows.at(-1) ?? 1} to ${log.shape.lastDataRow} of the log${sheets.size > 0 ? `, and the hazards of ${quoted([...sheets])}` : ''}.`,
    different.length === 0
      ? `Compared with your file: all ${counted(cells, 'cell')} of these rows have the same text.`
      : `Compared with your file: ${cells - different.length} of ${counted(cells, 'cell')} of these rows have the same text. A workbook can’t hold all of the text of ${listed(different)}.`,
    `Not in it: ${left.join('; ')}. Keep the original as well.`,
  ];
}
