import type { CanonicalColumn, MergeConflict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { cellAddress, MAX_TEXT_LENGTH, parseAddress } from '../ooxml/cellAddress.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import type { LogHazard, ReadLog } from '../reading/logModel.ts';
import { firstRowOf, makeIdLookup } from '../reading/readHazards.ts';
import { addedText, usualForm, withoutMark } from './listForm.ts';
import { CONTROLS, controlType, PROPOSED_STATUS, type RowValues } from './rowValues.ts';
import type { AddedSettled } from './settled.ts';

/** Text added at the end of a cell of the log. */
export type CellAddition = {
  /** The row and column of the cell in the whole log, in which later tables stand below the first. */
  row: number;
  column: number;
  /** Its place in the file. */
  sheet: string;
  cell: string;
  before: string;
  added: string;
  after: string;
};

/** Accepted causes or controls with their hazard: the cells that get them, or the further rows. */
export type PlannedAddition = AddedSettled & {
  hazard: LogHazard;
  cells: CellAddition[];
  rows: RowValues[];
  /** How many causes or controls. */
  count: number;
};

/** "1) Unit lost" is "Unit lost": the log's own form gives the number. */
const itemsOf = (text: string): string[] => text.split(/\n+/).map(withoutMark).filter(Boolean);

/** The cell that has a text of the log, the first of a merged range, with its place; null where the file has none. */
function findCell(
  log: ReadLog,
  row: number,
  canonical: CanonicalColumn,
): Pick<CellAddition, 'row' | 'column' | 'sheet' | 'cell'> | null {
  const column = log.columnOf(canonical);
  if (column === null) return null;
  const { grid } = log.table;
  if (row >= grid.rows.length) {
    const origin = log.cell(row, canonical)?.origin;
    return origin ? { row, column, ...origin } : null;
  }
  const merged = grid.merges.find(
    ({ top, bottom, left, right }) => row >= top && row <= bottom && column >= left && column <= right,
  );
  const first = { row: merged?.top ?? row, column: merged?.left ?? column };
  return { ...first, sheet: grid.name, cell: cellAddress(first.row, first.column) };
}

type AddedPart = { canonical: CanonicalColumn; items: string[] };

/** The texts by column: the causes, or each kind of control in its column, or all controls in the column for any. */
function partsOf(log: ReadLog, { addition, values }: AddedSettled): AddedPart[] {
  if (addition.as === 'cause') return [{ canonical: 'cause', items: itemsOf(values.cause) }];
  return CONTROLS.flatMap(([canonical, field, label]): AddedPart[] => {
    const items = itemsOf(values[field]);
    if (items.length === 0) return [];
    if (log.has(canonical)) return [{ canonical, items }];
    return [{ canonical: 'control_text', items: items.map((item) => `${label}: ${item}`) }];
  });
}

/** The further rows of a log with a row for each cause or control. */
function furtherRows(log: ReadLog, hazard: LogHazard, settled: AddedSettled, statusAllowed: boolean): RowValues[] {
  const { addition, values, proposal } = settled;
  const keys = proposal.evidence.slice(0, 10).map(({ ticketKey }) => ticketKey);
  const known = [...new Set(log.dataRows.map((row) => log.text(row, 'control_type')).filter(Boolean))];
  const rowWith = (own: [CanonicalColumn, string][]): RowValues => {
    const all: [CanonicalColumn, string][] = [
      ['id', hazard.id],
      ['name', log.text(firstRowOf(hazard), 'name')],
      ...own,
      ['notes', `Proposed from ${keys.join(', ')}; see the Change log.`],
      ...(statusAllowed ? [['status', PROPOSED_STATUS] as [CanonicalColumn, string]] : []),
    ];
    return new Map(all.filter(([column, text]) => text.trim() && log.has(column)));
  };
  if (addition.as === 'cause') return itemsOf(values.cause).map((cause) => rowWith([['cause', cause]]));
  return CONTROLS.flatMap(([canonical, field, label]) =>
    itemsOf(values[field]).map((item) =>
      rowWith(
        log.has(canonical)
          ? [[canonical, item]]
          : [
              ['control_text', item],
              ['control_type', controlType(label, known)],
            ],
      ),
    ),
  );
}

const refused = (settled: AddedSettled, why: string, place: MergeConflict['place'] = null): MergeConflict => ({
  hazardId: settled.addition.hazardId,
  kind: 'not-added',
  message: `“${settled.values.name}” was not written: ${why} It stays in the review; add it by hand, or analyse the log again.`,
  place,
});

/** Whether a cell can't take text: it is a formula, or it would be too long for Excel. */
function isFull(log: ReadLog, addition: CellAddition): boolean {
  const { row, column } = addressOf(addition);
  const cell = log.grids.find(({ name }) => name === addition.sheet)?.rows[row]?.[column];
  return cell?.formula != null || addition.after.length > MAX_TEXT_LENGTH;
}

/**
 * Plans where accepted causes and controls go: into the cell of their hazard, in the form of the log's lists, or into
 * further rows where the log has a row for each. Ratings and all other cells stay as they are. An addition is planned
 * whole or not at all: one with a cell that can't take text is a conflict.
 */
export function planAdditions(
  log: ReadLog,
  settled: readonly AddedSettled[],
  statusAllowed: boolean,
): { additions: PlannedAddition[]; conflicts: MergeConflict[] } {
  const additions: PlannedAddition[] = [];
  const conflicts: MergeConflict[] = [];
  /** The text of each cell so far: two proposals may go into one. */
  let texts: ReadonlyMap<string, string> = new Map();
  const findById = makeIdLookup(log.hazards);
  const usual = new Map<CanonicalColumn, ReturnType<typeof usualForm>>();
  const usualIn = (canonical: CanonicalColumn) => {
    if (!usual.has(canonical)) usual.set(canonical, usualForm(log.dataRows.map((row) => log.text(row, canonical))));
    return usual.get(canonical) ?? null;
  };
  for (const one of settled) {
    const { addition } = one;
    const [hazard, ...twins] = findById(addition.hazardId);
    if (!hazard || twins.length > 0) {
      const why = hazard ? 'names several hazards of the log' : 'is no longer in the log';
      conflicts.push(refused(one, `${addition.hazardId} ${why}.`));
      continue;
    }
    const needed = partsOf(log, one);
    const missing = needed.find(({ canonical }) => !log.has(canonical));
    if (missing || needed.length === 0) {
      conflicts.push(refused(one, `the log has no column for a ${addition.as}.`));
      continue;
    }
    const count = needed.reduce((sum, { items }) => sum + items.length, 0);
    if (hazard.hasId && hazard.rowNumbers.length > 1) {
      additions.push({ ...one, hazard, cells: [], rows: furtherRows(log, hazard, one, statusAllowed), count });
      continue;
    }
    const grown = new Map(texts);
    const cells = needed.flatMap(({ canonical, items }): CellAddition[] => {
      const row = hazard.rowNumbers.findLast((at) => log.text(at, canonical)) ?? firstRowOf(hazard);
      const place = findCell(log, row, canonical);
      if (!place) return [];
      const key = `${place.sheet}!${place.cell}`;
      const before = grown.get(key) ?? log.cell(row, canonical)?.text ?? '';
      const added = addedText(before, items, () => usualIn(canonical));
      const after = before + added;
      grown.set(key, after);
      return [{ ...place, before, added, after }];
    });
    const full = cells.find((cell) => isFull(log, cell));
    if (cells.length < needed.length) conflicts.push(refused(one, 'its cell in the log could not be found.'));
    else if (full) {
      const { sheet, cell } = full;
      conflicts.push(refused(one, `${cell} is a formula or would be too long.`, { sheet, cell }));
    } else {
      additions.push({ ...one, hazard, cells, rows: [], count });
      texts = grown;
    }
  }
  return { additions, conflicts };
}

/** The sheets of a log as they have to be after these additions, so that a merge can be compared with them. */
export function gridsWith(grids: readonly Grid[], additions: readonly PlannedAddition[]): Grid[] {
  const cells = additions.flatMap((addition) => addition.cells);
  return grids.map((grid) => {
    const own = cells.filter(({ sheet }) => sheet === grid.name);
    if (own.length === 0) return grid;
    const rows = [...grid.rows];
    for (const cell of own) {
      const { row, column } = addressOf(cell);
      const copy = (rows[row] ?? []).slice();
      copy[column] = { text: cell.after, number: null, formula: null };
      rows[row] = copy;
    }
    return { ...grid, rows };
  });
}

/** The row and column of a cell in its sheet. */
export const addressOf = ({ cell }: CellAddition): { row: number; column: number } =>
  parseAddress(cell) ?? { row: 0, column: 0 };
