import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AutomationJob } from '../../models/contracts/automation.ts';
import type { UserAgent } from '../../models/contracts/userAgents.ts';
import { endTrial } from '../factories/endTrial.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const hire = ({ browser }: Person, agentId = 'clinical_safety') =>
  browser.post('/api/user-agents/hire').send({ agentId });

describe('hiring an agent', () => {
  /** @shows S2-3.1, GET /api/user-agents, POST /api/user-agents/hire */
  test('adds it with its default tools, once', async () => {
    const person = await signUp(server);
    const first = await hire(person).expect(200);
    expect(first.body).toMatchObject({
      agentId: 'clinical_safety',
      status: 'hired',
      onboardedAt: null,
      pendingInterrupts: 0,
    });
    expect(first.body.tools.map(({ id }: { id: string }) => id)).toContain('hazardanalysis');
    const again = await hire(person).expect(200);
    expect(again.body.id).toBe(first.body.id);
    const { body } = await person.browser.get('/api/user-agents').expect(200);
    expect(body).toHaveLength(1);
  });

  test('ten times at once hires one', async () => {
    const person = await signUp(server);
    const answers = await Promise.all(Array.from({ length: 10 }, () => hire(person)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('that is not in the catalogue is refused', async () => {
    const { body, status } = await hire(await signUp(server), 'accountant');
    expect({ status, fields: Object.keys(body.fields) }).toEqual({ status: 400, fields: ['agentId'] });
  });

  /** @shows GET /api/user/trial/status, S1-1.4 */
  test('is refused with 402 once the trial is over, and existing agents stay readable', async () => {
    const person = await signUp(server);
    await hire(person).expect(200);
    await endTrial(person);
    expect((await hire(person, 'mdr')).body.code).toBe('trial_over');
    await person.browser.get('/api/user-agents').expect(200);
    expect((await person.browser.get('/api/user/trial/status')).body).toEqual({
      isTrialActive: false,
      remainingDays: 0,
      subscriptionStatus: 'expired',
    });
  });
});

describe('letting an agent go', () => {
  const letGo = ({ browser }: Person, id: number) => browser.delete(`/api/user-agents/${id}`);
  const hired = async ({ browser }: Person): Promise<UserAgent[]> =>
    (await browser.get('/api/user-agents').expect(200)).body;
  const schedule = (person: Person, actionType: string) =>
    person.browser
      .post('/api/automation/jobs')
      .send({ name: actionType, actionType, prompt: 'The ward list', cronExpression: '0 9 * * 1' });

  /** @shows DELETE /api/user-agents/:id */
  test('switches off its schedules alone, and hired again it is onboarded anew and is the same', async () => {
    const person = await signUpReady(server);
    await schedule(person, 'hazard_log_analysis').expect(200);
    await schedule(person, 'screen_design').expect(200);
    const { body } = await letGo(person, person.agent.id).expect(200);
    expect(body).toEqual({ success: true, schedulesSwitchedOff: 1 });
    expect(await hired(person)).toEqual([]);
    expect((await letGo(person, person.agent.id)).status).toBe(404);
    const { jobs } = (await person.browser.get('/api/automation/jobs').expect(200)).body;
    expect(
      jobs.map(({ action, enabled, nextRunAt, lastOutcome }: AutomationJob) => [
        action,
        enabled,
        nextRunAt === null,
        lastOutcome,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['hazard_log_analysis', false, true, 'Switched off: Clara was let go.'],
        ['screen_design', true, false, null],
      ]),
    );
    const summary = (await person.browser.get('/api/billing').expect(200)).body;
    expect(summary.agents.hired).toBe(0);
    await person.browser.post('/api/arc-chat/send').send({ message: 'help', sessionId: 'chat_1' }).expect(200);
    await messageOfKind(person, 'refused');
    const { body: again } = await hire(person).expect(200);
    expect(again).toMatchObject({ id: person.agent.id, status: 'hired', onboardedAt: null });
  });

  test('is refused while it works or waits for an answer', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
    await eventually(async () => (await person.browser.get('/api/arc-chat/history')).body.ready.log, 'the sample');
    await person.browser.post('/api/arc-chat/send').send({ message: 'Analyse my hazard log', sessionId: 'chat_1' });
    await messageOfKind(person, 'review-requested');
    const { status, body } = await letGo(person, person.agent.id);
    expect([status, body.code, body.error]).toEqual([
      409,
      'agent_at_work',
      'Clara is still working, or waits for an answer. Answer or cancel first, then let Clara go.',
    ]);
    expect(await hired(person)).toHaveLength(1);
  });

  test('is refused to another account, which keeps its own', async () => {
    const [person, other] = [await signUpReady(server), await signUpReady(server)];
    expect((await letGo(other, person.agent.id)).status).toBe(404);
    await letGo(other, other.agent.id).expect(200);
    expect(await hired(person)).toHaveLength(1);
  });
});

describe('onboarding an agent', () => {
  /** @shows POST /api/user-agents/onboard */
  test('switches on the chosen tools and records the date', async () => {
    const person = await signUp(server);
    await hire(person);
    const { body } = await person.browser
      .post('/api/user-agents/onboard')
      .send({ agentId: 'clinical_safety', tools: ['clinicalsafety', { id: 'hazardanalysis', enabled: false }] })
      .expect(200);
    expect(body.status).toBe('onboarded');
    expect(body.onboardedAt).not.toBeNull();
    const enabled = body.tools.filter((tool: { enabled: boolean }) => tool.enabled).map(({ id }: { id: string }) => id);
    expect(enabled).toEqual(['clinicalsafety']);
  });

  test.each([
    [['hazardanalysis', 'telepathy'], 'There is no such tool.'],
    [[{ id: 'figma', enabled: false }], 'This agent does not use Figma.'],
  ])('refuses tools that are not its own: %j', async (tools, sentence) => {
    const person = await signUp(server);
    await hire(person);
    const refused = await person.browser.post('/api/user-agents/onboard').send({ agentId: 'clinical_safety', tools });
    expect({ status: refused.status, fields: refused.body.fields }).toEqual({
      status: 400,
      fields: { tools: sentence },
    });
    const [agent] = (await person.browser.get('/api/user-agents').expect(200)).body;
    expect(agent.status).toBe('hired');
    expect(agent.tools.map(({ id }: { id: string }) => id)).not.toContain('figma');
  });

  test('that is not hired answers not found', async () => {
    const { browser } = await signUp(server);
    await browser.post('/api/user-agents/onboard').send({ agentId: 'mdr', tools: [] }).expect(404);
  });
});

describe('a tool that is switched off', () => {
  const OFF = /^Hazard analysis is switched off for Clara\. Nothing was started\./;
  const switchTools = ({ browser }: Person, ...tools: string[]) =>
    browser.post('/api/user-agents/onboard').send({ agentId: 'clinical_safety', tools }).expect(200);
  const lastSaid = async ({ browser }: Person): Promise<string> =>
    (await browser.get('/api/arc-chat/history')).body.messages[0]?.message;
  const say = async (person: Person, message: string, answer: RegExp) => {
    await person.browser.post('/api/arc-chat/send').send({ message }).expect(200);
    await eventually(async () => answer.test(await lastSaid(person)), String(answer));
  };

  test('is refused by message, by call and by schedule without a charge, and works again once it is on', async () => {
    const person = await signUpReady(server);
    const { browser, agent } = person;
    await browser.post('/api/arc-chat/sample').send({}).expect(200);
    await eventually(async () => (await browser.get('/api/arc-chat/history')).body.ready.log, 'the sample');
    await switchTools(person, 'clinicalsafety');
    const before = (await browser.get('/api/billing').expect(200)).body;
    await say(person, 'Analyse my hazard log', OFF);
    const called = await browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send({});
    expect([called.status, called.body.code, called.body.error]).toEqual([422, 'tool_off', expect.stringMatching(OFF)]);
    const { body: made } = await browser
      .post('/api/automation/jobs')
      .send({ name: 'Weekly', actionType: 'hazard_log_analysis', cronExpression: '0 9 * * 1' })
      .expect(200);
    const { body: run } = await browser.post(`/api/automation/jobs/${made.job.id}/run`).send({}).expect(200);
    expect(run.job.lastOutcome).toMatch(/^Not run: Hazard analysis is switched off for Clara\./);
    expect((await browser.get('/api/workspaces/clinical_safety').expect(200)).body).toEqual([]);
    expect((await browser.get('/api/billing').expect(200)).body).toEqual(before);
    await switchTools(person, 'clinicalsafety', 'hazardanalysis');
    await browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send({}).expect(200);
  });

  test('of the knowledge base answers without the log’s, and the other way round; help needs none', async () => {
    const person = await signUpReady(server);
    await switchTools(person, 'hazardanalysis');
    await say(person, 'What is MED-02?', /^Clinical safety is switched off for Clara\./);
    await say(person, 'help', /I never set a severity/);
  });
});

describe('another account', () => {
  /**
   * @shows /workspace no permission, GET /api/agents/:userAgentId/interrupts, GET /api/user-agents/:id,
   * GET /api/workspaces/:agentId
   */
  test('sees nothing of an agent, in lists or by id', async () => {
    const mine = await signUp(server);
    const { body: agent } = await hire(mine);
    const other = await signUp(server);
    expect((await other.browser.get('/api/user-agents').expect(200)).body).toEqual([]);
    await other.browser.get(`/api/user-agents/${agent.id}`).expect(404);
    await other.browser.get(`/api/agents/${agent.id}/interrupts`).expect(404);
    await other.browser.get(`/api/workspaces/${agent.id}`).expect(404);
    await other.browser.get(`/api/hazard-analysis/latest/${mine.user.id}`).expect(404);
  });
});

test('workspaces exist for agents of the catalogue and hired agents; anything else is refused', async () => {
  const mine = await signUp(server);
  const { body: agent } = await hire(mine);
  for (const id of ['clinical_safety', 'mdr', agent.id]) {
    expect((await mine.browser.get(`/api/workspaces/${id}`).expect(200)).body).toEqual([]);
  }
  for (const id of ['accountant', '-1', '0', '1.5', 'NaN', '99999999999999999999']) {
    const { status, body } = await mine.browser.get(`/api/workspaces/${id}`);
    expect({ id, status, fields: Object.keys(body.fields) }).toEqual({ id, status: 400, fields: ['agentId'] });
  }
  await mine.browser.get('/api/workspaces/999999').expect(404);
});

describe('integrations', () => {
  /** @shows POST /api/integrations/toggle, GET /api/oauth/status/:service, GET /api/oauth/status/all */
  test('include arc-chat as a switch; a vendor without configuration says what is missing', async () => {
    const { browser } = await signUp(server);
    await browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: true }).expect(200);
    const { body } = await browser.get('/api/oauth/status/all').expect(200);
    expect(body['arc-chat']).toEqual({ authenticated: true, enabled: true, error: null, configured: true });
    expect(body.mailchimp).toEqual({ authenticated: false, enabled: false, error: null, configured: false });
    const refused = await browser.post('/api/integrations/toggle').send({ integrationId: 'mailchimp', enabled: true });
    expect(refused.status).toBe(422);
    expect(refused.body.error).toBe(
      'Mailchimp is not configured on this server. An administrator has to set MAILCHIMP_CLIENT_ID and MAILCHIMP_CLIENT_SECRET first.',
    );
  });

  test('treat teams-bot as an alias of teams', async () => {
    const { browser } = await signUp(server);
    const { body } = await browser
      .post('/api/integrations/toggle')
      .send({ integrationId: 'teams-bot', enabled: false })
      .expect(200);
    expect(body.integrationId).toBe('teams');
  });
});

describe('the onboarding of the account', () => {
  const complete = ({ browser }: Person, step: string) =>
    browser.post('/api/user/onboarding/update').send({ step, completed: true });

  /** @shows S1-4.3, GET /api/user/onboarding/status, POST /api/user/onboarding/update */
  test('goes preferences, team, integrations, billing, completed', async () => {
    const person = await signUp(server);
    expect((await complete(person, 'preferences')).body).toEqual({
      onboardingCompleted: false,
      onboardingStep: 'team',
    });
    expect((await complete(person, 'preferences')).body.onboardingStep).toBe('team');
    for (const skipping of ['integrations', 'billing', 'completed']) {
      const refused = await complete(person, skipping);
      expect({ status: refused.status, ...refused.body }).toEqual({
        status: 409,
        code: 'step_not_reached',
        error: 'The onboarding is at the step team. Complete that one first.',
      });
    }
    expect((await complete(person, 'team')).body.onboardingStep).toBe('integrations');
    // Both are on from the start; whoever switches one off has the step before them.
    const toggle = (integrationId: string, enabled: boolean) =>
      person.browser.post('/api/integrations/toggle').send({ integrationId, enabled }).expect(200);
    await toggle('sandbox', false);
    const early = await complete(person, 'integrations');
    expect({ status: early.status, text: early.body.error }).toEqual({
      status: 422,
      text: expect.stringContaining('Complete Integration Setup'),
    });
    await toggle('sandbox', true);
    await toggle('arc-chat', false);
    expect((await complete(person, 'integrations')).status).toBe(422);
    await toggle('arc-chat', true);
    expect((await person.browser.get('/api/user/onboarding/status')).body.integrationsReady).toBe(true);
    expect((await complete(person, 'integrations')).body.onboardingStep).toBe('billing');
    expect((await complete(person, 'billing')).body).toEqual({
      onboardingCompleted: true,
      onboardingStep: 'completed',
    });
  });
});
