import type { Rerated } from '../../../../models/contracts/clinical_safety/comparison.ts';
import type { LogShape, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { isSameRating } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { riskInCell } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { count } from '../../../data/words.ts';
import { highestFirst, rampOf } from '../result/RiskMatrix.tsx';
import classes from './Changes.module.css';

type Matrix = LogShape['matrix'];
/** A cell by its row and column as drawn. */
type Spot = { row: number; column: number };

function spotOf({ severity, likelihood }: Rating, matrix: Matrix, order: readonly number[]): Spot | null {
  const column = matrix.severities.findIndex((word) => isSameRating(word, severity ?? ''));
  const row = order.findIndex((at) => isSameRating(matrix.likelihoods[at] ?? '', likelihood ?? ''));
  return row < 0 || column < 0 ? null : { row, column };
}

/** The matrix with an arrow from each hazard's earlier cell to its cell now; the ids stand where they are now. */
export function RatingMoves({
  stage,
  rerated,
  matrix,
}: {
  stage: Rerated['stage'];
  rerated: readonly Rerated[];
  matrix: Matrix;
}) {
  const order = highestFirst(matrix.cells);
  const moves = rerated.flatMap(({ id, stage: of, before, after }) => {
    const [from, to] = [spotOf(before, matrix, order), spotOf(after, matrix, order)];
    return of === stage && from && to ? [{ id, from, to }] : [];
  });
  if (moves.length === 0) return null;
  const title = stage === 'initial' ? 'Initial risk' : 'Residual risk';
  const [columns, rows] = [matrix.severities.length, order.length];
  const x = ({ column }: Spot) => `${((column + 0.5) / columns) * 100}%`;
  const y = ({ row }: Spot) => `${((row + 0.5) / rows) * 100}%`;
  const marker = `arc-move-${stage}`;
  const isSpot = (one: Spot, row: number, column: number) => one.row === row && one.column === column;
  return (
    <figure className={classes.moves}>
      <figcaption>
        {title} <span className={`soft ${classes.light}`}>{count(moves.length, 'hazard')} moved</span>
      </figcaption>
      <div
        className={classes.frame}
        role="img"
        aria-label={`${title}: ${count(moves.length, 'hazard')} moved, listed below`}
      >
        <div className={classes.rows} style={{ gridTemplateRows: `repeat(${rows}, 1fr)` }}>
          {order.map((at) => (
            <span key={matrix.likelihoods[at]}>{matrix.likelihoods[at]}</span>
          ))}
        </div>
        <div className={classes.cells} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
          {order.flatMap((at, row) =>
            matrix.severities.map((severity, column) => {
              const here = moves.filter(({ to }) => isSpot(to, row, column));
              const risk = riskInCell(matrix, at, column);
              return (
                <div
                  key={`${matrix.likelihoods[at]} ${severity}`}
                  data-risk={rampOf(matrix.cells[at]?.[column] ?? 0, matrix.cells)}
                >
                  <span className={classes.risk}>{risk}</span>
                  <span className={classes.ids}>
                    {here
                      .slice(0, 2)
                      .map(({ id }) => id)
                      .join(' ')}
                    {here.length > 2 ? ` +${here.length - 2}` : ''}
                  </span>
                </div>
              );
            }),
          )}
          <svg aria-hidden>
            <defs>
              <marker id={marker} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
                <path d="M0 0 8 4 0 8z" />
              </marker>
            </defs>
            {moves
              .filter(({ from, to }) => from.row !== to.row || from.column !== to.column)
              .map(({ id, from, to }) => (
                <line key={id} x1={x(from)} y1={y(from)} x2={x(to)} y2={y(to)} markerEnd={`url(#${marker})`} />
              ))}
          </svg>
        </div>
        <div className={classes.columns} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
          {matrix.severities.map((severity) => (
            <span key={severity}>{severity}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}
