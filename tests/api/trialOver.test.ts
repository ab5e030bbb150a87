import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bound } from '../../api/middleware/bind.ts';
import { announceEndedTrials } from '../../bot/engine/accounts/trial.ts';
import { startDueJobs } from '../../bot/engine/automation/startDueJobs.ts';
import { AutomationJob } from '../../models/automationJob.ts';
import { ERRORS } from '../../models/contracts/errors.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { announce } from '../../models/store/revisions.ts';
import { Subscription } from '../../models/subscription.ts';
import { callersOf } from '../factories/accessToken.ts';
import { endTrial } from '../factories/endTrial.ts';
import { type Person, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

/** Calls that start something new. Hiring, and resuming a schedule, depend on existing data and are tested below. */
const STARTS = [
  'post /api/agents/:userAgentId/tasks',
  'post /api/arc-chat/sample',
  'post /api/arc-chat/send',
  'post /api/arc-chat/upload-hazard-log',
  'post /api/automation/jobs',
  'post /api/automation/jobs/:id/run',
  'post /api/clinical-safety-agent/:id/analyze',
  'post /api/clinical-safety-agent/:id/analyze-hazard-log',
  'post /api/clinical-safety-agent/:id/compliance-sheet',
  'post /api/clinical-safety-agent/:id/incident-record',
  'post /api/clinical-safety-agent/:id/parse-cscr',
  'post /api/clinical-safety-agent/:id/safety-case-report',
  'post /api/design/generate',
  'post /api/documents/:id/use',
  'post /api/fullstack-agent/start-task',
  'post /api/hazard-analysis/create-merged-hazard-log',
  'post /api/mdr/technical-file/:userAgentId',
  'post /api/professionaliser/:userAgentId/process',
  'post /api/questions',
  'post /api/replit/create-project',
  'post /api/user-agents/:id/create-figma',
  'post /api/ux-agent/components',
  'post /api/ux-agent/figma-export',
  'post /api/ux-agent/layout',
  'post /api/ux-agent/workflow-demo',
];
/** Calls that change something but start nothing: settings, answers, endings, payments. */
const STARTS_NOTHING = [
  /^\w+ \/api\/(login|logout|auth|account|preferences|billing|access-tokens|shared-links|tool-servers|admin|integrations|connectors|channels|teams|user)\b(?!-)/,
  /^\w+ \/api\/(interrupts|reading-profiles|match-decisions|collaborate|user-agents\/(hire|onboard|:id\/actions))\b/,
  /^\w+ \/api\/arc-chat\/(threads|messages|ask-again)\b/,
  /^\w+ \/api\/hazard-analysis\/(sample|:id\/(findings|findings\/comments|open))$/,
  /^delete /,
  /^patch \/api\/automation\/jobs\/:id$/,
  /^post \/(unsubscribe|api\/mail)\//,
  /^post \/api\/(documents|arc-chat\/runs\/:runId\/cancel|fullstack-agent\/continue\/:interruptId)$/,
];

const weekly = {
  name: 'Weekly',
  actionType: 'hazard_log_analysis',
  prompt: '',
  cronExpression: '0 9 * * 1',
  enabled: true,
};

let server: Server;
let person: Person & { agent: { id: number } };
let jobId: number;
let callerOf: Awaited<ReturnType<typeof callersOf>>;
beforeAll(async () => {
  server = await startServer();
  person = await signUpReady(server);
  jobId = (await person.browser.post('/api/automation/jobs').send(weekly).expect(200)).body.job.id;
  callerOf = await callersOf(server.url, person);
  await endTrial(person);
});
afterAll(() => server.stop());

const runs = () => runInAccount(person.user.accountId, () => Run.countDocuments({ accountId: person.user.accountId }));

describe('once the trial is over', () => {
  test('every call that changes something is known either to start work or to start none', () => {
    const changing = [...bound.keys()].filter((key) => !key.startsWith('get '));
    expect(changing.filter((key) => !STARTS_NOTHING.some((it) => it.test(key))).sort()).toEqual(STARTS);
  });

  test.each(STARTS)('%s is refused with 402, and starts nothing', async (key) => {
    const path = (key.split(' ')[1] ?? '').replace('jobs/:id', `jobs/${jobId}`).replace(/:\w+/, `${person.agent.id}`);
    const body = {
      prompt: 'help',
      message: 'help',
      text: 'help',
      goal: 'help',
      objective: 'help',
      userAgentId: person.agent.id,
    };
    const answer = await callerOf({ policy: bound.get(key)?.policy ?? '' })
      .post(path)
      .send({ ...weekly, ...body });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 402,
      body: { code: 'trial_over', error: ERRORS.trial_over.text },
    });
    expect(await runs()).toBe(0);
  });

  test('a schedule can be paused and renamed, but not resumed', async () => {
    const change = (body: object) => person.browser.patch(`/api/automation/jobs/${jobId}`).send(body);
    expect((await change({ enabled: false, name: 'Rested' }).expect(200)).body.job.enabled).toBe(false);
    expect((await change({ enabled: true })).body.code).toBe('trial_over');
    expect((await person.browser.get('/api/automation/jobs').expect(200)).body.jobs[0]).toMatchObject({
      enabled: false,
      name: 'Rested',
    });
  });

  /** @shows S1-5.6 */
  test('a due schedule starts nothing, says why, and waits for its next time', async () => {
    const other = await signUpReady(server);
    const upload = Buffer.from('Hazard Number,Hazard Name,Severity,Likelihood,Risk\nH1,Wrong dose,Major,Low,3\n');
    await other.browser.post('/api/arc-chat/upload-hazard-log').attach('hazardLogFile', upload, 'log.csv').expect(200);
    const { job } = (await other.browser.post('/api/automation/jobs').send(weekly).expect(200)).body;
    await endTrial(other);
    const { accountId } = other.user;
    await runInAccount(accountId, () => AutomationJob.updateOne({ _id: job.id }, { $set: { nextRunAt: new Date(0) } }));
    await startDueJobs();
    const [after] = (await other.browser.get('/api/automation/jobs').expect(200)).body.jobs;
    expect(after.lastOutcome).toBe(`Not run: ${ERRORS.trial_over.text}`);
    expect({ enabled: after.enabled, nextRunAt: after.nextRunAt }).toEqual({ enabled: true, nextRunAt: null });
    const row = await runInAccount(accountId, () => AutomationJob.findOne({ _id: job.id }).lean());
    expect(row?.nextRunAt?.getTime()).toBeGreaterThan(Date.now());
    await runInAccount(accountId, () => Subscription.updateOne({ accountId }, { $set: { status: 'active' } }));
    announce(accountId, ['account']);
    const [resumed] = (await other.browser.get('/api/automation/jobs').expect(200)).body.jobs;
    expect(resumed).toMatchObject({ enabled: true, nextRunAt: row?.nextRunAt?.toISOString() });
    await startDueJobs();
    expect(await runInAccount(accountId, () => Run.countDocuments({ accountId }))).toBe(0);
  });

  test('pages that were loaded before the trial ended are notified when it does, once', async () => {
    const other = await signUpReady(server);
    const { accountId } = other.user;
    const ends = new Date(Date.now() + 3_600_000);
    await runInAccount(accountId, () => Subscription.updateOne({ accountId }, { $set: { trialEndsAt: ends } }));
    announce(accountId, ['account']);
    const { headers } = await other.browser.get('/api/automation/jobs').expect(200);
    const poll = () => other.browser.get('/api/automation/jobs').set('If-None-Match', String(headers.etag));
    await announceEndedTrials(new Date(ends.getTime() - 1));
    await poll().expect(304);
    await announceEndedTrials(ends);
    const after = await poll().expect(200);
    await announceEndedTrials(new Date(ends.getTime() + 1));
    await other.browser.get('/api/automation/jobs').set('If-None-Match', String(after.headers.etag)).expect(304);
  });

  test('a plan set by another process applies to the next call', async () => {
    const other = await signUpReady(server);
    const { accountId } = other.user;
    await endTrial(other);
    const begin = () => other.browser.post('/api/arc-chat/sample');
    expect((await begin()).status).toBe(402);
    // Written as by another process, without notifying this one.
    const plan = { status: 'active', plan: 'pro', planEndsAt: null };
    await runInAccount(accountId, () => Subscription.updateOne({ accountId }, { $set: plan }));
    expect((await begin()).status).toBe(200);
  });

  test('hiring is refused, and existing agents stay readable', async () => {
    expect((await person.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' })).status).toBe(402);
    for (const path of ['/api/user-agents', '/api/arc-chat/history', '/api/automation/jobs', '/api/preferences']) {
      await person.browser.get(path).expect(200);
    }
  });
});
