import type { NewHazard } from '../../../../models/contracts/hazards.ts';
import { ENGINE_VERSION, STANDARD } from '../engineVersion.ts';
import type { MergeInput } from '../jobs.ts';
import { neutralise } from '../neutralise.ts';
import type { Grid } from '../ooxml/sheetScanner.ts';
import { isChangeLog } from '../reading/ownSheets.ts';
import type { PlannedHazard } from './plan.ts';
import { PROPOSED_STATUS } from './rowValues.ts';

/** Where the log has a sheet of that name already that is not ours. */
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
  'Source log (SHA-256)',
  'Tickets file (SHA-256)',
  'Audit chain head',
  'Proposal',
];
export const CHANGE_LOG_WIDTHS = [
  12, 10, 10, 10, 24, 22, 36, 48, 48, 40, 36, 36, 30, 30, 18, 60, 36, 24, 24, 24, 24, 26,
];

export const CHANGE_LOG_NOTE = `Written by Arc (engine ${ENGINE_VERSION}, ${STANDARD}). Each row was proposed from tickets and accepted by the person named. Severity, likelihood, risk, status and approval are for the Clinical Safety Officer.`;

/** More keys than this fill a cell that nobody reads; the rest is counted. */
const MOST_KEYS = 400;

/** The tickets of a proposal for one cell. */
export function ticketKeys({ evidence }: NewHazard): string {
  const keys = evidence.slice(0, MOST_KEYS).map(({ ticketKey }) => ticketKey);
  const more = evidence.length - keys.length;
  return keys.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The ids of the proposals that a log's own Change log says were merged before. */
export function mergedBefore(grids: Grid[]): Set<string> {
  const ids = new Set<string>();
  for (const grid of grids) {
    if (!isChangeLog(grid)) continue;
    for (const row of grid.rows)
      for (const cell of row ?? []) if (cell && /^proposal-[0-9a-f]{16}$/.test(cell.text)) ids.add(cell.text);
  }
  return ids;
}

/** One row for each hazard written: what came from where, and who said so. */
export function changeLogRows(
  hazards: (PlannedHazard & { row: number })[],
  { log, result, review, auditHead }: MergeInput,
  statusInLog: boolean,
): string[][] {
  const reviewer = [review.reviewer, review.role, review.surface].filter(Boolean).join(', ');
  return hazards.map(({ proposal, hazardId, row, outcome, values, knowledge }) =>
    [
      review.decidedAt.slice(0, 10),
      hazardId,
      String(row),
      outcome,
      reviewer,
      statusInLog ? `${PROPOSED_STATUS} (in the log)` : PROPOSED_STATUS,
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
      `${proposal.suggested.severity} / ${proposal.suggested.likelihood}, risk ${proposal.suggested.risk} before controls; not entered in the log`,
      log.digest,
      result.analysisMetadata.ticketsDigest ?? '',
      auditHead ?? '',
      proposal.id,
    ].map(neutralise),
  );
}
