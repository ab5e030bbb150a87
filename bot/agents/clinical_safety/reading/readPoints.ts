import type { SettledPoint } from '../../../../models/contracts/clinical_safety/settledPoint.ts';
import { findLostRoles, PHASES } from './columnChoices.ts';
import type { TablePart } from './joinTables.ts';
import type { CountedRun, ListedHazards, ReadLog } from './logModel.ts';
import { findOpenColumns } from './openColumns.ts';
import { findOpenGroups } from './openGroups.ts';
import { choiceOf, type OpenPoint, type ReadingDoubt } from './openPoints.ts';
import { findOpenScale, isScaleLost, SCALE } from './openScale.ts';
import type { Scale } from './scale.ts';
import { findOpenDirection } from './scaleDirection.ts';

type Read = {
  main: TablePart;
  cells: Pick<ReadLog, 'cell' | 'text' | 'place'>;
  /** The rows of the log, those of the tables that continue it included. */
  dataRows: readonly number[];
  scale: Scale;
  /** Names that list several hazards, and ids that count up under one name. */
  lists: readonly ListedHazards[];
  runs: readonly CountedRun[];
};

/**
 * The parts of a log that can be read in several ways: the points that a person has not settled, or whose choice no
 * longer fits; what the reading takes for granted meanwhile; and sentences about both.
 */
export function readPoints(
  { main, cells, dataRows, scale, lists, runs }: Read,
  settled: readonly SettledPoint[],
): { openPoints: OpenPoint[]; doubts: ReadingDoubt[]; remarks: string[] } {
  const lost = findLostRoles(main.table, settled);
  const isLost = isScaleLost(scale, choiceOf(settled, SCALE));
  const columns = findOpenColumns(main, lost);
  const ofScale = findOpenScale(scale, cells, dataRows, isLost);
  const isOpen = ({ id }: OpenPoint) =>
    choiceOf(settled, id) === undefined || (id === SCALE && isLost) || lost.some(({ role }) => id === `column:${role}`);
  const isUnknown = (point: OpenPoint) => isOpen(point) || choiceOf(settled, point.id) === null;
  // While it is open which ratings come first, nobody can say whether risks rise.
  const isPhaseOpen = columns.some((point) => point.id === PHASES && isUnknown(point));
  const ofDirection = isPhaseOpen ? null : findOpenDirection(cells, dataRows);
  const doubtful = [
    ...columns.map((point) => ({ point, columns: point.columns })),
    ...(ofDirection ? [{ point: ofDirection, columns: ['initial_risk' as const, 'residual_risk' as const] }] : []),
  ].filter(({ point }) => isUnknown(point));
  const points = [
    ...columns,
    ...(ofScale ? [ofScale] : []),
    ...(ofDirection ? [ofDirection] : []),
    ...findOpenGroups(cells, lists, runs),
  ];
  return {
    openPoints: points.filter(isOpen).map(({ id, label, why, candidates }) => ({ id, label, why, candidates })),
    doubts: doubtful.map(({ point: { id, label, why }, columns: roles }) => ({
      point: id,
      columns: roles,
      why: `What it rests on isn’t settled. ${label} ${why}`,
    })),
    remarks: [
      ...points.filter(isUnknown).map(({ label, why }) => `Not settled: ${label} ${why} What rests on it is to check.`),
      ...lost.map(
        ({ heading }) => `The column “${heading}”, which was chosen for an earlier version, is no longer in the file.`,
      ),
    ],
  };
}
