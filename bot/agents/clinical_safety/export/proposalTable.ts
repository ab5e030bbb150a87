import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import {
  additionOf,
  describeSuggested,
  titleOfAddition,
} from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { ticketKeys } from '../merge/changeLog.ts';
import { settle } from '../merge/plan.ts';
import type { SheetTable } from '../ooxml/writeWorkbook.ts';

/** A table without its name and notes. */
export type Table = Pick<SheetTable, 'headers' | 'rows' | 'widths'>;

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

/** The proposals, as drafted or edited, one a row. */
export function proposalTable(proposals: readonly NewHazard[], answers: ReadonlyMap<string, RowDecision>): Table {
  const rows = proposals.map((original) => {
    const answer = answers.get(original.id);
    // A proposal without an answer is exported as proposed.
    const settled = settle(original, answer ?? { id: original.id, outcome: 'accepted' });
    const { proposal: hazard, values, knowledge, outcome, addition } = settled;
    const suggested = describeSuggested(hazard, '/');
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
      addition || !suggested ? '' : `${suggested} before controls`,
      answer?.reason ?? '',
      hazard.id,
      addition ? titleOfAddition(addition) : 'New hazard',
    ];
  });
  return { headers: PROPOSALS, rows, widths: PROPOSAL_WIDTHS };
}

/** Headings of who decided each proposal, when and where. */
export const DECIDERS = { headers: ['Decided by', 'Decided at', 'Where'], widths: [22, 24, 16] };

/** "2026-01-02 10:04:05 UTC": the same for every reader, and in the order of time when sorted. */
export const moment = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** What the tickets say for each proposal, one quotation a row. */
export function quoteTable(proposals: readonly NewHazard[], answers: ReadonlyMap<string, RowDecision>): Table {
  const idOf = (proposal: NewHazard) =>
    additionOf(proposal, answers.get(proposal.id)?.choice) ? '' : proposal.proposedId;
  const rows = proposals.flatMap((hazard) =>
    hazard.evidence.map(({ ticketKey, summary, quote }) => [idOf(hazard), ticketKey, summary, quote, hazard.id]),
  );
  return { headers: EVIDENCE, rows, widths: EVIDENCE_WIDTHS };
}
