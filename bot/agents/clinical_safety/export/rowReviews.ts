import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { RowReviews } from '../worker/jobs.ts';

/** Who decided each row of an analysis's review, by its proposal's id; empty in analyses of earlier versions. */
export const rowReviewsOf = ({ decidedRows = [] }: Pick<HazardAnalysisRow, 'decidedRows'>): RowReviews =>
  Object.fromEntries(
    decidedRows.map(({ id, name, at, via }) => [
      id,
      { reviewer: name, decidedAt: new Date(at).toISOString(), surface: via },
    ]),
  );
