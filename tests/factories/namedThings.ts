import type { Things } from './wholeCompany.ts';

export type Id = string | number;
/** A place in a call that names something of a company. */
export type Place = {
  in: 'params' | 'query' | 'body' | 'form';
  name: string;
  /** Something of the right kind. */
  of: (things: Things) => Id;
  /** The value that holds the id, where it is not the id itself. */
  as?: (id: Id) => unknown;
  /** What a caller is answered who names something of nobody; 404 by default. */
  status?: number;
  /** One person's own: not even a colleague's. */
  isPersonal?: true;
  /** Answered alike whatever is named: it is off on this server, or closed to owners, or the thing has none of it. */
  isAlikeForAll?: true;
};

const inPath =
  (name: string) =>
  (of: Place['of'], more: Partial<Place> = {}): Place => ({ in: 'params', name, of, ...more });
const id = inPath('id');
const userAgentId = inPath('userAgentId');
const inBody = (name: string, of: Place['of'], more: Partial<Place> = {}): Place => ({ in: 'body', name, of, ...more });
const inQuery = (name: string, of: Place['of'], more: Partial<Place> = {}): Place => ({
  in: 'query',
  name,
  of,
  ...more,
});
const conversation = (where: Place['in'] = 'body'): Place => ({
  ...{ in: where, name: 'conversation', of: (it) => it.thread, isPersonal: true },
});

const analysis = id((it) => it.analysis);
const clinical = id((it) => it.agents.clinical_safety);
const developer = id((it) => it.agents.developer);
const thread = id((it) => it.thread, { isPersonal: true });
const job = id((it) => it.job);
const document = id((it) => it.document);
const toolServer = id((it) => it.toolServer);
const outsideQuestion = id((it) => it.outsideQuestion);
const hired = id((it) => it.agents.ops);

const CLOSED = { status: 403, isAlikeForAll: true } as const;
const OFF = { status: 422, isAlikeForAll: true } as const;

