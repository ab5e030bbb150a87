import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { ReadLog } from './logModel.ts';
import { MAX_EXAMPLES, type OpenPoint, type ReadingCandidate } from './openPoints.ts';
import { readRisk } from './readHazards.ts';
import { lookUpLevel, lookUpRisk } from './riskMatrix.ts';
import { NO_MATRIX, type Scale, type ScaleCandidate } from './scale.ts';

/** The point of which matrix decides. */
export const SCALE = 'scale';

type Cells = Pick<ReadLog, 'cell' | 'text' | 'place'>;
type Phase = 'initial' | 'residual';
const PHASES: readonly Phase[] = ['initial', 'residual'];

const WHY: Record<NonNullable<Scale['doubt']> | 'lost', string> = {
  lost: 'The matrix that was chosen for an earlier version no longer fits this file.',
  contradicted: 'The file brings a matrix, but most of the risks that it records are other ones.',
  several: 'The file brings several matrices that fit its ratings about equally well, and they give other risks.',
  assumed: 'The file brings no matrix, records too few risks to tell, and its ratings fit several.',
};

/** Names of matrices that hold no word of the file. */
const REFERENCES: Record<string, string> = {
  nhs: 'The NHS table (DCB0129 4.2)',
  product: 'Severity times likelihood',
  [NO_MATRIX]: 'None of these: compare no risk',
};

const labelOf = ({ id, matrix }: ScaleCandidate) =>
  REFERENCES[id] ?? `The matrix of the ${matrix.name}, from ${matrix.place?.cell ?? 'its first cell'}`;

/** A rating of the log with its recorded risk. */
type Rated = { row: number; phase: Phase; severity: string; likelihood: string; risk: number | null };

const ratedOf = (cells: Cells, dataRows: readonly number[]): Rated[] =>
  dataRows.flatMap((row) =>
    PHASES.flatMap((phase) => {
      const [severity, likelihood] = [cells.text(row, `${phase}_severity`), cells.text(row, `${phase}_likelihood`)];
      return severity && likelihood
        ? [{ row, phase, severity, likelihood, risk: readRisk(cells, row, `${phase}_risk`) }]
        : [];
    }),
  );

/** What a candidate makes of a rating. */
function meaningOf({ matrix }: ScaleCandidate, { severity, likelihood, risk }: Rated): string {
  const level = lookUpLevel(matrix, severity, likelihood);
  if (level !== null) return `The risk would be “${level}”`;
  const given = lookUpRisk(matrix, severity, likelihood);
  if (given === null) return 'The risk would not be compared';
  if (risk === null) return `The risk would be ${given}; none is recorded`;
  return risk === given ? `The risk would be ${given}, as recorded` : `The risk would be ${given}; ${risk} is recorded`;
}

/**
 * The question which matrix decides, each candidate on three ratings where they differ; null where nobody has to
 * choose.
 * @param isLost whether the matrix that was chosen before is gone
 */
export function findOpenScale(
  { doubt: found, candidates }: Scale,
  cells: Cells,
  dataRows: readonly number[],
  isLost = false,
): OpenPoint | null {
  const doubt = isLost && candidates.length > 1 ? 'lost' : found;
  if (!doubt) return null;
  const rated = ratedOf(cells, dataRows);
  const givenBy = (one: Rated) =>
    new Set(
      candidates.map(
        ({ matrix }) =>
          lookUpLevel(matrix, one.severity, one.likelihood) ?? lookUpRisk(matrix, one.severity, one.likelihood),
      ),
    );
  const recorded = rated.filter((one) => one.risk !== null);
  const shown = [...recorded, ...rated.filter((one) => one.risk === null)]
    .filter((one) => givenBy(one).size > 1)
    .slice(0, MAX_EXAMPLES);
  const quoteOf = ({ row, phase, severity, likelihood }: Rated) => {
    const risk = cells.text(row, `${phase}_risk` as CanonicalColumn);
    return [`Severity: ${severity}`, `Likelihood: ${likelihood}`, ...(risk ? [`Risk: ${risk}`] : [])].join(' · ');
  };
  return {
    id: SCALE,
    label: 'Which matrix gives the risk?',
    why: WHY[doubt],
    candidates: candidates.map(
      (candidate, at): ReadingCandidate => ({
        id: candidate.id,
        label: labelOf(candidate),
        reference: REFERENCES[candidate.id] ?? `Matrix ${at + 1} of the file`,
        text: null,
        examples: shown.map((one) => ({
          title: `${cells.text(one.row, 'id') || `Row ${one.row}`}, ${one.phase === 'initial' ? 'before' : 'after'} controls`,
          gives: meaningOf(candidate, one),
          quote: quoteOf(one),
          place: cells.place(one.row, `${one.phase}_severity`),
        })),
      }),
    ),
  };
}

/** Whether a choice of a matrix can no longer be followed. */
export const isScaleLost = ({ candidates }: Scale, choice: string | null | undefined): boolean =>
  typeof choice === 'string' && !candidates.some(({ id }) => id === choice);
