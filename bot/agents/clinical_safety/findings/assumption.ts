import type { CanonicalColumn } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { parseAddress } from '../ooxml/cellAddress.ts';
import type { ReadLog } from '../reading/logModel.ts';
import { lookUpRisk, type Matrix, NHS_LIKELIHOODS, NHS_MATRIX, NHS_SEVERITIES } from '../reading/riskMatrix.ts';
import type { Draft } from './rule.ts';

/** Why a matrix is not certain to be the log's, by what it rests on. */
const DOUBTS: Partial<Record<NonNullable<Matrix['basis']>, (name: string) => string>> = {
  assumed: (name) => `This assumes the ${name}: the kind of ratings suggests it, and nothing in the file states it.`,
  contradicted: (name) => `Most recorded risks differ from the ${name}, so it may not be the log’s matrix.`,
};
const doubtOf = ({ matrix }: Pick<ReadLog, 'matrix'>) => matrix.basis && DOUBTS[matrix.basis]?.(matrix.name);

/** Levels of acceptance belong to a matrix: those of the NHS are certain for its own table alone. */
export const hasNhsCells = ({ matrix }: ReadLog) =>
  NHS_SEVERITIES.every((severity, column) =>
    NHS_LIKELIHOODS.every(
      (likelihood, row) => lookUpRisk(matrix, severity, likelihood) === NHS_MATRIX.cells[row]?.[column],
    ),
  );

/** A finding to check, with the assumption that it rests on. */
export const weakened = (draft: Draft, why: string): Draft => ({
  ...draft,
  level: 'check',
  message: `${draft.message} ${why}`,
});

/** A finding that compares with the matrix: one to check, with the reason, where the matrix is only assumed. */
export function underMatrix(log: ReadLog, draft: Draft): Draft {
  const doubt = doubtOf(log);
  return doubt ? weakened(draft, doubt) : draft;
}

/** The columns that the cells of a finding stand in. */
export function columnsOf({ table }: ReadLog, { places }: Draft): Set<CanonicalColumn> {
  const columns = new Set(places.map(({ cell }) => parseAddress(cell.split(':')[0] ?? '')?.column));
  return new Set(table.columns.flatMap(({ canonical, column }) => (columns.has(column) ? [canonical] : [])));
}

/**
 * A finding that rests on columns whose meaning nobody has settled: one to check, with the reason.
 * @param restsOn the columns that its rule reads, besides those of its cells
 */
export function underColumns(log: ReadLog, draft: Draft, restsOn: readonly CanonicalColumn[]): Draft {
  if (log.doubts.length === 0) return draft;
  const columns = columnsOf(log, draft);
  const doubts = log.doubts.filter((doubt) =>
    doubt.columns.some((column) => columns.has(column) || restsOn.includes(column)),
  );
  return doubts.reduce((weaker, { why }) => weakened(weaker, why), draft);
}

/** A finding that rests on the NHS levels of acceptance: one to check, with the reason, for any other matrix. */
export const underNhsLevels = (log: ReadLog, draft: Draft): Draft =>
  hasNhsCells(log)
    ? underMatrix(log, draft)
    : weakened(draft, 'This assumes the NHS levels of acceptance. Your own matrix may have others.');

/** The risk of a rating: the matrix's where that is known, else the recorded one. */
export const riskUnder = (
  { matrix }: Pick<ReadLog, 'matrix'>,
  { expectedRisk, risk }: { expectedRisk: number | null; risk: number | null },
): number | null => (doubtOf({ matrix }) ? (risk ?? expectedRisk) : (expectedRisk ?? risk));