/** Every place of every call that names something of a company. */
export const PLACES: Record<string, Place[]> = {
  'get /api/questions/:id': [outsideQuestion],
  'delete /api/questions/:id': [outsideQuestion],
  'get /api/mdr/devices/:userAgentId': [userAgentId((it) => it.agents.mdr)],
  'post /api/mdr/technical-file/:userAgentId': [userAgentId((it) => it.agents.mdr)],
  'get /api/hazard-analysis/latest/:userId': [inPath('userId')((it) => it.user, { isPersonal: true })],
  'get /api/hazard-analysis/:id/tickets': [analysis],
  'get /api/hazard-analysis/:id/tickets.csv': [analysis],
  'post /api/hazard-analysis/create-merged-hazard-log': [
    inBody('analysisResultId', (it) => it.analysis, { status: 422 }),
  ],
  'post /api/clinical-safety-agent/:id/analyze': [clinical],
  'post /api/clinical-safety-agent/:id/analyze-hazard-log': [
    clinical,
    inBody('withdrawQuestion', (it) => it.review, { status: 422 }),
  ],
  'get /api/hazard-analysis/:id': [analysis],
  'get /api/hazard-analysis/:id/comparison': [analysis, inQuery('with', (it) => it.analysis)],
  'get /api/hazard-analysis/:id/hazard-history': [analysis],
  'post /api/hazard-analysis/:id/open': [analysis],
  'get /api/hazard-analysis/:id/findings': [analysis],
  'patch /api/hazard-analysis/:id/findings': [
    analysis,
    inBody('change', (it) => it.colleague, { as: (assignTo) => ({ assignTo }) }),
  ],
  'post /api/hazard-analysis/:id/findings/comments': [analysis],
  'get /api/hazard-analysis/:id/evidence': [analysis],
  'get /api/hazard-analysis/:id/evidence.xlsx': [analysis],
  'get /api/hazard-analysis/:id/evidence.pdf': [analysis],
  'get /api/hazard-analysis/:id/release.zip': [analysis],
  'patch /api/reading-profiles/:id': [id((it) => it.profile)],
  'patch /api/match-decisions/:id': [id((it) => it.match)],
  'post /api/clinical-safety-agent/:id/safety-case-report': [clinical],
  'post /api/clinical-safety-agent/:id/compliance-sheet': [clinical],
  'post /api/clinical-safety-agent/:id/incident-record': [clinical],
  'get /api/clinical-safety-agent/:id/safety-case-reports': [clinical],
  'post /api/clinical-safety-agent/:id/parse-cscr': [clinical, inBody('fileId', (it) => it.document)],
  'post /api/fullstack-agent/continue/:interruptId': [inPath('interruptId')((it) => it.developerQuestion)],
  'post /api/replit/create-project': [inBody('userAgentId', (it) => it.agents.developer)],
  'get /api/replit/projects/agent/:id': [developer],
  'get /api/bolt/projects/agent/:id': [developer],
  'get /api/ux-agent/designs/:userAgentId': [userAgentId((it) => it.agents.designer)],
  'post /api/user-agents/:id/create-figma': [id((it) => it.agents.designer)],
  'get /api/marketer/:userAgentId/campaigns': [userAgentId((it) => it.agents.marketer)],
  'get /api/outreach/:userAgentId/lists': [userAgentId((it) => it.agents.outreach)],
  'get /api/ops/:userAgentId/procedures': [userAgentId((it) => it.agents.ops)],
  'get /api/researcher/:userAgentId/briefs': [userAgentId((it) => it.agents.researcher)],
  'post /api/professionaliser/:userAgentId/process': [userAgentId((it) => it.agents.professionaliser)],
  'get /api/professionaliser/:userAgentId/controlled': [userAgentId((it) => it.agents.professionaliser)],
  'post /api/teams/tenants/:id/connect': [id(() => '0123456789abcdef01234567', OFF)],
  'delete /api/access-tokens/:id': [id((it) => it.token)],
  'post /api/tool-servers': [inBody('userAgentIds', (it) => it.agents.ops, { as: (one) => [one], ...OFF })],
  'patch /api/tool-servers/:id': [
    toolServer,
    inBody('userAgentIds', (it) => it.agents.ops, { as: (one) => [one], status: 400 }),
  ],
  'post /api/tool-servers/:id/check': [toolServer],
  'put /api/tool-servers/:id/tools': [toolServer],
  'delete /api/tool-servers/:id': [toolServer],
  'post /api/admin/plan': [inBody('userId', (it) => it.user, { ...CLOSED })],
  'post /api/admin/failures/retry': [inBody('id', (it) => it.run, { ...CLOSED })],
  'post /api/admin/failures/drop': [inBody('id', (it) => it.run, { ...CLOSED })],
  'get /api/admin/users/:id': [id((it) => it.user, { ...CLOSED })],
  'delete /api/admin/users/:id/sessions/:sessionId': [
    id((it) => it.user, { ...CLOSED }),
    inPath('sessionId')((it) => it.session, { ...CLOSED }),
  ],
  'post /api/admin/users/:id/end-sessions': [id((it) => it.user, { ...CLOSED })],
  'post /api/admin/add-tokens': [inBody('userId', (it) => it.user, { ...CLOSED })],
  'post /api/agents/:userAgentId/tasks': [userAgentId((it) => it.agents.ops)],
  'get /api/replit/preview/:projectId': [inPath('projectId')((it) => it.project)],
  'get /api/audit': [inQuery('userId', (it) => it.colleague, { status: 200 })],
  'delete /api/auth/sessions/:id': [id((it) => it.session, { isPersonal: true })],
  'get /api/automation/jobs/:id/runs': [job],
  'patch /api/automation/jobs/:id': [job],
  'post /api/automation/jobs/:id/run': [job],
  'delete /api/automation/jobs/:id': [job],
  'get /api/arc-chat/history': [conversation('query'), inQuery('before', (it) => it.message, { status: 200 })],
  'post /api/arc-chat/send': [conversation()],
  'post /api/arc-chat/ask-again': [inBody('of', (it) => it.analysis)],
  'post /api/arc-chat/upload-hazard-log': [conversation('form')],
  'post /api/arc-chat/sample': [conversation()],
  'put /api/arc-chat/messages/:messageId/feedback': [inPath('messageId')((it) => it.message, { isPersonal: true })],
  'post /api/arc-chat/runs/:runId/cancel': [inPath('runId')((it) => it.run)],
  'post /api/arc-chat/threads/:id/open': [thread],
  'patch /api/arc-chat/threads/:id': [thread],
  'delete /api/arc-chat/threads/:id': [thread],
  'delete /api/documents/:id': [document],
  'post /api/documents/:id/use': [document],
  'get /api/download/:fileName': [inPath('fileName')((it) => it.fileName)],
  'put /api/channels/:channel/installations/:id': [id((it) => it.installation)],
  'delete /api/channels/:channel/installations/:id': [id((it) => it.installation)],
  'get /api/agents/:userAgentId/interrupts': [userAgentId((it) => it.agents.clinical_safety)],
  'get /api/interrupts/:id': [id((it) => it.question)],
  'get /api/interrupts/:id/assignees': [id((it) => it.developerQuestion)],
  'put /api/interrupts/:id/assignee': [
    id((it) => it.developerQuestion),
    inBody('userId', (it) => it.user, { status: 400 }),
  ],
  'put /api/interrupts/:id/snooze': [id((it) => it.developerQuestion)],
  'post /api/interrupts/:id/withdraw': [id((it) => it.developerQuestion)],
  'post /api/interrupts/:id/comments': [id((it) => it.developerQuestion)],
  'patch /api/interrupts/:id/resolve': [id((it) => it.question)],
  'put /api/interrupts/:id/draft': [id((it) => it.review)],
  'put /api/preferences': [
    inBody('clinicalSafetyOfficer', (it) => it.colleague, {
      as: (userId) => ({ userId, profession: 'Nurse', register: 'NMC', registrationNumber: '1' }),
      status: 400,
    }),
  ],
  'delete /api/account/members': [
    inBody('userId', (it) => it.colleague),
    inBody('invitationId', (it) => it.invitation),
  ],
  'get /api/account/exports/:id/file': [id((it) => it.companyExport)],
  'post /api/account/switch': [inBody('accountId', (it) => it.account)],
  'get /api/shared-links': [inQuery('resultId', (it) => it.analysis, { status: 200 })],
  'post /api/shared-links': [inBody('resultId', (it) => it.analysis)],
  'delete /api/shared-links/:id': [id((it) => it.link)],
  'get /api/user-agents/:id': [hired],
  'delete /api/user-agents/:id': [hired],
  'get /api/user-agents/:id/actions': [hired],
  'put /api/user-agents/:id/actions/:name': [{ ...hired, isAlikeForAll: true }],
  'get /api/workspaces/:agentId': [inPath('agentId')((it) => it.agents.ops)],
};

