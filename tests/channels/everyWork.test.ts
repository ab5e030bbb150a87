import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { connectSlack, makeBrowser, makeReady, uploadSample } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { slackEnvironment } from '../fakes/slack/environment.ts';
import type { Workspace } from '../fakes/slack/methods.ts';
import { makeSender } from '../fakes/slack/sender.ts';
import { type FakeSlack, startSlack } from '../fakes/slack/server.ts';
import { addDocuments, WORKS, type Work } from './everyWork.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-works-'));
const TOOLS: Record<string, string[]> = { mdr: ['mdrtools'], developer: ['bolt'] };
let slack: FakeSlack;
let workspace: Workspace;
let server: ServerProcess;
const owner = makeBrowser(() => server.url);
/** Ids of the hired agents, by catalogue id. */
const hired = new Map<string, number>();

const start = () => startProcess(directory, { ...slackEnvironment(slack.apiUrl), PATIENCE_FACTOR: '0.2' });
/** Ends the server without a warning and starts it again on the same data. */
const restart = async () => {
  await server.kill();
  server = await start();
};
const sender = makeSender(
  () => server.url,
  () => `${slack.url}/response`,
);
const questionsOf = async ({ agentId }: Work): Promise<Interrupt[]> =>
  owner.get(`/api/agents/${hired.get(agentId)}/interrupts`);
const pendingOf = async (work: Work) => (await questionsOf(work)).filter(({ status }) => status === 'pending');
const saidInSlack = () => [...workspace.messages.values()].filter(({ channel }) => channel === 'DA');
const endsInSlack = ({ ends }: Work) => saidInSlack().filter(({ text }) => String(text).startsWith(ends));
const used = async (): Promise<number> => (await owner.get('/api/user/tokens/balance')).balance.tokensUsed;
/** Answers the questions of a work one after the other, beginning with the given one. */
async function answerAll(work: Work, from = 0): Promise<void> {
  for (const answer of work.answers.slice(from)) {
    const asked = await eventually(async () => (await pendingOf(work))[0], `a question of ${work.agentId}`, 60_000);
    await owner.patch(`/api/interrupts/${asked.id}/resolve`, answer(asked));
  }
}

beforeAll(async () => {
  slack = await startSlack();
  workspace = slack.addWorkspace('T1');
  server = await start();
  await makeReady(owner, 'ada@example.org', ['clinicalsafety', 'hazardanalysis']);
  await connectSlack(owner, workspace);
  await owner.put('/api/preferences', { channelConsent: { slack: 'full' } });
  await uploadSample(owner);
  for (const { agentId } of WORKS) {
    if (agentId === 'clinical_safety') continue;
    await owner.post('/api/user-agents/hire', { agentId });
    await owner.post('/api/user-agents/onboard', { agentId, tools: TOOLS[agentId] ?? [] });
  }
  for (const { id, agentId } of await owner.get('/api/user-agents')) hired.set(agentId, id);
  await addDocuments(owner);
  await owner.post('/api/arc-chat/send', { message: '@Clara analyse my hazard log' });
  const review = await eventually(async () => (await pendingOf(clara))[0], 'the review', 60_000);
  await owner.patch(`/api/interrupts/${review.id}/resolve`, { approved: true });
  await eventually(async () => (await pendingOf(clara)).length > 0, 'what comes after the review', 60_000);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await slack.stop();
  rmSync(directory, { recursive: true, force: true });
});

const clara = WORKS.find(({ agentId }) => agentId === 'clinical_safety') as Work;
const ASKING = WORKS.filter(({ answers }) => answers.length > 0);

describe('asked for in Slack, killed, answered on the web, and killed again', () => {
  let before = 0;
  beforeAll(async () => {
    before = await used();
    for (const { asks } of WORKS) await sender.message(workspace, 'U1', 'DA', asks);
    await restart();
    await Promise.all(WORKS.map((work) => answerAll(work)));
    await restart();
  }, 180_000);

  test.each(WORKS)('$asks: it ends once, in Slack, with each file once', async (work) => {
    await eventually(async () => endsInSlack(work).length > 0, `the end of ${work.agentId}`);
    const shared = () => workspace.shared.map(({ title }) => title).filter((title) => work.files.includes(title));
    await eventually(async () => shared().length >= work.files.length, `the files of ${work.agentId}`, 60_000);
    expect(endsInSlack(work)).toHaveLength(1);
    expect(shared().sort()).toEqual(work.files);
  });

  test('every step is paid once, to the unit', async () => {
    const steps = WORKS.reduce((sum, work) => sum + work.steps, 0);
    await eventually(async () => (await used()) - before === steps * LIMITS.credits.step, 'all steps to be paid');
  });
});

describe('withdrawn in the inbox while its question waits', () => {
  test.each(ASKING)('$asks: the question is withdrawn, and nothing more is paid', async (work) => {
    const old = (await questionsOf(work)).map(({ id }) => id);
    await owner.post('/api/arc-chat/send', { message: work.asks });
    const asked = await eventually(
      async () => (await pendingOf(work)).find(({ id }) => !old.includes(id)),
      `the question of ${work.agentId}`,
    );
    const paid = await used();
    expect((await owner.post(`/api/interrupts/${asked.id}/withdraw`)).status).toBe('cancelled');
    // What was reserved for the rest is given back.
    expect(await used()).toBeLessThanOrEqual(paid);
  });
});

describe('on a schedule', () => {
  test.each(WORKS)('$scheduled.action runs, and asks nobody but for a decision', async (work) => {
    const { action, prompt, status } = work.scheduled;
    const { job } = await owner.post('/api/automation/jobs', {
      ...{ name: action, actionType: action, prompt, cronExpression: '0 9 * * 1' },
    });
    await owner.post(`/api/automation/jobs/${job.id}/run`);
    const runs = async () => (await owner.get(`/api/automation/jobs/${job.id}/runs`)).runs;
    await eventually(async () => !['running', undefined].includes((await runs())[0]?.status), `${action} to stop`);
    expect(await runs()).toMatchObject([{ status }]);
  });
});
