import type { ExistingHazard, LogShape } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { riskInCell } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import type { WordCell, WordTable } from '../../../engine/files/wordDocument.ts';
import { counted } from '../counted.ts';
import { positionOf } from '../reading/riskMatrix.ts';
import type { Stage } from './reportFigures.ts';

type Matrix = LogShape['matrix'];

/** Backgrounds of five steps of risk; dark text is readable on each. */
const FILLS = ['E8F3EC', 'F3F6D8', 'FCEFC4', 'F9DCC0', 'F3C9C4'];
/** A cell names at most this many hazards and counts the others. */
const MAX_NAMED = 12;

function fillOf(risk: number, cells: Matrix['cells']): string {
  const most = Math.max(5, ...cells.flat());
  return FILLS[Math.min(4, Math.max(0, Math.ceil((risk / most) * 5) - 1))] ?? 'FFFFFF';
}

/** Where a hazard stands in a matrix, as row and column; null where the matrix does not know its words. */
function placeOf(hazard: ExistingHazard, stage: Stage, { likelihoods, severities }: Matrix): [number, number] | null {
  const { severity, likelihood } = hazard[stage];
  const [row, column] = [positionOf(likelihoods, likelihood ?? ''), positionOf(severities, severity ?? '')];
  return row < 0 || column < 0 ? null : [row, column];
}

const hasMatrix = ({ severities, likelihoods }: Matrix): boolean => severities.length > 0 && likelihoods.length > 0;

/**
 * The matrix with the hazards in their cells.
 * @returns the table, and how many hazards have no place in it; null where the log has no matrix
 */
export function tableOfMatrix(
  hazards: readonly ExistingHazard[],
  stage: Stage,
  matrix: Matrix,
  caption: string,
): { table: WordTable; unplaced: ExistingHazard[] } | null {
  if (!hasMatrix(matrix)) return null;
  const places = new Map(hazards.map((hazard) => [hazard, placeOf(hazard, stage, matrix)]));
  const cell = (row: number, column: number): WordCell => {
    const here = hazards.filter((hazard) => {
      const place = places.get(hazard);
      return place?.[0] === row && place[1] === column;
    });
    const risk = matrix.cells[row]?.[column] ?? 0;
    const named = here.slice(0, MAX_NAMED).map(({ id }) => id);
    const more = here.length > MAX_NAMED ? [`and ${here.length - MAX_NAMED} more`] : [];
    return {
      fill: fillOf(risk, matrix.cells),
      isCentred: true,
      lines: [
        [{ text: matrix.levels ? riskInCell(matrix, row, column) : `Risk ${risk}`, bold: true }],
        ...(here.length > 0 ? [[counted(here.length, 'hazard')], [[...named, ...more].join(', ')]] : []),
      ],
    };
  };
  const table: WordTable = {
    kind: 'table',
    caption,
    head: ['Likelihood \\ severity', ...matrix.severities],
    rows: matrix.likelihoods.map((likelihood, row) => [
      likelihood,
      ...matrix.severities.map((_, column) => cell(row, column)),
    ]),
    widths: [1.1, ...matrix.severities.map(() => 1)],
    hasRowHeads: true,
  };
  return { table, unplaced: hazards.filter((hazard) => places.get(hazard) === null) };
}
