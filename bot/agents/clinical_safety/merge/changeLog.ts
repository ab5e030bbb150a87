import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { describeSuggested } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { stampText } from '../../../../models/contracts/zonedText.ts';
import { ENGINE_VERSION, STANDARD } from '../engineVersion.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { isChangeLog } from '../reading/ownSheets.ts';
import type { MergeInput } from '../worker/jobs.ts';

import type { CellAddition } from './planAdditions.ts';
import { PROPOSED_STATUS } from './rowValues.ts';
import type { Recorded, Settled } from './settled.ts';

/** Used where the log already has another sheet named “Change log”. */
export const OTHER_CHANGE_LOG = 'Change log (Arc)';

export const CHANGE_LOG_HEADERS = [
  'Date',
  'Hazard',
  'Sheet row',
  'Outcome',
  'Reviewed by',
  'Status',
  'Name',
  'Description',
  'Cause',
  'Clinical impact',
  'Design control',
  'Test control',
  'Training control',
  'Business process control',
  'Tickets',
  'Quotes from the tickets',
  'Knowledge base',
  'Suggested for discussion',
  'Analysed log (SHA-256)',
  'Merged into (SHA-256)',
  'Tickets file (SHA-256)',
  'Audit chain head',
  'Proposal',
  'Reason',
  'Added to',
  'Before',
  'After',
];
export const CHANGE_LOG_WIDTHS = [
  12, 10, 10, 10, 24, 22, 36, 48, 48, 40, 36, 36, 30, 30, 18, 60, 36, 24, 24, 24, 24, 24, 26, 40, 24, 48, 48,
];

export const CHANGE_LOG_NOTE = `Written by Arc (engine ${ENGINE_VERSION}, ${STANDARD}). Each row was proposed from tickets and decided by the person named; rejected proposals are not in the log. Severity, likelihood, risk, status and approval are for the Clinical Safety Officer.`;

/** Further keys are only counted. */
const MAX_KEYS = 400;

/** The ticket keys of a proposal as the text of one cell. */
export function ticketKeys({ evidence }: NewHazard): string {
  const keys = evidence.slice(0, MAX_KEYS).map(({ ticketKey }) => ticketKey);
  const more = evidence.length - keys.length;
  return keys.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The ids of proposals that were merged or rejected before, according to the log's own Change log. */
export function readRecorded(grids: Grid[]): Recorded {
  const recorded: Recorded = { merged: new Set(), rejected: new Set() };
  const outcome = CHANGE_LOG_HEADERS.indexOf('Outcome') + 1;
  for (const grid of grids) {
    if (!isChangeLog(grid)) continue;
    for (const row of grid.rows)
      for (const cell of row ?? [])
        if (cell && /^proposal-[0-9a-f]{16}$/.test(cell.text))
          recorded[row?.[outcome]?.text === 'rejected' ? 'rejected' : 'merged'].add(cell.text);
  }
  return recorded;
}

/** A decision and the row that the hazard was written to; null for a rejected proposal. */
export type Recordable = Settled & {
  written: { hazardId: string; row: number } | null;
  /** The existing cells that got text. */
  cells?: CellAddition[];
};

/** One text for each cell, with its address where there are several. */
function perCell(cells: CellAddition[], textOf: (cell: CellAddition) => string): string {
  const many = cells.length > 1;
  return cells
    .map((cell) => (many ? `${cell.cell}: ${textOf(cell)}` : textOf(cell)))
    .join('\n')
    .slice(0, 30_000);
}

/** The Change log's rows, one for each decision. */
export function changeLogRows(
  decisions: Recordable[],
  { log, result, review, rowReviews = {}, timeZone = 'UTC', auditHead }: MergeInput,
  statusInLog: boolean,
): string[][] {
  const reviewOf = ({ id }: NewHazard) => rowReviews[id] ?? review;
  const reviewerOf = ({ reviewer, role, surface }: MergeInput['review']) =>
    [reviewer, role, surface].filter(Boolean).join(', ');
  const status = statusInLog ? `${PROPOSED_STATUS} (in the log)` : PROPOSED_STATUS;
  return decisions.map(({ proposal, written, outcome, values, knowledge, reason, cells = [] }) => [
    stampText(reviewOf(proposal).decidedAt, timeZone).slice(0, 10),
    written?.hazardId ?? '',
    written ? String(written.row) : '',
    outcome,
    reviewerOf(reviewOf(proposal)),
    written ? (cells.length > 0 ? PROPOSED_STATUS : status) : '',
    values.name,
    values.description,
    values.cause,
    values.clinicalImpact,
    values.controlDesign,
    values.controlTest,
    values.controlTraining,
    values.controlBusiness,
    ticketKeys(proposal),
    proposal.evidence
      .map(({ ticketKey, quote }) => `${ticketKey}: “${quote}”`)
      .join('\n')
      .slice(0, 30_000),
    knowledge,
    proposal.suggested ? `${describeSuggested(proposal, '/')} before controls; not entered in the log` : 'none',
    result.analysisMetadata.logDigest,
    log.digest,
    result.analysisMetadata.ticketsDigest ?? '',
    auditHead ?? '',
    proposal.id,
    reason,
    cells.map(({ sheet, cell }) => `${sheet}!${cell}`).join('\n'),
    perCell(cells, ({ before }) => before),
    perCell(cells, ({ after }) => after),
  ]);
}