/** Parts that name nothing of a company: texts, choices, numbers, secrets, and names that everybody knows. */
export const NAMES_NOTHING = {
  params: 'channel name provider service token',
  query:
    'agent agentId code days direction error from hazard kind limit page row scope search sort state status to wait words',
  body:
    'accepted action actionType admits agent agentId appId appPassword approved asks budget channelConsent ' +
    'chosen clientId code companyName completed confirm context created cronExpression data description digest ' +
    'draftVersion email enabled expiresInDays expiresInSeconds feedback figmaUrl findingId firstName goal ' +
    'holidays idempotencyKey integrationId isForgotten isInUk isOn isTakenBack kind lastName message name ' +
    'newPassword objective options password pause plan points projectTitle prompt query questionMail quietHours ' +
    'reason request requestId review roles rows scopes secret selectedOption sessionId shownDigest sign ' +
    'signsAnswers signsTwice spokenTo step surface taskObjective tenantId text timeZone title to token tokensToAdd ' +
    'tools type typed until url userInput userResponse values version wait webhook workingHours',
};

/** Single parts that name nothing of a company either. */
export const NAMES_NOTHING_HERE = [
  // The payment provider's own id; its signature is what counts.
  'post /api/billing/webhook: body.id',
  // Compared with what was shown, of the decision that the path names.
  'patch /api/match-decisions/:id: body.interruptId',
  // A place in the company's own chain.
  'get /api/audit: query.before',
];
