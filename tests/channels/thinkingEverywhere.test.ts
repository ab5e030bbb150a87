import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { connectSlack, joinByMail, makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import type { Asked, Behaviour } from '../fakes/model/behaviour.ts';
import { startModelServer } from '../fakes/model/server.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';
import { startSmtp } from '../fakes/smtp.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { makeSender as makeTeamsSender } from '../fakes/teams/sender.ts';
import { addConversation, addUser, type FakeTeams, startTeams } from '../fakes/teams/server.ts';
import type { TeamsUser, Tenant } from '../fakes/teams/tenant.ts';

const ANSWER = 'The schedule is made [1].';
const BEN = { email: 'ben@example.org', roles: ['deputy'], firstName: 'Ben' };
const directory = mkdtempSync(join(tmpdir(), 'arc-everywhere-'));
let slack: FakeSlack;
let teams: FakeTeams;
let smtp: Awaited<ReturnType<typeof startSmtp>> | undefined;
let model: Awaited<ReturnType<typeof startModelServer>>;
let server: ServerProcess;
let workspace: Workspace;
let tenant: Tenant;
let benInTeams: TeamsUser;
const owner = makeBrowser(() => server.url);

/** In the analysis it chooses nothing; asked, it schedules an analysis and says so. */
function behave({ tools, messages }: Asked): Behaviour {
  if (!tools.includes('schedule_analysis')) return { text: 'none' };
  return messages.some(({ role }) => role === 'tool')
    ? { text: ANSWER }
    : { calls: [{ name: 'schedule_analysis', input: { name: 'Mondays', cronExpression: '0 9 * * 1' } }] };
}
const start = () =>
  startProcess(directory, {
    ...slackEnvironment(slack.apiUrl),
    ...teamsEnvironment(teams, tenant),
    ...model.environment,
    ...{ OPENAI_API_KEY: model.apiKey, SMTP_URL: smtp?.url ?? '', PATIENCE_FACTOR: '0.2' },
  });

/** Ends the server without a warning and starts it again on the same data. */
const restart = async () => {
  await server.kill();
  server = await start();
};

beforeAll(async () => {
  [slack, teams, model] = await Promise.all([startSlack(), startTeams(), startModelServer(behave)]);
  workspace = slack.addWorkspace('T1');
  tenant = teams.addTenant();
  server = await start();
  await makeReady(owner, 'ada@example.org', ['clinicalsafety', 'hazardanalysis']);
  await connectSlack(owner, workspace);
  await owner.post('/api/teams/connect', { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret });
  await uploadSample(owner);
  await owner.post('/api/arc-chat/send', { message: 'Analyse my hazard log' });
  const agentId = (await owner.get('/api/user-agents'))[0].id;
  await eventually(async () => (await owner.get(`/api/agents/${agentId}/interrupts`)).length > 0, 'the review');
  // From here on there is a mail server, for invited people.
  smtp = await startSmtp();
  await restart();
  await joinByMail(owner, () => server.url, smtp, BEN);
  workspace.users.set('U2', { id: 'U2', email: BEN.email, name: 'Ben in Slack' });
  benInTeams = addUser(tenant, 'Ben in Teams', BEN.email);
  await teamsSender().install({
    tenant,
    user: benInTeams,
    conversation: addConversation(tenant, 'personal', [benInTeams]),
  });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([slack.stop(), teams.stop(), smtp?.stop(), model.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

const teamsSender = () => makeTeamsSender(teams, () => server.url);
const slackSender = makeSender(
  () => server.url,
  () => `${slack.url}/response`,
);
const saidInSlack = () => [...workspace.messages.values()].filter(({ channel }) => channel === 'DB');

/** Calls of the inbox that Ben has open as a tab in Teams. */
async function openTab() {
  const claims = {
    ...{ iss: `${teams.url}/${tenant.id}/v2.0`, aud: tenant.appId, tid: tenant.id, oid: benInTeams.aadObjectId },
    exp: Math.floor(Date.now() / 1000) + 3600,
  };
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token: await teams.keys.sign(claims) });
  const bought = await fetch(`${server.url}/api/teams/tab-token`, { method: 'POST', headers: json, body });
  const authorization = `Bearer ${(await bought.json()).token}`;
  return async (method: string, path: string, sent?: object) => {
    const headers = { ...json, authorization };
    const answer = await fetch(server.url + path, { method, headers, ...(sent ? { body: JSON.stringify(sent) } : {}) });
    expect(answer.status).toBe(200);
    return answer.json();
  };
}

test('a run asked for in Slack is approved in Teams and finished in arc-chat, over two kills', async () => {
  await slackSender.message(workspace, 'U2', 'DB', 'zebra every monday quux');
  await eventually(async () => saidInSlack().some(({ text }) => /question/i.test(text)), 'the question in Slack');
  await restart();
  const call = await openTab();
  const [agent] = await call('GET', '/api/user-agents');
  const waiting = async () =>
    ((await call('GET', `/api/agents/${agent.id}/interrupts`)) as Interrupt[]).find(
      ({ interruptType, status }) => interruptType === 'tool_use' && status === 'pending',
    );
  const question = await eventually(waiting, 'the question in Teams');
  await call('PATCH', `/api/interrupts/${question.id}/resolve`, { approved: true });
  await restart();
  // Slack may not have content of the log: it gets a link to the conversation.
  const link = await eventually(
    async () => /arc-chat\?conversation=([0-9a-f]{24})/.exec(JSON.stringify(saidInSlack()))?.[1],
    'the link in Slack',
    60_000,
  );
  const browser = makeBrowser(() => server.url);
  await browser.post('/api/login', { email: BEN.email, password: 'correct-horse-1' });
  const answers = async () =>
    ((await browser.get(`/api/arc-chat/history?conversation=${link}`)) as { messages: ChatMessage[] }).messages
      .filter(({ messageType, kind }) => messageType === 'assistant' && kind === 'text')
      .map(({ message }) => message);
  await eventually(async () => (await answers()).some((one) => one.startsWith(ANSWER)), 'the answer in arc-chat');
  expect((await answers()).filter((one) => one.startsWith(ANSWER))).toHaveLength(1);
  const { jobs } = await owner.get('/api/automation/jobs');
  expect(jobs.map(({ name }: { name: string }) => name)).toEqual(['Mondays']);
  const asked = model.asked.filter(({ messages }) => messages[0]?.content.includes('zebra'));
  // A kill can interrupt one call that is under way; nothing else is asked again.
  expect(asked.length).toBeLessThanOrEqual(3);
}, 150_000);
