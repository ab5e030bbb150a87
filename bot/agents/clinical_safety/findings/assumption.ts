import type { ReadLog } from '../reading/logModel.ts';
import { NHS_MATRIX } from '../reading/riskMatrix.ts';
import type { Draft } from './rule.ts';

const isAssumed = ({ matrix }: ReadLog) => matrix.basis === 'assumed';

/** Levels of acceptance belong to a matrix: those of the NHS are certain for its own table alone. */
const hasNhsCells = ({ matrix }: ReadLog) => JSON.stringify(matrix.cells) === JSON.stringify(NHS_MATRIX.cells);

const weakened = (draft: Draft, why: string): Draft => ({
  ...draft,
  level: 'check',
  message: `${draft.message} ${why}`,
});

/** A finding that compares with the matrix: one to check, with the reason, where the matrix is only assumed. */
export const underMatrix = (log: ReadLog, draft: Draft): Draft =>
  isAssumed(log)
    ? weakened(
        draft,
        `This assumes the ${log.matrix.name}: the kind of ratings suggests it, and nothing in the file states it.`,
      )
    : draft;

/** A finding that rests on the NHS levels of acceptance: one to check, with the reason, for any other matrix. */
export const underNhsLevels = (log: ReadLog, draft: Draft): Draft =>
  hasNhsCells(log)
    ? underMatrix(log, draft)
    : weakened(draft, 'This assumes the NHS levels of acceptance. Your own matrix may have others.');

/** The risk of a rating: the matrix's where that is known, else the recorded one. */
export const riskUnder = (
  { matrix }: Pick<ReadLog, 'matrix'>,
  { expectedRisk, risk }: { expectedRisk: number | null; risk: number | null },
): number | null => (matrix.basis === 'assumed' ? (risk ?? expectedRisk) : (expectedRisk ?? risk));
