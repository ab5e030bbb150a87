import { Types } from 'mongoose';
import { AccountExport } from '../../models/accountExport.ts';
import { ChannelInstallation } from '../../models/channelInstallation.ts';
import { ReadingProfile } from '../../models/clinical_safety/readingProfile.ts';
import { TicketMatch } from '../../models/clinical_safety/ticketMatch.ts';
import { AGENT_IDS, type AgentId } from '../../models/contracts/catalogueAgent.ts';
import { nextId } from '../../models/counter.ts';
import { ACCOUNT_EXPORT } from '../../models/file.ts';
import { keepFile } from '../../models/files.ts';
import { Interrupt, type InterruptRow } from '../../models/interrupt.ts';
import { Message } from '../../models/message.ts';
import { Project } from '../../models/project.ts';
import { runInAccount } from '../../models/store/context.ts';
import { ToolServer } from '../../models/toolServer.ts';
import { makeAccessToken, programWith } from './accessToken.ts';
import { makeFinding, makeHazard, makeResult } from './analysisResult.ts';
import { addColleague } from './colleague.ts';
import { makeInterrupt } from './interrupt.ts';
import { keepAnalysis } from './keptAnalysis.ts';
import { type Person, signUp } from './person.ts';
import { keepRun } from './runs.ts';
import type { Server } from './server.ts';
import { VALID_PARTS } from './validParts.ts';

export type Things = Awaited<ReturnType<typeof makeThings>>;
export type WholeCompany = { owner: Person; colleague: Person; things: Things; name: string };

/**
 * A company with every agent at work and one of everything that a call can name. No work is started: rows that an agent
 * would write are written directly.
 * @param name stands in every text of it
 */
export async function makeWholeCompany(server: Server, name: string): Promise<WholeCompany> {
  const owner = await signUp(server, { firstName: name });
  const colleague = await addColleague(server, owner, ['member']);
  const things = await makeThings(server, owner, colleague, name);
  return { owner, colleague, things, name };
}

/** The tools of the first agent, which its calls need switched on. */
const TOOLS = ['clinicalsafety', 'hazardanalysis'];

async function hireAll({ browser }: Person): Promise<Record<AgentId, number>> {
  const hired: [string, number][] = [];
  for (const agentId of AGENT_IDS) {
    await browser.post('/api/user-agents/hire').send({ agentId }).expect(200);
    const { body } = await browser
      .post('/api/user-agents/onboard')
      .send({ agentId, tools: agentId === 'clinical_safety' ? TOOLS : [] })
      .expect(200);
    hired.push([agentId, body.id]);
  }
  return Object.fromEntries(hired) as Record<AgentId, number>;
}

async function makeThings(server: Server, owner: Person, colleague: Person, name: string) {
  const { browser, user, email, password } = owner;
  const { accountId } = user;
  const agents = await hireAll(owner);
  await browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: true }).expect(200);
  await browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: true }).expect(200);
  const bytes = Buffer.from(`# Plan of ${name}\n`);
  const stored = await browser.post('/api/documents').attach('document', bytes, `Plan of ${name}.md`).expect(201);
  const thread = (await browser.post('/api/arc-chat/threads').expect(200)).body.id as string;
  await browser
    .patch(`/api/arc-chat/threads/${thread}`)
    .send({ title: `Talk of ${name}` })
    .expect(200);
  const schedule = { name: `Work of ${name}`, actionType: 'hazard_log_analysis', cronExpression: '0 9 * * 1' };
  const job = await browser.post('/api/automation/jobs').send(schedule).expect(200);
  const token = await makeAccessToken(owner, undefined, `Token of ${name}`);
  const program = programWith(server.url, token.secret);
  const asked = { kind: 'approval', prompt: `Shall ${name} deploy?`, idempotencyKey: 'one' };
  const outside = await program.post('/api/questions').send(asked).expect(200);
  const other = server.browser();
  await other.post('/api/login').send({ email, password }).expect(200);
  const { sessions } = (await other.get('/api/auth/sessions').expect(200)).body;
  const invited = await browser
    .post('/api/account/members')
    .send({ email: `guest-${accountId}@example.org`, roles: ['member'] })
    .expect(200);
  const result = makeResult({
    hazards: [makeHazard({ id: 'H-1', name: `Dose of ${name}`, rows: { sheet: 'Log', first: 1, last: 1 } })],
    findings: [makeFinding({ id: VALID_PARTS.findingId, message: `Fault of ${name}` })],
  });
  const analysis = await keepAnalysis(accountId, result);
  const link = await browser
    .post('/api/shared-links')
    .send({ agentId: 'clinical_safety', resultId: analysis, expiresInDays: 30 })
    .expect(201);
  const rows = await keepRows({ accountId, userId: user.id, agents, thread, name });
  return {
    ...rows,
    agents,
    program,
    analysis,
    thread,
    account: accountId,
    user: user.id,
    colleague: colleague.user.id,
    document: stored.body.document.id as string,
    fileName: stored.body.document.name as string,
    job: job.body.job.id as number,
    token: token.id,
    link: link.body.link.id as string,
    outsideQuestion: outside.body.id as number,
    invitation: invited.body.invitation.id as string,
    session: sessions.find((one: { current: boolean }) => one.current).id as string,
  };
}

