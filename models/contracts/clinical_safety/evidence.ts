import { z } from 'zod';
import { CHANNEL_PLACES } from '../channels.ts';
import { endpoint, idParam, isoDate } from '../endpoint.ts';
import { rowDecision } from '../questionRows.ts';
import { findingState } from './findingState.ts';
import { hazardAnalysisStatus } from './hazardAnalysis.ts';
import { analysisMetadata, existingHazard, finding, ticketVerdict } from './hazards.ts';
import { possibleMatch } from './matches.ts';
import { newHazard } from './proposals.ts';

/** Who decided, when and on which surface. */
const decider = z.object({ by: z.string(), at: isoDate, via: z.string() });

const evidenceFinding = finding.extend({
  state: findingState,
  assignee: z.string().nullable(),
  /** Why it stays as it is, also where the log has another value since. */
  accepted: z.object({ reason: z.string(), by: z.string(), at: isoDate }).nullable(),
  comments: z.array(z.object({ by: z.string(), at: isoDate, text: z.string() })),
});
export type EvidenceFinding = z.infer<typeof evidenceFinding>;

/** A ticket and a hazard that may cover it, or were decided. */
const evidenceMatch = z.object({
  ticketKey: z.string(),
  hazardId: z.string(),
  /** What speaks for it; null where the words are not near, and only a person named the hazard. */
  basis: possibleMatch
    .pick({ hazardName: true, score: true, ticketQuote: true, hazardQuote: true, place: true })
    .nullable(),
  /** The latest decision; null where nobody decided. */
  decision: decider
    .extend({
      covers: z.boolean(),
      /** Null while the decision stands. */
      takenBack: z.object({ by: z.string(), at: isoDate }).nullable(),
      /** Whether the texts changed since, so that it has to be decided again. */
      isStale: z.boolean(),
    })
    .nullable(),
});
export type EvidenceMatch = z.infer<typeof evidenceMatch>;

const evidenceProposal = newHazard.extend({
  /** Null where the review is not answered. */
  decision: rowDecision.omit({ id: true }).extend({ by: z.string(), at: isoDate, via: z.string() }).nullable(),
});
export type EvidenceProposal = z.infer<typeof evidenceProposal>;

/** What a digest covers: everything about one analysis that an auditor needs. */
const evidenceContent = z.object({
  company: z.string(),
  /** IANA name; times are shown in it. */
  timeZone: z.string(),
  analysis: z.object({
    id: z.number().int(),
    createdAt: isoDate,
    status: hazardAnalysisStatus,
    logFileName: z.string(),
    /** The version that the log states of itself. */
    logVersion: z.string().nullable(),
    ticketsFileName: z.string().nullable(),
    isSample: z.boolean(),
    headline: z.string(),
    /** Who started it; null for a schedule, and for people who left. */
    by: z.string().nullable(),
    /** Who signed the review, first to last; empty where nobody did. */
    signatures: z.array(
      z.object({ by: z.string(), registration: z.string().nullable(), reason: z.string(), at: isoDate }),
    ),
  }),
  metadata: analysisMetadata,
  /** SHA-256 of the files that were read, and of those that were made. */
  files: z.array(z.object({ use: z.string(), fileName: z.string(), digest: z.string() })),
  /** The next analysis of the same log, which tells what was fixed; null where there is none. */
  next: z.object({ id: z.number().int(), createdAt: isoDate, logVersion: z.string().nullable() }).nullable(),
  proposals: z.array(evidenceProposal),
  matches: z.array(evidenceMatch),
  findings: z.array(evidenceFinding),
  hazards: z.array(existingHazard),
  tickets: z.array(ticketVerdict),
});
export type EvidenceContent = z.infer<typeof evidenceContent>;

/** When and over what a pack was made. */
const evidenceSeal = z.object({
  /** SHA-256 over the JSON text of the content: two packs with one digest say the same. */
  digest: z.string(),
  /** The head of the company's audit chain; null where it has no rows. */
  chainHead: z.object({ seq: z.number().int(), hash: z.string() }).nullable(),
  madeAt: isoDate,
});
export type EvidenceSeal = z.infer<typeof evidenceSeal>;

export const evidence = z.object({ content: evidenceContent, seal: evidenceSeal });
export type Evidence = z.infer<typeof evidence>;

/** The surface of a decision, as people call it: "the inbox". */
export const surfaceName = (via: string): string =>
  (CHANNEL_PLACES as Record<string, string>)[via] ?? (via === 'mail' ? 'an e-mail' : 'the web');

/** The page of an analysis for printing. */
export const printPath = (id: number): string => `/analyses/${id}/print`;

/** A file name of the evidence pack of an analysis. */
export const evidenceFileName = (id: number, type: 'pdf' | 'xlsx'): string => `evidence-of-analysis-${id}.${type}`;

export const readEvidence = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/evidence',
  summary: 'Everything about one analysis for an auditor: its result, who decided what, digests, the head of the audit',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answer: evidence,
});

/** Findings, hazards, tickets, proposals and matches together; more take too much memory while they are laid out. */
export const MAX_PRINTED_RECORDS = 10_000;

export const printEvidence = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/evidence.pdf',
  summary: 'The evidence pack of one analysis, as a PDF',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answerType: 'file',
});

export const exportEvidence = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/evidence.xlsx',
  summary: 'The evidence pack of one analysis, as a workbook',
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answerType: 'file',
});
