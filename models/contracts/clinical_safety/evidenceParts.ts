import { ROW_OUTCOMES } from '../questionRows.ts';
import {
  type Evidence,
  type EvidenceContent,
  type EvidenceFinding,
  type EvidenceMatch,
  type EvidenceProposal,
  surfaceName,
} from './evidence.ts';
import { countFindings, FINDING_LEVEL_NAMES, FINDING_STATE_NAMES } from './findingState.ts';
import { analysisStatusName } from './hazardAnalysis.ts';
import type { Control, ExistingHazard, Rating, TicketVerdict } from './hazards.ts';
import { placesText, placeText } from './placeText.ts';
import { PROPOSED_FIELDS } from './proposals.ts';
import { additionOf, basisFields, describeProposals, titleOfAddition, withMatch } from './proposalText.ts';
import { recordedRisk } from './riskWords.ts';

/**
 * A field of a record: a label with a text, or with a list. A field without a value is left out. A digest stands below
 * the text.
 */
export type EvidenceField = readonly [
  label: string,
  value: string | readonly string[] | null | undefined,
  digest?: string | undefined,
];

/** One finding, hazard, ticket, match or proposal. `code` is its id, where it stands before the title. */
export type EvidenceRecord = {
  key: string;
  code: string | null;
  title: string;
  state: string | null;
  fields: readonly EvidenceField[];
};

/** A part of the document; `empty` stands where it has no records. */
export type EvidencePart = { title: string; empty: string; records: readonly EvidenceRecord[] };

/** A time as people read it. */
type Moment = (iso: string) => string;

const grouped = (value: number) => value.toLocaleString('en-GB');

/** The figures at the head of the document, with their labels. */
export function evidenceFigures({ hazards, findings, metadata }: EvidenceContent): [value: string, label: string][] {
  const { coverage, jiraAnalysis } = metadata;
  const accepted = new Set(findings.filter(({ state }) => state === 'accepted').map(({ id }) => id));
  const count = (level: 'fix' | 'check', label: string): [string, string] => {
    const found = countFindings(findings, level, (id) => accepted.has(id));
    return [grouped(found.open), found.accepted > 0 ? `${label}, ${grouped(found.accepted)} accepted` : label];
  };
  return [
    [grouped(hazards.length), hazards.length === 1 ? 'hazard' : 'hazards'],
    count('fix', 'to fix'),
    count('check', 'to check'),
    jiraAnalysis.ticketsAnalyzed > 0
      ? [`${grouped(coverage.covered)} of ${grouped(coverage.relevant)}`, 'relevant tickets covered']
      : ['0', 'tickets analysed'],
  ];
}

/** What was analysed, when and with what. */
export function evidenceSummary({ content, seal }: Evidence, moment: Moment): EvidenceField[] {
  const { analysis, metadata, proposals, timeZone } = content;
  return [
    ['Hazard log', `${analysis.logFileName}${analysis.logVersion ? `, version ${analysis.logVersion}` : ''}`],
    ['Tickets', analysis.ticketsFileName ?? metadata.jiraAnalysis.source ?? 'None'],
    ['Sample', analysis.isSample ? 'Yes: a sample log of Arc, not of the company' : null],
    ['Analysed', moment(analysis.createdAt)],
    ['Started by', analysis.by ?? 'A schedule, or a person who left'],
    ['Status', analysisStatusName(analysis.status, true)],
    ['Review signed', signedLines(analysis, moment)],
    ['Proposed', describeProposals(proposals)],
    ['Engine', `${metadata.engineVersion}, ${metadata.standard}`],
    ['Language model', metadata.modelUsed === false ? 'None' : metadata.modelUsed],
    ['Risk matrix', metadata.log.matrix.name],
    ['Made', `${moment(seal.madeAt)}. All times are in ${timeZone}.`],
  ];
}

/** Who signed the review, why and when; null where nobody did. */
const signedLines = ({ signatures }: EvidenceContent['analysis'], moment: Moment): string[] | null =>
  signatures.length === 0
    ? null
    : signatures.map(
        ({ by, registration, reason, at }) =>
          `${by}${registration ? ` (${registration})` : ''}, ${moment(at)}: “${reason}”`,
      );

/** The digests of the files, of this content, and the head of the audit chain. */
export function evidenceFiles({ content, seal }: Evidence): EvidenceField[] {
  return [
    ...content.files.map(({ use, fileName, digest }): EvidenceField => [use, fileName, digest]),
    ['This content', 'Every copy with this digest, printed or as a workbook, says the same.', seal.digest],
    seal.chainHead
      ? ['Audit chain', `Head at row ${grouped(seal.chainHead.seq)}`, seal.chainHead.hash]
      : ['Audit chain', 'No rows'],
  ];
}

