import {
  evidenceFileName,
  exportEvidence,
  printEvidence,
  readEvidence,
} from '../../../../models/contracts/clinical_safety/evidence.ts';
import { exportRelease, releaseFileName } from '../../../../models/contracts/clinical_safety/release.ts';
import { download, urlOf } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';

/** The evidence pack of an analysis, as it was when the page opened. */
export const useEvidence = (id: number | null) => useCall(readEvidence, id === null ? null : { params: { id } });

/** Saves the evidence pack as a workbook. */
export const saveWorkbook = (id: number): Promise<void> =>
  download(urlOf(exportEvidence, { params: { id } }), evidenceFileName(id, 'xlsx'));

/** Saves the evidence pack as a PDF. */
export const savePdf = (id: number): Promise<void> =>
  download(urlOf(printEvidence, { params: { id } }), evidenceFileName(id, 'pdf'));

/** Saves the release file, which outsiders can verify. */
export const saveRelease = (id: number): Promise<void> =>
  download(urlOf(exportRelease, { params: { id } }), releaseFileName(id));
