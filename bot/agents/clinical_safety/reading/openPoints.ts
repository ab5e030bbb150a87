import type { CanonicalColumn, Place } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';

/** One row of the file under a candidate: its cells word for word, where they stand, and what is read from them. */
export type Example = { title: string; gives: string; quote: string; place: Place };

/** One way to read a point. */
export type ReadingCandidate = {
  /** The same for every version of a log: made of headings, or a name of ours. */
  id: string;
  /** For people; may hold words of the file. */
  label: string;
  /** The same without words of the file: "Column E". */
  reference: string;
  text: string | null;
  examples: Example[];
};

/** Something of a log that can be read in several ways, where the choice changes what is read or found. */
export type OpenPoint = {
  id: string;
  /** The question, without words of the file. */
  label: string;
  why: string;
  candidates: ReadingCandidate[];
};

/** Columns whose meaning nobody has settled, with the meaning that the reading assumes. */
export type ReadingDoubt = { point: string; columns: CanonicalColumn[]; why: string };

/** The choice made for a point; undefined where none was made. */
export const choiceOf = (settled: readonly SettledPoint[], point: string): string | null | undefined =>
  settled.find((one) => one.point === point)?.choice;

/** Each candidate is shown on at most this many rows. */
export const MAX_EXAMPLES = 3;