/** Every record of a pack, part by part. Tickets that are not relevant to safety have no fields. */
export function evidenceParts(content: EvidenceContent, moment: Moment): EvidencePart[] {
  const { findings, hazards, proposals, matches, tickets } = content;
  const orderOf = ({ level }: EvidenceFinding) => Object.keys(FINDING_LEVEL_NAMES).indexOf(level);
  const sorted = [...findings].sort((one, other) => orderOf(one) - orderOf(other));
  const others = tickets.filter(({ relevance }) => relevance === 'not');
  return [
    {
      title: 'Findings',
      empty: 'The log has no findings.',
      records: sorted.map((finding) => findingRecord(finding, content.next, moment)),
    },
    { title: 'Hazards', empty: 'The log has no hazards.', records: hazards.map(hazardRecord) },
    {
      title: 'Proposals',
      empty: 'Nothing was proposed.',
      records: proposals.map((proposal) => proposalRecord(proposal, moment)),
    },
    {
      title: 'Matches',
      empty: 'No ticket has a possible match.',
      records: matches.map((match) => matchRecord(match, moment)),
    },
    {
      title: 'Tickets',
      empty: 'No ticket is relevant to safety.',
      records: tickets.filter(({ relevance }) => relevance !== 'not').map(ticketRecord),
    },
    ...(others.length > 0
      ? [{ title: 'Tickets that are not relevant to safety', empty: '', records: others.map(bareTicket) }]
      : []),
  ];
}

function findingRecord(finding: EvidenceFinding, next: EvidenceContent['next'], moment: Moment): EvidenceRecord {
  const later = next ? `, by analysis ${next.id}${next.logVersion ? ` of version ${next.logVersion}` : ''}` : '';
  const { id, level, title, state, accepted } = finding;
  return {
    key: id,
    code: null,
    title: `${FINDING_LEVEL_NAMES[level]}: ${title}`,
    state: FINDING_STATE_NAMES[state] + (state === 'fixed' || state === 'gone' ? later : ''),
    fields: [
      ['What', finding.message],
      ['Hazard', finding.hazardId],
      ['Cells', placesText(finding.places, finding.places.length)],
      ['As recorded', finding.found],
      ['Expected', finding.expected],
      ['Clause', finding.clause],
      ['Assigned to', finding.assignee],
      ['Accepted', accepted && `${accepted.reason} (${accepted.by}, ${moment(accepted.at)})`],
      ...finding.comments.map(
        ({ by, at, text }, index): EvidenceField => [`Comment ${index + 1}`, `${text} (${by}, ${moment(at)})`],
      ),
    ],
  };
}

function ratingText({ severity, likelihood, ...rated }: Rating): string | null {
  const risk = recordedRisk(rated);
  if (severity === null && likelihood === null && risk === null) return null;
  return `${severity ?? '–'} × ${likelihood ?? '–'}, risk ${risk ?? 'not recorded'}`;
}

const CONTROL_KINDS: Record<Control['kind'], string> = {
  existing: 'Existing',
  design: 'Design',
  test: 'Test',
  training: 'Training',
  business: 'Business process',
  unspecified: 'Control',
};

function controlText({ kind, text, owner, status, evidence }: Control): string {
  const more = [owner, status, evidence].filter(Boolean).join(', ');
  return `${CONTROL_KINDS[kind]}: ${text}${more ? ` (${more})` : ''}`;
}

const hazardRecord = (hazard: ExistingHazard): EvidenceRecord => ({
  key: `${hazard.id} ${hazard.rows.first}`,
  code: hazard.id,
  title: hazard.name,
  state: hazard.status,
  fields: [
    ['Description', hazard.description],
    ['Causes', hazard.causes.map(({ id, text }) => (id ? `${id}: ${text}` : text))],
    ['Clinical impact', hazard.clinicalImpact],
    ['Initial', ratingText(hazard.initial)],
    ['Controls', hazard.controls.map(controlText)],
    ['Residual', ratingText(hazard.residual)],
    ['Rationale', hazard.rationale],
    ['Owner', hazard.owner],
    ['Tickets', hazard.ticketKeys.join(', ')],
    ['Place', `${hazard.rows.sheet}, rows ${hazard.rows.first} to ${hazard.rows.last}`],
  ],
});

const decidedText = ({ by, at, via }: { by: string; at: string; via: string }, moment: Moment) =>
  `${by}, ${moment(at)}, in ${surfaceName(via)}`;

