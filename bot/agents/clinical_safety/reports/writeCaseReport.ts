import { countGaps } from '../../../engine/files/wordDocument.ts';
import { writeWord } from '../../../engine/files/writeWord.ts';
import type { HazardJobs } from '../worker/jobs.ts';
import { makeCaseReport, nameOfCaseReport } from './caseReport.ts';
import type { ReportInput } from './reportInput.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Writes a safety case report as a Word document. */
export async function writeCaseReport(input: ReportInput): Promise<HazardJobs['writeCaseReport']['output']> {
  const report = makeCaseReport(input);
  return {
    bytes: await writeWord(report),
    fileName: nameOfCaseReport(input.analysis.logFileName),
    contentType: DOCX,
    gaps: countGaps(report),
  };
}
