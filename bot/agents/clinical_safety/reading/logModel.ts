import type {
  CanonicalColumn,
  Control,
  ExistingHazard,
  LogShape,
  Place,
  Unread,
} from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { Grid, GridCell } from '../ooxml/sheetScanner.ts';
import type { FoundTable } from './findTable.ts';
import type { LogIdentity } from './headingKeys.ts';
import type { OpenPoint, ReadingDoubt } from './openPoints.ts';
import type { Matrix } from './riskMatrix.ts';

/** A hazard as read, with the sheet rows it takes. */
export type LogHazard = Omit<ExistingHazard, 'kbIds'> & {
  rowNumbers: number[];
  /** False where the log gives no id and one was made up. */
  hasId: boolean;
  /** Ids that its rows have besides its own. */
  furtherIds?: string[];
  /** Controls whose status says that they are planned, proposed or rejected; they control nothing yet. */
  notInPlace?: Control[];
  /** The cells of its texts, where it has them. */
  textPlaces: Partial<Record<'name' | 'description' | 'clinicalImpact', Place>>;
};

/**
 * Neighbouring rows under one name whose ids count up, as dragging a cell down makes them. `isBare`: the further rows say
 * nothing of a hazard's own, only causes and controls.
 */
export type CountedRun = { rows: number[]; isBare: boolean };

/** A cell that lists several hazards, with the ids that the row has for them; no ids where it has one for all. */
export type ListedHazards = { row: number; names: string[]; ids: string[] };

/** A log as read: the input of the rules, and the place that a merge writes into. */
export type ReadLog = {
  fileName: string;
  /** How it was read; without what was not read. */
  shape: LogShape;
  /**
   * Lists the parts of the file that no hazard was read from. Called only where they are shown, because it takes a
   * sixth of the time of reading.
   */
  findUnread: () => Unread[];
  table: FoundTable;
  grids: Grid[];
  dataRows: number[];
  hazards: LogHazard[];
  matrix: Matrix;
  /** The cell of a data row in a canonical column; merged cells answer with their master. */
  cell: (row: number, column: CanonicalColumn) => GridCell | undefined;
  /** Its trimmed text; empty where blank or where the log has no such column. */
  text: (row: number, column: CanonicalColumn) => string;
  /** The texts of a row in every column of a canonical one, of which there are several for controls, with their places. */
  textsOf: (row: number, column: CanonicalColumn) => { text: string; place: Place }[];
  /** The likelihood of a row; its two parts where it has no total of them; empty where blank. */
  likelihoodOf: (row: number, phase: 'initial' | 'residual') => string;
  place: (row: number, column: CanonicalColumn) => Place;
  has: (column: CanonicalColumn) => boolean;
  columnOf: (column: CanonicalColumn) => number | null;
  /** The table with the rows of those that continue it below, and the sheets that these and any cards come from. */
  whole: { table: FoundTable; sheets: ReadonlySet<string> };
  /** Whether the table was put together from cards, or from a table on its side: no sheet of the file has it. */
  isPutTogether: boolean;
  /** Open points: parts that can be read in several ways and that nobody has settled, columns first. */
  openPoints: OpenPoint[];
  /** Assumptions of the reading on points that nobody has settled or nobody knew. */
  doubts: ReadingDoubt[];
  /** The identity that the versions of this log share. */
  identity: LogIdentity;
  /** The module of each data row, where each module counts its ids from 1; null for any other log. */
  modules: ReadonlyMap<number, string> | null;
  /** Rows under one name whose ids count up, each run with whether it was read as one hazard. */
  counted: (CountedRun & { isOne: boolean })[];
  /** Names that list several hazards, and a person's choice for them; null where there is none. */
  lists: { found: ListedHazards[]; choice: 'each' | 'one' | null };
  /** Whether the lowest number of its scale is the worst. */
  isFalling: boolean;
};
