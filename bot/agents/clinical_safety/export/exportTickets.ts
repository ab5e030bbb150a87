import { describeChoice, describeHazardSide } from '../../../../models/contracts/clinical_safety/coverageText.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { labelOfProposal } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { csvText } from '../../../engine/files/csvText.ts';
import { writeWorkbook } from '../ooxml/writeWorkbook.ts';
import type { ExportOutput, HazardJobs } from '../worker/jobs.ts';
import { baseName } from './exportNewHazards.ts';
import type { Table } from './proposalTable.ts';

const HEADERS = [
  'Ticket',
  'Summary',
  'Relevance',
  'Score',
  'Covered by',
  'Hazards',
  'Possible hazards (not counted)',
  'Knowledge base',
  'Quote (verbatim)',
  'Proposed as',
  'What speaks for the possible hazards (verbatim)',
];
const WIDTHS = [16, 60, 12, 10, 14, 20, 20, 24, 72, 16, 72];

/** A relevant ticket that nothing covers and no proposal names: no known kind of hazard fits it well enough. */
const WITHOUT_KIND = 'without a kind';

const COVERED = { link: 'link', match: 'match (earlier method)', person: 'a person' } as const;

/** The verdict on every ticket, in the tickets' original order. */
export function ticketTable({ tickets, newHazards }: Pick<AnalysisResult, 'tickets' | 'newHazards'>): Table {
  const proposed = new Map(
    newHazards.flatMap((proposal) => proposal.evidence.map(({ ticketKey }) => [ticketKey, labelOfProposal(proposal)])),
  );
  const rows = tickets.map(
    ({ key, summary, relevance, score, coveredBy, hazardIds, possibleHazardIds, possible, choice, kbIds, quote }) => [
      key,
      summary,
      relevance,
      score,
      coveredBy ? COVERED[coveredBy] : '',
      hazardIds.join(', '),
      (possibleHazardIds ?? []).join(', '),
      kbIds.join(', '),
      quote,
      proposed.get(key) ?? (relevance === 'relevant' && !coveredBy ? WITHOUT_KIND : ''),
      [
        ...(choice ? [describeChoice(choice)] : []),
        ...(possible ?? []).map(
          (match) => `${match.hazardId} ${describeHazardSide(match)}; ${key} “${match.ticketQuote}”`,
        ),
      ].join('\n'),
    ],
  );
  return { headers: HEADERS, rows, widths: WIDTHS };
}

/** Exports the verdict on every ticket, as CSV or XLSX. */
export async function exportTickets({ result, format }: HazardJobs['exportTickets']['input']): Promise<ExportOutput> {
  const { coverage, log, standard, engineVersion, modelUsed } = result.analysisMetadata;
  const { headers, rows, widths } = ticketTable(result);
  const fileName = `${baseName(log.fileName)}-tickets.${format}`;
  if (format === 'csv') {
    const text = csvText([headers, ...rows.map((row) => row.map(String))]);
    return {
      bytes: new Uint8Array(Buffer.from(text)),
      fileName,
      contentType: 'text/csv; charset=utf-8',
    };
  }
  const note = `Covered ${coverage.covered} of ${coverage.relevant} relevant: named in the log or the ticket, or confirmed by a person. Possible ${coverage.possible ?? 0} (near from ${coverage.threshold}), none ${coverage.none ?? 0}: not counted. Relevant from ${coverage.relevanceThreshold}, unsure from ${coverage.unsureThreshold} (${coverage.unsure} tickets). ${standard}, engine ${engineVersion}${modelUsed ? `, language model used: ${modelUsed}` : ''}.`;
  const bytes = await writeWorkbook([
    { name: 'Tickets', notes: ['What was decided about each ticket', note], headers, rows, widths },
  ]);
  return { bytes, fileName, contentType: SHEET_TYPES.xlsx };
}
