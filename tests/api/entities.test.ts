import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AGENTS } from '../../models/contracts/catalogue.ts';
import { findTool, TOOLS } from '../../models/contracts/tools.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

/** The fields of every entity in the two specifications (sections 3), checked in real answers. */
let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const read = async ({ browser }: Person, path: string) => (await browser.get(path).expect(200)).body;
/** The given keys of an answer; a renamed or omitted field is missing. */
const pick = (it: object, fields: string) =>
  Object.fromEntries(fields.split(' ').map((field) => [field, (it as Record<string, unknown>)[field]]));
const text = expect.any(String);
const number = expect.any(Number);
const flag = expect.any(Boolean);
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('a person’s records', () => {
  /** @shows S1-3.1 */
  test('have their fields: user, trial, credits, onboarding, agents and integrations', async () => {
    const person = await signUpReady(server);
    const { authenticated, user } = await read(person, '/api/auth/status');
    expect(authenticated).toBe(true);
    expect(pick(user, 'id firstName lastName email isAdmin')).toEqual({
      ...{ id: number, firstName: 'Ada', lastName: 'Okafor' },
      ...{ email: person.email, isAdmin: false },
    });
    expect(await read(person, '/api/user/trial/status')).toEqual({
      isTrialActive: true,
      remainingDays: 14,
      subscriptionStatus: 'trial',
    });
    expect((await read(person, '/api/user/tokens/balance')).balance).toEqual({
      tokensRemaining: 50_000,
      tokensUsed: 0,
    });
    expect(pick(await read(person, '/api/user/onboarding/status'), 'onboardingCompleted onboardingStep')).toEqual({
      onboardingCompleted: false,
      onboardingStep: 'preferences',
    });
    const [agent] = await read(person, '/api/user-agents');
    expect(pick(agent, 'id agentId userId status hiredAt onboardedAt createdAt')).toEqual({
      ...{ id: person.agent.id, agentId: 'clinical_safety', userId: user.id, status: 'onboarded' },
      ...{ hiredAt: moment, onboardedAt: moment, createdAt: moment },
    });
    for (const tool of agent.tools) expect(pick(tool, 'id enabled')).toEqual({ id: text, enabled: flag });
    const states = await read(person, '/api/oauth/status/all');
    for (const id of 'notion googledrive sharepoint linear jira slack teams arc-chat github figma'.split(' ')) {
      expect(pick(states[id], 'authenticated enabled')).toEqual({ authenticated: flag, enabled: id === 'arc-chat' });
      expect(states[id]).toHaveProperty('error');
    }
  });

  /** @shows S1-3.1 */
  test('have their fields: messages, uploads, jobs and channel states', async () => {
    const person = await signUpReady(server);
    const upload = await person.browser
      .post('/api/arc-chat/upload-hazard-log')
      .attach('hazardLogFile', Buffer.from('Hazard ID,Hazard name,Cause\nH1,Wrong patient,Selection\n'), 'log.csv')
      .expect(200);
    expect(upload.body).toMatchObject({ success: true, parseResult: { fileName: 'log.csv', rowCount: 1 } });
    await person.browser.post('/api/arc-chat/send').send({ message: 'help' }).expect(200);
    await messageOfKind(person, 'text');
    const { messages, count } = await read(person, '/api/arc-chat/history');
    expect(count).toBe(messages.length);
    for (const message of messages) {
      expect(pick(message, 'messageType message timestamp')).toEqual({
        messageType: expect.stringMatching(/^(user|assistant|system)$/),
        message: text,
        timestamp: moment,
      });
      expect(message).toHaveProperty('response');
    }
    const job = { name: 'Monday', actionType: 'hazard_log_analysis', prompt: '', cronExpression: '0 9 * * 1' };
    await person.browser
      .post('/api/automation/jobs')
      .send({ ...job, enabled: true })
      .expect(200);
    const { jobs } = await read(person, '/api/automation/jobs');
    expect(pick(jobs[0], 'id name action cronExpression enabled')).toEqual({
      ...{ id: expect.anything(), name: 'Monday', action: 'hazard_log_analysis' },
      ...{ cronExpression: '0 9 * * 1', enabled: true },
    });
    expect(await read(person, '/api/slack/test')).toMatchObject({ success: false, error: text });
    expect(
      pick(
        await read(person, '/api/arc/status'),
        'success openaiConfigured activeUsers totalInteractions totalUsers activeConversations error',
      ),
    ).toEqual({
      ...{ success: true, openaiConfigured: false, activeUsers: number, totalInteractions: number },
      ...{ totalUsers: number, activeConversations: number, error: null },
    });
    expect(pick(await read(person, '/api/teams/status'), 'success status appId endpoint error')).toEqual({
      ...{ success: flag, status: text, appId: text, endpoint: text, error: text },
    });
    const goal = 'Find what our hazard log misses';
    const { body: together } = await server.browser().post('/api/collaborate').send({ goal }).expect(200);
    expect(pick(together, 'success message')).toEqual({ success: true, message: text });
    expect(together.agentOutputs.length).toBeGreaterThan(0);
    for (const output of together.agentOutputs)
      expect(pick(output, 'agentId agentName role thinking output timestamp')).toEqual({
        ...{ agentId: text, agentName: text, role: text, thinking: text, output: text, timestamp: moment },
      });
  });

  /** @shows S2-3.3 */
  test('have their fields: an analysis, its work and its question', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/sample').send({}).expect(200);
    const start = `/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`;
    await eventually(
      async () => (await person.browser.post(start).send({ message: 'Go' })).status === 200,
      'the sample to be analysed',
    );
    const asked = await eventually(
      async () => (await read(person, `/api/agents/${person.agent.id}/interrupts`))[0],
      'the question of the analysis',
    );
    expect(pick(asked, 'id userAgentId interruptType status prompt createdAt resolvedAt userResponse')).toEqual({
      ...{ id: number, userAgentId: person.agent.id, interruptType: 'hazard_review', status: 'pending' },
      ...{ prompt: text, createdAt: moment, resolvedAt: null, userResponse: null },
    });
    expect(asked).toHaveProperty('options');
    expect(asked).toHaveProperty('context');
    const [work] = await read(person, `/api/workspaces/${person.agent.id}`);
    expect(pick(work, 'id status createdAt goal')).toEqual({
      id: expect.anything(),
      status: text,
      createdAt: moment,
      goal: text,
    });
    for (const field of ['thinking', 'output', 'figmaLink', 'figmaFileKey']) expect(work).toHaveProperty(field);
    const result = await read(person, `/api/hazard-analysis/latest/${person.user.id}`);
    expect(pick(result, 'id status')).toEqual({ id: number, status: 'in-review' });
    expect(result.existingHazards.length).toBeGreaterThan(0);
    expect(result.newHazards.length).toBeGreaterThan(0);
    expect(result.analysisMetadata).toMatchObject({ coverageScore: number, jiraAnalysis: { ticketsAnalyzed: number } });
  });

  /** @shows S2-3.3 */
  test('for administrators have their fields', async () => {
    const person = await signUp(server);
    const { changeUser } = await import('../../bot/engine/accounts/changeUser.ts');
    await changeUser(person.email, { isAdmin: true });
    const { users } = await read(person, '/api/admin/users/stats');
    const own = users.find(({ email }: { email: string }) => email === person.email);
    expect(own).toMatchObject({
      ...{ id: person.user.id, email: person.email, firstName: 'Ada', lastName: 'Okafor', createdAt: moment },
      ...{ agentCount: 0, integrationCount: number, billingStatus: 'free', isAdmin: true },
    });
    const tokens = await read(person, '/api/admin/user-tokens');
    expect(tokens.users.find(({ email }: { email: string }) => email === person.email)).toEqual({
      ...{ id: person.user.id, email: person.email, tokensUsed: 0, tokensRemaining: 50_000 },
    });
  });
});

