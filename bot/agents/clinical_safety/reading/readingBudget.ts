import { HazardFileError } from '../errors.ts';
import { threadMilliseconds as clock } from './threadClock.ts';

/** How many cells one file may have, blank ones of spanned cells included. */
export const CELL_LIMIT = 2_000_000;
/** The longest text of one cell. Excel keeps 32,767 characters; what is far longer is a file with a quote left open. */
export const LONGEST_CELL = 200_000;
/** All cells together, a shared string counted wherever it stands. */
const MOST_CHARACTERS = 64_000_000;
const MOST_TABLES = 1000;
/** A merged range is a decision of a person; a quarter of a million is a program's. */
const MOST_MERGES = 250_000;
/** Down to where all sheets together reach: one stray cell in the last row costs a million steps. */
const MOST_ROWS_REACHED = 4_500_000;
/** Units of work between two checks of the clock. */
const BETWEEN_LOOKS = 2000;

/**
 * What one file may cost while it is read. Counts first, since they give the same answer on every machine; the clock is
 * the net below them. Each reader spends as it goes, so that a costly file is refused on the way.
 */
export class ReadingBudget {
  readonly #what: string;
  readonly #until: number;
  #cells = 0;
  #tables = 0;
  #characters = 0;
  #merges = 0;
  #rows = 0;
  #sinceLook = 0;

  /** @param milliseconds processor time of this thread from now on; null: counts only */
  constructor(what: string, milliseconds: number | null) {
    this.#what = what;
    this.#until = milliseconds === null ? Number.POSITIVE_INFINITY : clock() + milliseconds;
  }

  /** @throws HazardFileError too_many_cells */
  spendCells(count: number): void {
    this.#cells += count;
    if (this.#cells > CELL_LIMIT)
      throw new HazardFileError(
        'too_many_cells',
        `This ${this.#what} has more than ${CELL_LIMIT.toLocaleString('en-GB')} cells, more than one analysis reads. Save the hazard log on its own and try again.`,
      );
    this.spendWork(count);
  }

  /** @throws HazardFileError too_many_cells */
  spendTable(): void {
    this.#tables += 1;
    if (this.#tables > MOST_TABLES)
      throw new HazardFileError(
        'too_many_cells',
        `This ${this.#what} has more than ${MOST_TABLES.toLocaleString('en-GB')} tables, more than one analysis reads. Save the table with the hazard log on its own and try again.`,
      );
  }

  /** The text of a cell, given back. @throws HazardFileError too_many_cells */
  spendText(text: string): string {
    if (text.length > LONGEST_CELL)
      throw new HazardFileError(
        'too_many_cells',
        `One cell of this ${this.#what} holds more than ${LONGEST_CELL.toLocaleString('en-GB')} characters. Often a quotation mark or a tag before it is never closed. Close it, or save the hazard log as .xlsx, and try again.`,
      );
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS)
      throw new HazardFileError(
        'too_many_cells',
        `The cells of this ${this.#what} hold more than ${MOST_CHARACTERS / 1e6} million characters together, more than one analysis reads. Save the hazard log on its own and try again.`,
      );
    return text;
  }

  /** @throws HazardFileError too_many_cells */
  spendMerge(): void {
    this.#merges += 1;
    if (this.#merges > MOST_MERGES)
      throw new HazardFileError(
        'too_many_cells',
        `This ${this.#what} has more than ${MOST_MERGES.toLocaleString('en-GB')} merged ranges. Clear the merged cells outside of the hazard log and try again.`,
      );
    this.spendWork(1);
  }

  /** @param row the last row of a sheet that says something @throws HazardFileError too_many_cells */
  spendRows(row: number): void {
    this.#rows += row;
    if (this.#rows > MOST_ROWS_REACHED)
      throw new HazardFileError(
        'too_many_cells',
        `Several sheets of this ${this.#what} have cells near the last row that a sheet can have. Delete the rows below the tables, or save the hazard log sheet on its own, and try again.`,
      );
    this.spendWork(row / 20);
  }

  /** Any other work, in units of about a microsecond. @throws HazardFileError too_costly */
  spendWork(units: number): void {
    this.#sinceLook += units;
    if (this.#sinceLook < BETWEEN_LOOKS) return;
    this.#sinceLook = 0;
    if (clock() > this.#until)
      throw new HazardFileError(
        'too_costly',
        `Reading this ${this.#what} takes more processor time than one file may use. Copy the hazard log sheet alone into a new workbook, as values, save it as .xlsx and try again.`,
      );
  }
}
