import { FileError } from '../../../engine/files/fileError.ts';
import { counted } from '../counted.ts';
import { HazardFileError } from '../errors.ts';
import { openFile } from '../reading/openFile.ts';
import { describeUnread } from '../reading/unread.ts';
import { checkReport } from '../reportCheck/checkReport.ts';
import { readTicketsFrom } from '../tickets/readTickets.ts';
import type { InspectedFile, KnownProfile } from './jobs.ts';
import { readByProfile } from './readByProfile.ts';

/** A Word document or a Markdown text that calls itself a safety case report and has its sections; null for others. */
function inspectReport(bytes: Uint8Array, fileName: string): InspectedFile | null {
  if (!/\.(?:docx|md)$/i.test(fileName)) return null;
  try {
    const { isReport, facts, sections } = checkReport({ bytes, fileName, log: null });
    if (!isReport || !/\bsafety case report\b|\bCSCR\b/i.test(facts.title ?? '')) return null;
    const found = sections.filter(({ state }) => state !== 'missing').length;
    return { kind: 'safety-report', fileName, rowCount: found, remarks: [] };
  } catch (error) {
    // What can't be read as a report may still be a log; if not, reading it as one says why.
    if (error instanceof FileError) return null;
    throw error;
  }
}

/**
 * Determines whether a file is a hazard log or a ticket export, and counts its data rows.
 * @param profiles the company's; what the profile of an earlier version settles is not open
 * @throws HazardFileError where it is neither, or can't be read
 */
export async function inspect(
  bytes: Uint8Array,
  fileName: string,
  profiles: readonly KnownProfile[] = [],
): Promise<InspectedFile> {
  const report = inspectReport(bytes, fileName);
  if (report) return report;
  const opened = await openFile(bytes, fileName);
  const tickets = readTicketsFrom(opened);
  const log = readByProfile(opened, fileName, profiles)?.log ?? null;
  const rated =
    log && (log.has('initial_severity') || log.has('initial_likelihood') || log.columnOf('existing_controls') !== null);
  if (tickets && (!log || (tickets.sure && !rated))) {
    const remarks = [...opened.remarks.filter((remark) => !remark.includes('merge'))];
    if (tickets.duplicates)
      remarks.push(
        `${counted(tickets.duplicates, 'row repeats', 'rows repeat')} the key of another ticket. Rows with the same key were joined.`,
      );
    if (tickets.empty)
      remarks.push(
        `${counted(tickets.empty, 'ticket without summary and description was', 'tickets without summary and description were')} left out.`,
      );
    return {
      kind: 'tickets',
      fileName,
      rowCount: tickets.records.length + tickets.duplicates + tickets.empty,
      remarks,
    };
  }
  if (log)
    return {
      kind: 'hazard-log',
      fileName,
      rowCount: log.shape.rowCount,
      remarks: [...log.shape.remarks, ...describeUnread(log.findUnread())],
    };
  throw new HazardFileError(
    'neither_log_nor_tickets',
    'This file is neither a hazard log nor a ticket export. A hazard log has a heading row with the hazard’s name and its cause, effect, controls or rating; a ticket export has a key and a summary. Check that it is the right file.',
  );
}
