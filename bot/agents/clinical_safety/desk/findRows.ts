import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { type Condition, pathOfRows } from '../../../../models/contracts/askedQuery.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
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

/** The rows of a finding's rule, of its hazard where it has one. */
const whereFinding = ({ rule, hazardId }: Finding): Condition => {
  const ofRule: Condition = { field: 'rule', is: [rule] };
  return hazardId === null ? ofRule : { all: [ofRule, { field: 'hazard', is: [hazardId] }] };
};

/** Hazards, findings and tickets of the newest result. */
async function findInResult(who: Who, agent: UserAgentRow, words: readonly string[]): Promise<FoundRow[]> {
  const analysis = await findLatestResult(who);
  if (!analysis) return [];
  const { existingHazards, findings, tickets } = await loadResult(analysis);
  const most = LIMITS.search.ofKind;
  const pathOf = (entity: string, where: Condition) =>
    pathOfRows(agent._id, { entity, where, onlyCount: false }, analysis._id);
  const pathOfId = (entity: string, id: string) => pathOf(entity, { field: 'id', is: [id] });
  return [
    ...bestRows(existingHazards, words, most, ({ id, name, description }) => [id, name, description]).map(
      ({ id, name, status }) => ({
        kind: 'Hazard',
        id,
        title: name,
        note: status ?? 'In the hazard log',
        path: pathOfId('hazards', id),
      }),
    ),
    ...bestRows(findings, words, most, ({ hazardId, title, message }) => [hazardId ?? '', title, message]).map(
      (it) => ({
        kind: 'Finding',
        id: it.id,
        title: it.title,
        note: LEVELS[it.level],
        path: pathOf('findings', whereFinding(it)),
      }),
    ),
    ...bestRows(tickets, words, most, ({ key, summary }) => [key, summary, '']).map((it) => ({
      kind: 'Ticket',
      id: it.key,
      title: it.summary,
      note: ticketNote(it),
      path: pathOfId('tickets', it.key),
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
  return bestRows(rows, words, LIMITS.search.ofKind, ({ _id, logFileName, ticketsFileName, headline }) => [
    String(_id),
    logFileName,
    `${ticketsFileName ?? ''} ${headline} analysis`,
  ]).map(({ _id, logFileName, headline }) => ({
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
