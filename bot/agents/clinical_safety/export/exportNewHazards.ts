import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import {
  additionOf,
  describeProposals,
  titleOfAddition,
} from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { ticketKeys } from '../merge/changeLog.ts';
import { settle } from '../merge/plan.ts';
import { type SheetTable, writeWorkbook } from '../ooxml/writeWorkbook.ts';
import type { ExportOutput, HazardJobs } from '../worker/jobs.ts';

const PROPOSALS = [
  'Proposed id',
  'Outcome',
  'Name',
  'Description',
  'Cause',
  'Clinical impact',
  'Design control',
  'Test control',
  'Training control',
  'Business process control',
  'Status',
  'Tickets',
  'Knowledge base',
  'Candidates',
  'Suggested for discussion',
  'Reason',
  'Proposal',
  'Proposed as',
];
const PROPOSAL_WIDTHS = [12, 14, 34, 48, 48, 40, 36, 36, 30, 30, 24, 20, 36, 40, 28, 30, 26, 26];
const EVIDENCE = ['Proposed id', 'Ticket', 'Summary', 'Quote (verbatim)', 'Proposal'];
const EVIDENCE_WIDTHS = [12, 16, 48, 72, 26];

/** Makes a workbook of the proposed hazards, as drafted or edited, each with its evidence. Nothing is rated. */
export async function exportNewHazards({
  result,
  rows,
}: HazardJobs['exportNewHazards']['input']): Promise<ExportOutput> {
  const answers = new Map(rows.map((row) => [row.id, row]));
  const { standard, engineVersion, log, logDigest, jiraAnalysis } = result.analysisMetadata;
  const proposals = result.newHazards.map((original) => {
    const answer = answers.get(original.id);
    // A proposal without an answer is exported as proposed.
    const settled = settle(original, answer ?? { id: original.id, outcome: 'accepted' });
    const { proposal: hazard, values, knowledge, outcome, addition } = settled;
    const { severity, likelihood, risk } = hazard.suggested;
    return [
      addition ? '' : hazard.proposedId,
      answer ? outcome : 'not yet reviewed',
      values.name,
      values.description,
      values.cause,
      values.clinicalImpact,
      values.controlDesign,
      values.controlTest,
      values.controlTraining,
      values.controlBusiness,
      hazard.status,
      ticketKeys(hazard),
      knowledge,
      hazard.sure ? '' : hazard.candidates.map((candidate) => `${candidate.kbId} ${candidate.title}`).join('\n'),
      addition ? '' : `${severity} / ${likelihood}, risk ${risk} before controls`,
      answer?.reason ?? '',
      hazard.id,
      addition ? titleOfAddition(addition) : 'New hazard',
    ];
  });
  const idOf = (proposal: NewHazard) =>
    additionOf(proposal, answers.get(proposal.id)?.choice) ? '' : proposal.proposedId;
  const evidence = result.newHazards.flatMap((hazard) =>
    hazard.evidence.map(({ ticketKey, summary, quote }) => [idOf(hazard), ticketKey, summary, quote, hazard.id]),
  );
  const tables: SheetTable[] = [
    {
      name: 'Proposals',
      notes: [
        `${describeProposals(result.newHazards)}, for review by the Clinical Safety Officer`,
        `From ${log.fileName} (SHA-256 ${logDigest})${jiraAnalysis.source ? ` and ${jiraAnalysis.source}` : ''}. ${standard}, engine ${engineVersion}, language model used: ${result.analysisMetadata.modelUsed || 'no'}.`,
        'Proposals, not findings of fact. Severity and likelihood are suggestions before controls and are to be set by the Clinical Safety Officer.',
      ],
      headers: PROPOSALS,
      rows: proposals,
      widths: PROPOSAL_WIDTHS,
    },
    { name: 'Evidence', notes: [], headers: EVIDENCE, rows: evidence, widths: EVIDENCE_WIDTHS },
  ];
  return {
    bytes: await writeWorkbook(tables),
    fileName: `${baseName(log.fileName)}-new-hazards.xlsx`,
    contentType: SHEET_TYPES.xlsx,
  };
}

/** A file's name without its extension. */
export function baseName(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,8}$/, '');
}
