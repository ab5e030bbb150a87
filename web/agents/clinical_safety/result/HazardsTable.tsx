import { Button } from '@mantine/core';
import type { ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { differingRisk, recordedRisk } from '../../../../models/contracts/clinical_safety/riskWords.ts';
import { count } from '../../../data/words.ts';
import { type Column, SortableTable } from '../../../parts/table/SortableTable.tsx';
import drawer from '../findings/FindingDrawer.module.css';
import classes from './AnalysisResult.module.css';
import { inCell, type MatrixCell } from './RiskMatrix.tsx';

function RatingText({ rating }: { rating: Rating }) {
  const risk = recordedRisk(rating);
  if (risk === null && !rating.severity) return <span className="soft">Not rated</span>;
  const matrix = differingRisk(rating);
  return (
    <span>
      <strong className="figures">{risk ?? '–'}</strong>
      {matrix === null ? null : <span className={classes.wrong}> matrix gives {matrix}</span>}
      <br />
      <span className="soft small">
        {rating.severity ?? '–'} × {rating.likelihood ?? '–'}
      </span>
    </span>
  );
}

const makeColumns = (onOpen: (hazard: ExistingHazard) => void): Column<ExistingHazard>[] => [
  {
    id: 'id',
    header: 'Id',
    width: '96px',
    sort: (hazard) => hazard.id,
    cell: (hazard) => <span className="mono">{hazard.id}</span>,
  },
  {
    id: 'name',
    header: 'Hazard',
    sort: (hazard) => hazard.name,
    cell: (hazard) => (
      <span>
        <button type="button" className={drawer.open} onClick={() => onOpen(hazard)}>
          {hazard.name || hazard.id}
        </button>
        <br />
        <span className={`soft ${classes.clamped}`}>{hazard.description}</span>
      </span>
    ),
  },
  {
    id: 'causes',
    header: 'Cause entries',
    align: 'right',
    width: '124px',
    sort: (hazard) => hazard.causes.length,
    cell: (hazard) => hazard.causes.length,
  },
  {
    id: 'controls',
    header: 'Control entries',
    align: 'right',
    width: '132px',
    sort: (hazard) => hazard.controls.length,
    cell: (hazard) => hazard.controls.length,
  },
  {
    id: 'initial',
    header: 'Initial',
    width: '170px',
    sort: (hazard) => hazard.initial.risk ?? 0,
    cell: (hazard) => <RatingText rating={hazard.initial} />,
  },
  {
    id: 'residual',
    header: 'Residual',
    width: '170px',
    sort: (hazard) => hazard.residual.risk ?? 0,
    cell: (hazard) => <RatingText rating={hazard.residual} />,
  },
  {
    id: 'rows',
    header: 'Rows',
    width: '120px',
    cell: (hazard) => (
      <span className="mono">
        {hazard.rows.sheet}:{hazard.rows.first}
        {hazard.rows.last === hazard.rows.first ? '' : `–${hazard.rows.last}`}
      </span>
    ),
  },
];

/** Two hazards may have one id: the first row tells them apart. */
export const keyOfHazard = ({ id, rows }: ExistingHazard): string => `${id} ${rows.first}`;

/** The hazards of the log: one line each, however many rows a hazard has in the log. */
export function HazardsTable({
  hazards,
  cell,
  onClear,
  onOpen,
}: {
  hazards: readonly ExistingHazard[];
  cell: MatrixCell | null;
  onClear: () => void;
  onOpen: (hazard: ExistingHazard) => void;
}) {
  const rows = hazards.filter((hazard) => !cell || inCell(hazard, cell));
  return (
    <>
      {cell ? (
        <div className={classes.filtered}>
          <span>
            {count(rows.length, 'hazard')} with {cell.stage} {cell.severity} × {cell.likelihood}
          </span>
          <Button size="xs" variant="default" onClick={onClear}>
            Show all {hazards.length}
          </Button>
        </div>
      ) : null}
      <SortableTable
        label="Hazards"
        rows={rows}
        columns={makeColumns(onOpen)}
        keyOf={keyOfHazard}
        empty="This log has no hazards yet."
      />
    </>
  );
}
