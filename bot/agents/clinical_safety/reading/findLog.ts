import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { applyColumnChoices } from './columnChoices.ts';
import { takeNamesAsIds } from './contentMeanings.ts';
import { asDetails } from './detailTables.ts';
import { findHazardTable } from './findTable.ts';
import { findContinuations, isOfToday, keysOf, partOf, type TablePart } from './joinTables.ts';
import { readTitle } from './markdownCards.ts';
import type { OpenedFile } from './openFile.ts';
import { sameId } from './readHazards.ts';
import { readRecords } from './records.ts';

type FoundLog = {
  main: TablePart;
  /** The tables that continue it. */
  continuations: TablePart[];
  /** Names of sheets that look like hazard logs too. */
  others: string[];
  /** Tables and cards that tell more of the same hazards, to be joined by their ids. */
  details: TablePart[];
  /** Whether the main table was put together from cards, or from a table on its side. */
  isPutTogether: boolean;
};

/** A table with fewer known columns may be no more than an index of forms on sheets of their own. */
const MIN_COLUMNS_OF_LOG = 6;
/** Forms say at least so many more kinds of things of a hazard than their index. */
const MORE_KINDS = 3;

const kindsIn = ({ table }: TablePart) => new Set(table.columns.map(({ canonical }) => canonical)).size;

/** Whether a table lists, by their ids, just the hazards of which forms say more. */
function isIndexOf(main: TablePart, forms: TablePart): boolean {
  const [{ ids, names }, told] = [keysOf(main), keysOf(forms).ids];
  // "H1 — Wrong date": an index without a column of ids has them in its names.
  const listed = ids.size > 0 ? ids : new Set([...names].map((name) => sameId(readTitle(name).id ?? '')));
  return listed.size > 0 && [...listed].every((id) => told.has(id)) && kindsIn(forms) >= kindsIn(main) + MORE_KINDS;
}

/** The log of a file: a table with the tables that continue it, or else records that are put together as one. */
export function findLog({ grids, cards = [] }: OpenedFile, settled: readonly SettledPoint[]): FoundLog | null {
  const find = (among: readonly Grid[]) => {
    const tables = findHazardTable(among);
    return (
      tables && {
        table: applyColumnChoices(tables.table, settled),
        others: tables.others.map((other) => applyColumnChoices(other, settled)),
      }
    );
  };
  /** The records of some grids as a table. Each is a hazard, however little is filled in. */
  const put = (among: readonly Grid[]): TablePart | null => {
    const records = readRecords(among);
    const found = records && find([records]);
    return found && { table: found.table, dataRows: records.rows.flatMap((_, row) => (row > 1 ? [row] : [])) };
  };
  const found = find(grids);
  const main = found && partOf(takeNamesAsIds(found.table));
  const rows = main?.dataRows.length ?? 0;
  const records = put(rows > 0 ? cards : [...cards, ...grids]);
  const others = found ? [found.table.grid.name] : [];
  if (records && records.dataRows.length > rows)
    return { main: records, continuations: [], details: main ? [main] : [], others, isPutTogether: true };
  if (!found || !main) return null;
  if (main.table.columns.length < MIN_COLUMNS_OF_LOG) {
    const forms = put(grids.filter((grid) => grid !== main.table.grid));
    if (forms && isIndexOf(main, forms))
      return { main: forms, continuations: [], details: [main], others, isPutTogether: true };
  }
  const parts = found.others.map((other) => partOf(takeNamesAsIds(other)));
  const continuations = findContinuations(main, parts);
  const isLog = (grid: Grid) => [main, ...continuations].some(({ table }) => table.grid === grid);
  const cardsElsewhere = put(grids.filter((grid) => !isLog(grid)));
  return {
    main,
    continuations,
    details: [
      ...(records ? [records] : []),
      ...(cardsElsewhere ? [cardsElsewhere] : []),
      ...parts.filter((part) => !continuations.includes(part) && isOfToday(part)).map(asDetails),
    ],
    // A table without names lists causes or controls of hazards: it is no other log.
    others: parts
      .filter(({ table }) => table.columns.some(({ canonical }) => canonical === 'name' || canonical === 'description'))
      .filter((part) => !continuations.includes(part))
      .map(({ table }) => table.grid.name),
    isPutTogether: false,
  };
}
