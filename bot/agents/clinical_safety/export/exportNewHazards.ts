import { surfaceName } from '../../../../models/contracts/clinical_safety/evidence.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { writeWorkbook } from '../ooxml/writeWorkbook.ts';
import type { ExportOutput, HazardJobs, RowReviews } from '../worker/jobs.ts';
import { DECIDERS, moment, proposalTable, quoteTable, type Table } from './proposalTable.ts';

/** Makes a workbook of the proposed hazards, as drafted or edited, each with its evidence. Nothing is rated. */
export async function exportNewHazards({
  result,
  rows,
  rowReviews = {},
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
      {
        name: 'Proposals',
        notes,
        ...withDeciders(proposalTable(result.newHazards, answers), result.newHazards, rowReviews),
      },
      { name: 'Evidence', notes: [], ...quoteTable(result.newHazards, answers) },
    ]),
    fileName: `${baseName(log.fileName)}-new-hazards.xlsx`,
    contentType: SHEET_TYPES.xlsx,
  };
}

/** Who decided each proposal, when and where; nothing where none of them was decided by a person. */
function withDeciders(table: Table, proposals: readonly NewHazard[], reviews: RowReviews): Table {
  if (Object.keys(reviews).length === 0) return table;
  return {
    headers: [...table.headers, ...DECIDERS.headers],
    widths: [...table.widths, ...DECIDERS.widths],
    rows: table.rows.map((row, at) => {
      const review = reviews[proposals[at]?.id ?? ''];
      return review ? [...row, review.reviewer, moment(review.decidedAt), surfaceName(review.surface ?? '')] : row;
    }),
  };
}

/** A file's name without its extension. */
export function baseName(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '');
}
