import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { pathOfRows } from '../../../../models/contracts/askedQuery.ts';
import { analysisPath, findingPath, hazardPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { Finding, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { FoundRow } from '../../../../models/contracts/desk.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { Who } from '../../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import { bestRows } from '../../../engine/desk/wordsIn.ts';
import { findLatestResult } from '../results/findAnalysis.ts';
import { loadResult } from '../results/results.ts';

/** Analyses that are looked at, the newest. */
const MAX_ANALYSES = 200;

const LEVELS: Record<Finding['level'], string> = { fix: 'To fix', check: 'To check', note: 'To note' };

const RELEVANCE: Record<TicketVerdict['relevance'], string> = {
  relevant: 'Relevant to safety',
  unsure: 'Relevance unsure',
  not: 'Not relevant to safety',
};

const ticketNote = ({ relevance, coveredBy }: TicketVerdict): string =>
  relevance !== 'relevant' ? RELEVANCE[relevance] : `Relevant, ${coveredBy ? 'covered' : 'not covered'}`;

/** Hazards, findings and tickets of the newest result. */
async function findInResult(who: Who, agent: UserAgentRow, words: readonly string[]): Promise<FoundRow[]> {
  const analysis = await findLatestResult(who);
  if (!analysis) return [];
  const { existingHazards, findings, tickets } = await loadResult(analysis);
  const most = LIMITS.search.ofKind;
  const ticketPath = (key: string) =>
    pathOfRows(agent._id, { entity: 'tickets', where: { field: 'id', is: [key] }, onlyCount: false }, analysis._id);
  return [
    ...bestRows(existingHazards, words, ['hazard', 'hazards'], most, ({ id, name, description }) => [
      id,
      name,
      description,
    ]).map(({ id, name, status, rows: { first } }) => ({
      kind: 'Hazard',
      id,
      title: name,
      note: status ?? 'In the hazard log',
      path: hazardPath(analysis._id, { hazardId: id, firstRow: first }),
    })),
    ...bestRows(findings, words, ['finding', 'findings'], most, ({ hazardId, title, message }) => [
      hazardId ?? '',
      title,
      message,
    ]).map((it) => ({
      kind: 'Finding',
      id: it.id,
      title: it.title,
      note: LEVELS[it.level],
      path: findingPath(analysis._id, it.id),
    })),
    ...bestRows(tickets, words, ['ticket', 'tickets'], most, ({ key, summary }) => [key, summary, '']).map((it) => ({
      kind: 'Ticket',
      id: it.key,
      title: it.summary,
      note: ticketNote(it),
      path: ticketPath(it.key),
    })),
  ];
}

/** Analyses of the account by the names of their files and their headline, the newest first. */
async function findAnalyses(accountId: number, words: readonly string[]): Promise<FoundRow[]> {
  const rows = await HazardAnalysis.find(
    { accountId, resultFileId: { $ne: null } },
    { logFileName: 1, ticketsFileName: 1, headline: 1 },
  )
    .sort({ createdAt: -1 })
    .limit(MAX_ANALYSES)
    .lean();
  return bestRows(
    rows,
    words,
    ['analysis', 'analyses'],
    LIMITS.search.ofKind,
    ({ _id, logFileName, ticketsFileName, headline }) => [
      String(_id),
      logFileName,
      `${ticketsFileName ?? ''} ${headline}`,
    ],
  ).map(({ _id, logFileName, headline }) => ({
    kind: 'Analysis',
    id: String(_id),
    title: logFileName,
    note: headline,
    path: analysisPath(_id),
  }));
}

/** Hazards, findings and tickets of the newest result, and analyses, that contain every word. */
export async function findRows(who: Who, agent: UserAgentRow, words: readonly string[]): Promise<FoundRow[]> {
  const [rows, analyses] = await Promise.all([findInResult(who, agent, words), findAnalyses(who.accountId, words)]);
  return [...rows, ...analyses];
}