describe('the catalogue', () => {
  /** @shows S2-3.1 */
  test('has the specification’s agents with their default tools, mdr and clinical_safety first', () => {
    expect(Object.fromEntries(AGENTS.map(({ id, defaultTools }) => [id, defaultTools.join(' ')]))).toMatchObject({
      developer: 'github bolt vercel',
      designer: 'figma dalle unsplash',
      marketer: 'twitter notion tally mailchimp',
      professionaliser: 'notion googledocs googledrive confluence airtable sharepoint',
      mdr: 'mdrtools clinicaldata riskmanagement notion googledocs googledrive',
      clinical_safety: 'clinicalsafety hazardanalysis patientdatabase riskmanagement googledocs googledrive',
      outreach: '',
      ops: '',
      researcher: '',
    });
    expect(AGENTS.flatMap(({ id, priority }) => (priority ? id : []))).toEqual(['mdr', 'clinical_safety']);
    expect(AGENTS.slice(0, 2).map(({ id }) => id)).toEqual(['mdr', 'clinical_safety']);
    for (const agent of AGENTS)
      expect(pick(agent, 'displayName role description monogram')).toEqual({
        ...{ displayName: text, role: text, description: text, monogram: expect.stringMatching(/^[A-Z]{2}$/) },
      });
  });

  /** @shows S2-3.1 */
  test('has the specification’s tools, and Linear', () => {
    const tools =
      'github bolt vercel figma dalle unsplash twitter notion tally confluence jira googledocs notebooklm salesforce ' +
      'hubspot mailchimp googledrive sharepoint airtable mdrtools clinicaldata riskmanagement clinicalsafety ' +
      'hazardanalysis patientdatabase linear';
    const ids = TOOLS.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(tools.split(' ')));
    expect(ids).toHaveLength(new Set(ids).size);
    for (const { defaultTools } of AGENTS) for (const id of defaultTools) expect(findTool(id)?.name).toEqual(text);
  });
});
