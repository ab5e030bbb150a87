import { useLayoutEffect, useRef, useState } from 'react';
import type { ExistingHazard, LogShape, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { isSameRating } from '../../../../models/contracts/clinical_safety/ratingWords.ts';
import { recordedRisk, riskInCell } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { count } from '../../../data/words.ts';
import classes from './RiskMatrix.module.css';

type Stage = 'initial' | 'residual';
/** A cell of one of the two grids; filters the list of hazards. */
export type MatrixCell = { stage: Stage; severity: string; likelihood: string };

/** What the matrix needs of a hazard. */
type Rated = Pick<ExistingHazard, 'id' | 'initial' | 'residual' | 'rows'>;

/** Whether a hazard's rating is that of a cell. */
export function inCell(hazard: Pick<Rated, Stage>, cell: MatrixCell): boolean {
  const rated: Rating = hazard[cell.stage];
  return isSameRating(rated.severity ?? '', cell.severity) && isSameRating(rated.likelihood ?? '', cell.likelihood);
}

const collator = new Intl.Collator('en-GB', { numeric: true });
/** H2 before H12, wherever their rows stand in the log. */
const byId = (one: Rated, other: Rated) => collator.compare(one.id, other.id);

const hasRating = (rating: Rating) =>
  rating.severity !== null || rating.likelihood !== null || recordedRisk(rating) !== null;

/** Whether the log rates any of its hazards. */
export const hasRatings = (hazards: readonly Rated[]): boolean =>
  hazards.some(({ initial, residual }) => hasRating(initial) || hasRating(residual));

/** Why a grid would be empty; null where hazards have a place in it. */
function describeEmpty(hazards: readonly Rated[], stage: Stage, placed: number): string | null {
  if (placed > 0 || hazards.length === 0) return null;
  const rated = hazards.filter((hazard) => hasRating(hazard[stage])).length;
  return rated === 0
    ? `This log has no ${stage} ratings, so no matrix is drawn.`
    : `${count(rated, 'hazard has', 'hazards have')} ${stage} ratings, none of them a severity and a likelihood of this matrix.`;
}

/** The log's matrix twice, initial beside residual, with the hazards in their cells. A cell filters the list below. */
export function RiskMatrix({
  hazards,
  matrix,
  selected,
  onSelect,
}: {
  hazards: readonly Rated[];
  matrix: LogShape['matrix'];
  selected: MatrixCell | null;
  onSelect: (cell: MatrixCell | null) => void;
}) {
  const [pointed, setPointed] = useState<readonly string[]>([]);
  const frame = useRef<HTMLDivElement>(null);
  if (hazards.length > 0 && !hasRatings(hazards)) {
    return <p className="soft">This log has no ratings, so no matrix is drawn.</p>;
  }
  if (matrix.severities.length === 0 || matrix.likelihoods.length === 0) {
    return <p className="soft">No matrix: this log doesn’t define severities and likelihoods.</p>;
  }
  const rowOrder = highestFirst(matrix.cells);
  const grid = (stage: Stage, title: string) => {
    const placed = hazards.filter((hazard) =>
      matrix.severities.some((severity) =>
        matrix.likelihoods.some((likelihood) => inCell(hazard, { stage, severity, likelihood })),
      ),
    );
    const empty = describeEmpty(hazards, stage, placed.length);
    if (empty) {
      return (
        <div className={classes.grid}>
          <h4>{title}</h4>
          <p className="soft">{empty}</p>
        </div>
      );
    }
    return (
      <div className={classes.grid}>
        <table>
          <caption>
            {title}
            <span className="soft">
              {' '}
              {placed.length === hazards.length
                ? count(hazards.length, 'hazard')
                : `${placed.length} of ${count(hazards.length, 'hazard')} rated`}
            </span>
          </caption>
          <tbody>
            {rowOrder.map((row) => {
              const likelihood = matrix.likelihoods[row] ?? '';
              return (
                <tr key={likelihood}>
                  <th scope="row">{likelihood}</th>
                  {matrix.severities.map((severity, column) => {
                    const cell: MatrixCell = { stage, severity, likelihood };
                    const here = hazards.filter((hazard) => inCell(hazard, cell)).sort(byId);
                    const ids = here.map(({ id }) => id);
                    const risk = riskInCell(matrix, row, column);
                    const on =
                      selected?.stage === stage && selected.severity === severity && selected.likelihood === likelihood;
                    return (
                      <td
                        key={severity}
                        data-risk={rampOf(matrix.cells[row]?.[column] ?? 0, matrix.cells)}
                        data-empty={here.length === 0 || undefined}
                        data-stage={stage}
                        data-ids={ids.join('\n')}
                      >
                        <button
                          type="button"
                          aria-pressed={on}
                          disabled={here.length === 0}
                          aria-label={`${title}: ${likelihood}, ${severity}, risk ${risk}, ${count(here.length, 'hazard')}${here.length > 0 ? `: ${here.map((it) => it.id).join(', ')}` : ''}`}
                          onClick={() => onSelect(on ? null : cell)}
                          onFocus={() => setPointed(ids)}
                          onBlur={() => setPointed([])}
                          onPointerEnter={() => setPointed(ids)}
                          onPointerLeave={() => setPointed([])}
                        >
                          <span className={classes.risk} data-words={matrix.levels ? true : undefined}>
                            {risk}
                          </span>
                          {here.length > 0 ? <span className={classes.count}>{here.length}</span> : null}
                          <span className={classes.ids}>
                            {here.slice(0, 3).map((hazard) => (
                              <span
                                key={`${hazard.id} ${hazard.rows.first}`}
                                data-hazard={`${stage}:${hazard.id}`}
                                data-pointed={pointed.includes(hazard.id) || undefined}
                                onPointerEnter={() => setPointed([hazard.id])}
                                onPointerLeave={() => setPointed(ids)}
                              >
                                {hazard.id}
                              </span>
                            ))}
                            {here.length > 3 ? <span>+{here.length - 3}</span> : null}
                          </span>
                        </button>
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <td />
              {matrix.severities.map((severity) => (
                <th key={severity} scope="col">
                  {severity}
                </th>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    );
  };
  return (
    <div className={classes.pair} ref={frame}>
      {grid('initial', 'Initial risk')}
      {grid('residual', 'Residual risk')}
      {pointed.map((id) => (
        <Move key={id} frame={frame} hazard={id} />
      ))}
    </div>
  );
}

/** Row indexes with the highest likelihood first, whichever order the log has. */
export function highestFirst(cells: readonly (readonly number[])[]): number[] {
  const sum = (row: readonly number[] | undefined) => (row ?? []).reduce((total, risk) => total + risk, 0);
  const order = [...cells.keys()];
  return sum(cells[0]) < sum(cells.at(-1)) ? order.reverse() : order;
}

/** Step 1 to 5 of the colour ramp; a log's own scale, such as 1 to 25, is spread over the five steps. */
export function rampOf(risk: number, cells: readonly (readonly number[])[]): number {
  if (risk <= 0) return 1;
  const most = Math.max(5, ...cells.flat());
  return Math.min(5, Math.max(1, Math.ceil((risk / most) * 5)));
}

/** An arrow from a hazard's initial cell to its residual cell: from its id where the cell names it, or else from the cell. */
function Move({ frame, hazard }: { frame: React.RefObject<HTMLDivElement | null>; hazard: string }) {
  const [line, setLine] = useState<[number, number, number, number] | null>(null);
  useLayoutEffect(() => {
    const outer = frame.current?.getBoundingClientRect();
    const find = (stage: Stage) => {
      const cells = [...(frame.current?.querySelectorAll<HTMLElement>(`td[data-stage="${stage}"]`) ?? [])];
      const cell = cells.find(({ dataset }) => dataset.ids?.split('\n').includes(hazard));
      const named = [...(cell?.querySelectorAll<HTMLElement>('[data-hazard]') ?? [])];
      const id = named.find(({ dataset }) => dataset.hazard === `${stage}:${hazard}`);
      // An id that a narrow screen hides has no box.
      return (id?.offsetWidth ? id : cell)?.getBoundingClientRect();
    };
    const from = find('initial');
    const to = find('residual');
    if (!outer || !from || !to) return setLine(null);
    setLine([
      from.right - outer.left,
      from.top + from.height / 2 - outer.top,
      to.left - outer.left - 4,
      to.top + to.height / 2 - outer.top,
    ]);
  }, [frame, hazard]);
  if (!line) return null;
  const [x1, y1, x2, y2] = line;
  return (
    <svg className={classes.arrow} aria-hidden>
      <title>From initial to residual</title>
      <defs>
        <marker id="arc-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 8 4 0 8z" fill="var(--arc-ink)" />
        </marker>
      </defs>
      <line x1={x1} y1={y1} x2={x2} y2={y2} stroke="var(--arc-ink)" strokeWidth="1.5" markerEnd="url(#arc-arrow)" />
    </svg>
  );
}
