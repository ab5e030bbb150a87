import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { CheckedReport } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import type { TextBlock } from '../reading/textBlocks.ts';
import { checkAgainstLog } from './checks.ts';
import { readFacts, recogniseReport } from './facts.ts';
import { findPlaceholders } from './placeholders.ts';
import { readReportBlocks } from './reportBlocks.ts';
import { findSections } from './sections.ts';

const MAX_PLACEHOLDERS = 200;

/** A log that a report is compared with. */
export type LogToCompare = { fileName: string; result: AnalysisResult };

/** Reads a report's blocks: its sections, facts and open places, and how it agrees with the log. */
function checkBlocks(blocks: readonly TextBlock[], fileName: string, log: LogToCompare | null): CheckedReport {
  const sections = findSections(blocks);
  const { isReport, seems } = recogniseReport(blocks, sections);
  const facts = readFacts(blocks);
  const placeholders = findPlaceholders(blocks);
  return {
    fileName,
    isReport,
    seems,
    sections: isReport ? sections : [],
    facts,
    placeholders: isReport ? placeholders.slice(0, MAX_PLACEHOLDERS) : [],
    placeholderCount: isReport ? placeholders.length : 0,
    comparedWith: isReport ? (log?.fileName ?? null) : null,
    checks: isReport && log ? checkAgainstLog(blocks, facts, log.result) : [],
  };
}

/**
 * Reads the file of a safety case report.
 * @throws HazardFileError not_a_report_file, too_many_cells, too_costly
 */
export const checkReport = ({
  bytes,
  fileName,
  log,
}: {
  bytes: Uint8Array;
  fileName: string;
  log: LogToCompare | null;
}): CheckedReport => checkBlocks(readReportBlocks(bytes), fileName, log);
