import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';
import { keepFile } from '../../../../models/files.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { loadCore } from '../results/results.ts';
import { exportNewHazards } from '../worker/pool.ts';
import { rowReviewsOf } from './rowReviews.ts';

const EXPORT_NAME = /^(proposed|reviewed)-hazards-(\d+)\.xlsx$/;
/** Whether a name was made by {@link exportName}. */
export const isExport = (name: string): boolean => EXPORT_NAME.test(name);

/** The file name for an analysis's proposals: as proposed, or with the decisions. */
export const exportName = (part: 'proposed' | 'reviewed', analysisId: number) => `${part}-hazards-${analysisId}.xlsx`;

/**
 * Makes an export on its first download, so that neither the analysis nor an answer has to wait for it.
 * @returns null where the name is not an export of this account
 */
export async function makeExport(accountId: number, name: string): Promise<FileRow | null> {
  const [, part, id] = EXPORT_NAME.exec(name) ?? [];
  if (!part) return null;
  const row = await HazardAnalysis.findOne({ _id: Number(id), accountId }).lean();
  if (!row?.resultFileId || (part === 'reviewed' && !row.decisions)) return null;
  const key = `analysis:${row._id}:${part}`;
  const standing = await StoredFile.findOne({ accountId, key }).lean();
  if (standing) return standing;
  const result = await loadCore(row);
  const { bytes } = await withFileErrors(
    exportNewHazards(
      part === 'reviewed' ? { result, rows: row.decisions ?? [], rowReviews: rowReviewsOf(row) } : { result, rows: [] },
      { accountId },
    ),
  );
  return keepFile({
    accountId,
    key,
    name,
    kind: 'export',
    type: SHEET_TYPES.xlsx,
    bytes,
  });
}
