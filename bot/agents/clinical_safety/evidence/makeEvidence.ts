import { Account } from '../../../../models/account.ts';
import { auditTrail } from '../../../../models/auditEvent.ts';
import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import type {
  EvidenceContent,
  EvidenceFinding,
  EvidenceProposal,
  EvidenceSeal,
} from '../../../../models/contracts/clinical_safety/evidence.ts';
import type { FindingLife, FindingLives } from '../../../../models/contracts/clinical_safety/findingLives.ts';
import { stateOf } from '../../../../models/contracts/clinical_safety/findingState.ts';
import type { AnalysisResult, Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { digestOf } from '../../../../models/digest.ts';
import { StoredFile } from '../../../../models/file.ts';
import { memberName, readMembers } from '../../../engine/accounts/members.ts';
import { readLives } from '../lives/readLives.ts';
import { listText } from '../results/jsonLines.ts';
import { loadResult } from '../results/results.ts';
import { listMatches } from './listMatches.ts';

/** An evidence pack: its content, the content's JSON text, and its seal. */
type MadeEvidence = { content: EvidenceContent; seal: EvidenceSeal; text: string };

/**
 * Everything about one analysis that an auditor needs, as of now.
 * @throws AppError no_result where the analysis has none; file_not_found, expired
 */
export async function makeEvidence(row: HazardAnalysisRow): Promise<MadeEvidence> {
  if (!row.resultFileId) throw new AppError('no_result');
  const { accountId } = row;
  const result = await loadResult(row);
  const [account, { members }, files, { lives, next }, decided, head] = await Promise.all([
    Account.findById(accountId, { name: 1, timeZone: 1 }).lean(),
    readMembers(accountId),
    listFiles(row, result),
    readLives(row, result.findings),
    TicketMatch.find({ accountId }).sort({ at: -1, ticketKey: 1 }).lean(),
    auditTrail.head(accountId),
  ]);
  const starter = members.find(({ userId }) => userId === row.userId);
  const byFinding = new Map(lives.map((life) => [life.findingId, life]));
  const content: EvidenceContent = {
    company: account?.name ?? '',
    timeZone: account?.timeZone ?? 'Europe/London',
    analysis: {
      id: row._id,
      createdAt: row.createdAt.toISOString(),
      status: row.status,
      logFileName: row.logFileName,
      logVersion: row.logVersion ?? null,
      ticketsFileName: row.ticketsFileName,
      isSample: row.isSample ?? false,
      headline: row.headline,
      by: starter ? memberName(starter) : null,
      signatures: (row.signatures ?? []).map(({ name, registration, reason, at }) => ({
        ...{ by: name, registration, reason },
        at: new Date(at).toISOString(),
      })),
    },
    metadata: result.analysisMetadata,
    files,
    next: next && { id: next.id, createdAt: next.createdAt, logVersion: next.logVersion },
    proposals: result.newHazards.map((proposal) => withDecision(proposal, row)),
    matches: listMatches(result, decided),
    findings: result.findings.map((finding) => withLife(finding, byFinding.get(finding.id), next)),
    hazards: result.existingHazards,
    tickets: result.tickets,
  };
  const text = await textOf(content);
  const seal: EvidenceSeal = {
    digest: await digestOf(Buffer.from(text)),
    chainHead: head && { seq: head.seq, hash: head.hash },
    madeAt: new Date().toISOString(),
  };
  return { content, seal, text };
}

/** The JSON text of a pack, as bytes. */
export const evidenceJson = ({ text, seal }: MadeEvidence): Buffer =>
  Buffer.from(`{"content":${text},"seal":${JSON.stringify(seal)}}`);

/** The content's JSON text; the two lists that may be long are written in slices. */
async function textOf({ hazards, tickets, ...rest }: EvidenceContent): Promise<string> {
  const lists = `"hazards":${await listText(hazards)},"tickets":${await listText(tickets)}`;
  return `${JSON.stringify(rest).slice(0, -1)},${lists}}`;
}

async function listFiles(
  { accountId, logFileName, ticketsFileName, mergedFileName }: HazardAnalysisRow,
  { analysisMetadata: { logDigest, ticketsDigest, jiraAnalysis } }: AnalysisResult,
): Promise<EvidenceContent['files']> {
  const merged = mergedFileName ? await StoredFile.findOne({ accountId, name: mergedFileName }).lean() : null;
  return [
    { use: 'Hazard log', fileName: logFileName, digest: logDigest },
    ...(ticketsDigest
      ? [{ use: 'Tickets', fileName: ticketsFileName ?? jiraAnalysis.source ?? '', digest: ticketsDigest }]
      : []),
    ...(merged ? [{ use: 'Merged hazard log', fileName: merged.originalName, digest: merged.digest }] : []),
  ];
}

function withDecision(proposal: NewHazard, row: HazardAnalysisRow): EvidenceProposal {
  const decision = row.decisions?.find(({ id }) => id === proposal.id);
  if (!decision) return { ...proposal, decision: null };
  // Analyses of earlier versions have no decider for each row: whoever sent the review stands for all.
  const { name, at, via } = row.decidedRows?.find(({ id }) => id === proposal.id) ??
    row.decidedBy ?? { name: 'unknown', at: row.createdAt, via: 'inbox' };
  const { id: _id, ...decided } = decision;
  return { ...proposal, decision: { ...decided, by: name, at: new Date(at).toISOString(), via } };
}

function withLife(finding: Finding, life: FindingLife | undefined, next: FindingLives['next']): EvidenceFinding {
  const { assignee, accepted, comments } = life ?? { assignee: null, accepted: null, comments: [] };
  return {
    ...finding,
    state: stateOf(finding, life, next),
    assignee: assignee?.name ?? null,
    accepted: accepted && { reason: accepted.reason, by: accepted.by, at: accepted.at },
    comments: comments.map(({ by, at, text }) => ({ by, at, text })),
  };
}
