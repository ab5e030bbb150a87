import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { writeWorkbook } from '../ooxml/writeWorkbook.ts';
import type { ExportOutput, HazardJobs } from '../worker/jobs.ts';
import { proposalTable, quoteTable } from './proposalTable.ts';

/** Makes a workbook of the proposed hazards, as drafted or edited, each with its evidence. Nothing is rated. */
export async function exportNewHazards({
  result,
  rows,
}: HazardJobs['exportNewHazards']['input']): Promise<ExportOutput> {
  const answers = new Map(rows.map((row) => [row.id, row]));
  const { standard, engineVersion, log, logDigest, jiraAnalysis } = result.analysisMetadata;
  const notes = [
    `${describeProposals(result.newHazards)}, for review by the Clinical Safety Officer`,
    `From ${log.fileName} (SHA-256 ${logDigest})${jiraAnalysis.source ? ` and ${jiraAnalysis.source}` : ''}. ${standard}, engine ${engineVersion}, language model used: ${result.analysisMetadata.modelUsed || 'no'}.`,
    'Proposals, not findings of fact. Severity and likelihood are suggestions before controls and are to be set by the Clinical Safety Officer.',
  ];
  return {
    bytes: await writeWorkbook([
      { name: 'Proposals', notes, ...proposalTable(result.newHazards, answers) },
      { name: 'Evidence', notes: [], ...quoteTable(result.newHazards, answers) },
    ]),
    fileName: `${baseName(log.fileName)}-new-hazards.xlsx`,
    contentType: SHEET_TYPES.xlsx,
  };
}

/** A file's name without its extension. */
export function baseName(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '');
}