/** What a reviewer changed in a proposal: each field with its label, as it was proposed. */
export function beforeEdits(proposal: EvidenceProposal): [label: string, before: string][] {
  const { decision } = proposal;
  const proposed = additionOf(proposal, decision?.choice)?.values ?? withMatch(proposal, decision?.choice).values;
  const edited = { ...proposed, ...decision?.values };
  return PROPOSED_FIELDS.flatMap(({ name, label }): [string, string][] =>
    edited[name] === proposed[name] ? [] : [[label, proposed[name] || 'Empty']],
  );
}

function proposalRecord(proposal: EvidenceProposal, moment: Moment): EvidenceRecord {
  const { decision } = proposal;
  const addition = additionOf(proposal, decision?.choice);
  const shown = withMatch(proposal, decision?.choice);
  const values = { ...(addition?.values ?? shown.values), ...decision?.values };
  return {
    key: proposal.id,
    code: null,
    title: `${addition ? titleOfAddition(addition) : proposal.proposedId}: ${values.name ?? shown.values.name}`,
    state: decision
      ? (ROW_OUTCOMES.find(({ id }) => id === decision.outcome)?.done ?? decision.outcome)
      : 'Not decided',
    fields: [
      ['Decided by', decision && decidedText(decision, moment)],
      ['Reason', decision?.reason],
      ['Choice', decision?.bestMatch ? 'Nobody chose: Arc took the closest match' : null],
      ...PROPOSED_FIELDS.filter(({ name }) => name !== 'name').map(
        ({ name, label }): EvidenceField => [label, values[name]],
      ),
      ...beforeEdits(proposal).map(([label, before]): EvidenceField => [`${label} as proposed`, before]),
      ...basisFields(shown, addition),
      ...proposal.evidence.map(({ ticketKey, quote }): EvidenceField => [ticketKey, `“${quote}”`]),
    ],
  };
}

function matchState({ decision }: EvidenceMatch): string {
  if (!decision) return 'Not decided';
  if (decision.takenBack) return 'Taken back';
  return decision.covers ? 'Covered' : 'Not covered';
}

function matchRecord(match: EvidenceMatch, moment: Moment): EvidenceRecord {
  const { ticketKey, hazardId, basis, decision } = match;
  const takenBack = decision?.takenBack;
  return {
    key: `${ticketKey} ${hazardId}`,
    code: null,
    title: `${ticketKey} and ${hazardId}`,
    state: matchState(match),
    fields: [
      ['Decided by', decision && decidedText(decision, moment)],
      [
        'Taken back',
        takenBack && `${takenBack.by}, ${moment(takenBack.at)}; it was ${decision.covers ? 'covered' : 'not covered'}`,
      ],
      ['Remark', decision?.isStale ? 'The texts changed since, so it has to be decided again' : null],
      ['Hazard', basis?.hazardName],
      ['Ticket says', basis && `“${basis.ticketQuote}”`],
      ['Hazard says', basis && `“${basis.hazardQuote}” (${placeText(basis.place)})`],
    ],
  };
}

const COVERED_BY: Record<NonNullable<TicketVerdict['coveredBy']>, string> = {
  link: 'a link in the log or the ticket',
  match: 'similar words (earlier method)',
  person: 'a person’s decision',
};

function ticketState({ relevance, coveredBy, possibleHazardIds = [] }: TicketVerdict): string {
  if (relevance === 'unsure') return 'Unsure, not counted';
  if (coveredBy) return 'Covered';
  return possibleHazardIds.length > 0 ? 'Possible match, not counted' : 'No hazard';
}

const ticketRecord = (ticket: TicketVerdict): EvidenceRecord => ({
  ...bareTicket(ticket),
  state: ticketState(ticket),
  fields: [
    ['Hazards', ticket.coveredBy ? `${ticket.hazardIds.join(', ')}, by ${COVERED_BY[ticket.coveredBy]}` : null],
    ['Possible', (ticket.possibleHazardIds ?? []).join(', ')],
    ['Quote', ticket.quote && `“${ticket.quote}”`],
    ['Knowledge base', ticket.kbIds.join(', ') || 'No kind of hazard'],
  ],
});

const bareTicket = ({ key, summary }: TicketVerdict): EvidenceRecord => ({
  key,
  code: key,
  title: summary,
  state: null,
  fields: [],
});

/** The fields that have a value. */
export const filledFields = (fields: readonly EvidenceField[]): EvidenceField[] =>
  fields.filter(([, value]) => value !== null && value !== undefined && value.length > 0);
