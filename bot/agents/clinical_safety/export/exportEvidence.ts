import {
  type Evidence,
  type EvidenceContent,
  evidenceFileName,
  surfaceName,
} from '../../../../models/contracts/clinical_safety/evidence.ts';
import { beforeEdits } from '../../../../models/contracts/clinical_safety/evidenceParts.ts';
import { countFindings, FINDING_STATE_NAMES } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { Finding, Place, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { SHEET_TYPES } from '../../../../models/contracts/files.ts';
import { type SheetTable, writeWorkbook } from '../ooxml/writeWorkbook.ts';
import type { ExportOutput } from '../worker/jobs.ts';
import { ticketTable } from './exportTickets.ts';
import { DECIDERS, moment, proposalTable, quoteTable, type Table } from './proposalTable.ts';

const placesOf = (places: readonly Place[]) => places.map(({ sheet, cell }) => `${sheet}!${cell}`).join('\n');

/** An evidence pack as a workbook. Its digest is that of the printed pack of the same content. */
export async function exportEvidence(pack: Evidence): Promise<ExportOutput> {
  const { content } = pack;
  const sheets: ({ name: string; notes?: string[] } & Table)[] = [
    { name: 'Summary', notes: [`Evidence pack of analysis ${content.analysis.id}`], ...summaryTable(pack) },
    { name: 'Findings', ...findingTable(content) },
    { name: 'Hazards', ...hazardTable(content) },
    { name: 'Tickets', ...ticketTable({ tickets: content.tickets, newHazards: content.proposals }) },
    { name: 'Matches', ...matchTable(content) },
    { name: 'Proposals', ...decidedProposals(content) },
    { name: 'Quotes', ...quoteTable(content.proposals, answersOf(content)) },
    { name: 'Files and audit', ...fileTable(pack) },
  ];
  return {
    bytes: await writeWorkbook(sheets.map((sheet): SheetTable => ({ notes: [], ...sheet }))),
    fileName: evidenceFileName(content.analysis.id, 'xlsx'),
    contentType: SHEET_TYPES.xlsx,
  };
}

function summaryTable({ content, seal }: Evidence): Table {
  const { analysis, metadata, findings, hazards, proposals, matches } = content;
  const { coverage, jiraAnalysis, log } = metadata;
  const accepted = new Set(findings.filter(({ state }) => state === 'accepted').map(({ id }) => id));
  const count = (level: Finding['level']) => countFindings(findings, level, (id) => accepted.has(id));
  const [toFix, toCheck, notes] = [count('fix'), count('check'), count('note')];
  const rows: (string | number)[][] = [
    ['Company', content.company],
    ['Hazard log', analysis.logFileName],
    ['Version that the log states', analysis.logVersion ?? 'none, or several'],
    ['Hazard log, SHA-256', metadata.logDigest],
    ['Tickets', analysis.ticketsFileName ?? jiraAnalysis.source ?? 'none'],
    ['Sample', analysis.isSample ? 'yes' : 'no'],
    ['Analysed', moment(analysis.createdAt)],
    ['Started by', analysis.by ?? 'a schedule, or a person who left'],
    ['Status', analysis.status.replaceAll('-', ' ')],
    ['Standard', metadata.standard],
    ['Engine version', metadata.engineVersion],
    ['Language model used', metadata.modelUsed || 'no'],
    ['Risk matrix', log.matrix.name],
    ['Hazards', hazards.length],
    ['Findings to fix', toFix.open],
    ['Findings to fix, accepted', toFix.accepted],
    ['Findings to check', toCheck.open],
    ['Findings to check, accepted', toCheck.accepted],
    ['Findings for information', notes.open],
    ['Tickets analysed', jiraAnalysis.ticketsAnalyzed],
    ['Relevant tickets', coverage.relevant],
    ['Covered tickets', coverage.covered],
    ['Possible, not counted', coverage.possible ?? ''],
    ['Neither covered nor possible', coverage.none ?? ''],
    ['Unsure, not counted', coverage.unsure],
    ['Proposals', describeProposals(proposals)],
    ['Proposals decided', proposals.filter(({ decision }) => decision).length],
    ['Matches decided', matches.filter(({ decision }) => decision).length],
    ['Digest of this content, SHA-256', seal.digest],
    ['Head of the audit chain', seal.chainHead?.hash ?? 'none'],
    ['Made', moment(seal.madeAt)],
  ];
  return { headers: ['What', 'Value'], rows, widths: [34, 80] };
}

function findingTable({ findings, next }: EvidenceContent): Table {
  const later = next ? ` (analysis ${next.id}${next.logVersion ? `, version ${next.logVersion}` : ''})` : '';
  const rows = findings.map((finding) => {
    const { state, accepted, assignee, comments } = finding;
    return [
      finding.level,
      finding.title,
      finding.message,
      finding.hazardId ?? '',
      placesOf(finding.places),
      finding.found ?? '',
      finding.expected ?? '',
      finding.clause ?? '',
      FINDING_STATE_NAMES[state] + (state === 'fixed' || state === 'gone' ? later : ''),
      assignee ?? '',
      accepted?.reason ?? '',
      accepted ? `${accepted.by}, ${moment(accepted.at)}` : '',
      comments.map(({ by, at, text }) => `${by}, ${moment(at)}: ${text}`).join('\n'),
      finding.rule,
    ];
  });
  return {
    headers: [
      'Level',
      'Finding',
      'Message',
      'Hazard',
      'Cells',
      'As recorded',
      'Expected',
      'Clause',
      'State',
      'Assigned to',
      'Accepted because',
      'Accepted by',
      'Comments',
      'Rule',
    ],
    rows,
    widths: [9, 40, 60, 12, 22, 18, 18, 10, 26, 20, 40, 32, 60, 28],
  };
}

const ratingText = ({ severity, likelihood }: Rating) =>
  severity === null && likelihood === null ? '' : `${severity ?? '–'} / ${likelihood ?? '–'}`;

function hazardTable({ hazards }: EvidenceContent): Table {
  const rows = hazards.map((hazard) => [
    hazard.id,
    hazard.name,
    hazard.description,
    hazard.causes.map(({ id, text }) => (id ? `${id}: ${text}` : text)).join('\n'),
    hazard.clinicalImpact,
    ratingText(hazard.initial),
    hazard.initial.risk ?? hazard.initial.riskWord ?? '',
    hazard.controls.map(({ kind, text, owner, status }) => controlText(kind, text, owner, status)).join('\n'),
    ratingText(hazard.residual),
    hazard.residual.risk ?? hazard.residual.riskWord ?? '',
    hazard.rationale ?? '',
    hazard.owner ?? '',
    hazard.status ?? '',
    hazard.ticketKeys.join(', '),
    `${hazard.rows.sheet}, rows ${hazard.rows.first} to ${hazard.rows.last}`,
  ]);
  return {
    headers: [
      'Id',
      'Hazard',
      'Description',
      'Causes',
      'Clinical impact',
      'Initial severity / likelihood',
      'Initial risk',
      'Controls',
      'Residual severity / likelihood',
      'Residual risk',
      'Rationale',
      'Owner',
      'Status',
      'Tickets',
      'Place',
    ],
    rows,
    widths: [12, 34, 48, 48, 40, 22, 9, 60, 22, 9, 40, 20, 18, 20, 26],
  };
}

function controlText(kind: string, text: string, owner: string | null, status: string | null): string {
  const more = [owner, status].filter(Boolean).join(', ');
  return `${kind}: ${text}${more ? ` (${more})` : ''}`;
}

function matchTable({ matches }: EvidenceContent): Table {
  const rows = matches.map(({ ticketKey, hazardId, basis, decision }) => [
    ticketKey,
    hazardId,
    basis?.hazardName ?? '',
    decision === null ? 'not decided' : decision.covers ? 'covered' : 'not covered',
    decision?.by ?? '',
    decision ? moment(decision.at) : '',
    decision ? surfaceName(decision.via) : '',
    decision?.takenBack ? `taken back by ${decision.takenBack.by}, ${moment(decision.takenBack.at)}` : '',
    decision?.isStale ? 'the texts changed since' : '',
    basis?.ticketQuote ?? '',
    basis?.hazardQuote ?? '',
    basis ? placesOf([basis.place]) : '',
    basis?.score ?? '',
  ]);
  return {
    headers: [
      'Ticket',
      'Hazard',
      'Hazard’s name',
      'Decision',
      'Decided by',
      'Decided at',
      'Where',
      'Taken back',
      'Remark',
      'Ticket says (verbatim)',
      'Hazard says (verbatim)',
      'Cell',
      'Score',
    ],
    rows,
    widths: [16, 14, 36, 14, 22, 24, 16, 36, 24, 60, 60, 20, 8],
  };
}

const answersOf = ({ proposals }: EvidenceContent) =>
  new Map(proposals.flatMap(({ id, decision }) => (decision ? [[id, { id, ...decision }] as const] : [])));

/** The proposals with who decided each, when and where. */
function decidedProposals(content: EvidenceContent): Table {
  const { headers, rows, widths } = proposalTable(content.proposals, answersOf(content));
  return {
    headers: [...headers, ...DECIDERS.headers, 'Choice', 'As proposed'],
    rows: rows.map((row, at) => {
      const proposal = content.proposals[at];
      const decision = proposal?.decision;
      if (!decision) return row;
      const choice = decision.bestMatch ? 'nobody chose: Arc took the closest match' : (decision.choice ?? '');
      const before = beforeEdits(proposal).map(([label, text]) => `${label}: ${text}`);
      return [...row, decision.by, moment(decision.at), surfaceName(decision.via), choice, before.join('\n')];
    }),
    widths: [...widths, ...DECIDERS.widths, 26, 60],
  };
}

function fileTable({ content, seal }: Evidence): Table {
  const rows: (string | number)[][] = content.files.map(({ use, fileName, digest }) => [use, fileName, digest]);
  const { chainHead } = seal;
  return {
    headers: ['What', 'Name', 'SHA-256'],
    rows: [
      ...rows,
      ['Content of this pack', 'printed packs with this digest say the same', seal.digest],
      [
        'Head of the audit chain',
        chainHead ? `row ${chainHead.seq}, ${moment(seal.madeAt)}` : 'no rows',
        chainHead?.hash ?? '',
      ],
    ],
    widths: [26, 60, 70],
  };
}