type Place = { accountId: number; userId: number; agents: Record<AgentId, number>; thread: string; name: string };

/** Rows that agents, channels and servers outside would write. */
function keepRows({ accountId, userId, agents, thread, name }: Place) {
  const by = { userId, name };
  const at = new Date();
  const of = { accountId, _id: new Types.ObjectId() };
  const question = async (change: Partial<InterruptRow>) => {
    const _id = await nextId('interrupt');
    await Interrupt.create(makeInterrupt({ _id, accountId, askKey: `${_id}`, prompt: `Shall ${name}?`, ...change }));
    return _id;
  };
  return runInAccount(accountId, async () => {
    const run = await keepRun({ accountId, userId, userAgentId: agents.clinical_safety, status: 'completed' });
    const message = new Types.ObjectId();
    const said = { messageType: 'assistant', kind: 'text', text: `Said to ${name}`, createdAt: at } as const;
    await Message.create({ _id: message, accountId, conversationId: thread, key: 'one', ...said } as never);
    const log = { key: 'a', sheet: 'Log', headings: ['Id'], fileName: `Log of ${name}.xlsx`, chosenBy: by };
    const profile = await ReadingProfile.create({ ...of, ...log } as never);
    const texts = { ticketDigest: 'a', hazardDigest: 'b', via: 'inbox', interruptId: VALID_PARTS.interruptId };
    const judged = { ticketKey: `T-${name}`, hazardKey: 'H1', hazardId: 'H1', covers: true, by, at, ...texts };
    const match = await TicketMatch.create({ ...of, ...judged } as never);
    const served = { name: `Server of ${name}`, url: 'https://tools.example.org/mcp', tools: [], addedBy: userId };
    const toolServer = await ToolServer.create({ ...of, ...served } as never);
    const installed = { channel: 'slack', key: `T-${accountId}`, name: `Place of ${name}`, installedBy: userId };
    const installation = await ChannelInstallation.create({ ...of, ...installed, sealed: {} } as never);
    const preview = await keepFile({
      ...{ accountId, name: `Page of ${name}.html`, kind: 'export', type: 'text/html', key: 'page' },
      bytes: Buffer.from(`<p>${name}</p>`),
    });
    const everything = await keepFile({
      ...{ accountId, name: `Everything of ${name}.gz`, kind: ACCOUNT_EXPORT, type: 'application/gzip', key: 'all' },
      bytes: Buffer.from(name),
    });
    const asked = { ...of, _id: new Types.ObjectId(), askedBy: by, status: 'ready', fileId: everything._id };
    const companyExport = await AccountExport.create(asked as never);
    const project = await nextId('project');
    const built = { userAgentId: agents.developer, agentId: 'developer', runId: run._id, key: 'one', status: 'done' };
    const shown = { name: `Project of ${name}`, objective: name, previewFileId: preview._id, files: [] };
    await Project.create({ _id: project, accountId, ...built, ...shown } as never);
    return {
      project,
      companyExport: String(companyExport._id),
      message: String(message),
      run: String(run._id),
      profile: String(profile._id),
      match: String(match._id),
      toolServer: String(toolServer._id),
      installation: String(installation._id),
      question: await question({ userAgentId: agents.clinical_safety, runId: null }),
      developerQuestion: await question({ userAgentId: agents.developer, agentId: 'developer', runId: null }),
      review: await question({
        ...{ userAgentId: agents.clinical_safety, runId: null, interruptType: 'hazard_review' },
        ...{ context: { rows: [] }, draft: { rows: [], version: 0, savedAt: null, savedBy: null } },
      }),
    };
  });
}
