import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bound } from '../../api/middleware/bind.ts';
import { ledger } from '../../models/ledgerEntry.ts';
import { runInAccount } from '../../models/store/context.ts';
import { Workspace } from '../../models/workspace.ts';
import { callersOf } from '../factories/accessToken.ts';
import { asInPreparation } from '../factories/asInPreparation.ts';
import { eventually, messageOfKind, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Hires and onboards an agent. @returns the user agent's id */
async function withAgent({ browser }: Person, agentId: string, tools: string[] = []): Promise<number> {
  const hired = await browser.post('/api/user-agents/hire').send({ agentId }).expect(200);
  await browser.post('/api/user-agents/onboard').send({ agentId, tools }).expect(200);
  return hired.body.id;
}
const used = async ({ browser }: Person) =>
  (await browser.get('/api/user/tokens/balance').expect(200)).body.balance.tokensUsed;

describe('an agent’s own calls', () => {
  /** @shows POST /api/agents/:userAgentId/tasks */
  test('hand a task to the chat; for an agent in preparation they say so', async () => {
    const person = await signUpReady(server);
    const task = (id: number, body: object) => person.browser.post(`/api/agents/${id}/tasks`).send(body);
    const heard = await task(person.agent.id, { type: 'task', prompt: 'help', context: {} });
    expect(heard.body).toMatchObject({ success: true });
    await messageOfKind(person, 'text');
    const outreach = await withAgent(person, 'outreach');
    const others = await asInPreparation('outreach', () => task(outreach, { prompt: 'Read this' }));
    expect({ status: others.status, code: others.body.code }).toEqual({ status: 422, code: 'in_preparation' });
    expect(others.body.error).toMatch(/^The work of the agent “Outreach” is in preparation\. Nothing was started/);
    await runInAccount(person.user.accountId, async () => {
      expect(await Workspace.countDocuments({ userAgentId: outreach })).toBe(0);
    });
    expect((await task(outreach, { prompt: ' ' })).body.fields).toEqual({
      prompt: 'Please enter a task or objective for the agent.',
    });
    expect((await task(999_999, { prompt: 'Read this' })).status).toBe(404);
  });

  test('refuse a task while arc-chat is off', async () => {
    const { browser, agent } = await signUpReady(server);
    await browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: false }).expect(200);
    const answer = await browser.post(`/api/agents/${agent.id}/tasks`).send({ prompt: 'help' });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 422, code: 'channel_off' });
    expect((await browser.get('/api/arc-chat/history').expect(200)).body.messages).toEqual([]);
  });

  /** @shows POST /api/professionaliser/:userAgentId/process, GET /api/professionaliser/:userAgentId/controlled */
  test('for /api/professionaliser bring a text into controlled form, and list it for its owner only', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUp(server)]);
    const id = await withAgent(mine, 'professionaliser');
    const post = (who: Person, body: object) => who.browser.post(`/api/professionaliser/${id}/process`).send(body);
    const text = `Make a controlled document\n# Cold chain\n\n## Rule\n\n${'Keep it between 2 and 8 °C as needed. '.repeat(4)}`;
    const begun = await post(mine, { objective: text });
    expect(begun.body).toMatchObject({ success: true, runId: expect.any(String), workspaceId: expect.any(Number) });
    const [document] = await eventually(async () => {
      const { body } = await mine.browser.get(`/api/professionaliser/${id}/controlled`).expect(200);
      return body.length > 0 ? body : null;
    }, 'the controlled document');
    expect(document).toMatchObject({
      title: 'Cold chain',
      sourceName: 'Pasted text.txt',
      counts: { open: 4, toFill: 8 },
    });
    const file = await mine.browser.get(document.file.url).expect(200);
    expect(file.headers['content-type']).toContain('wordprocessingml');
    await eventually(async () => (await used(mine)) === 20, 'the cost of two steps');
    expect((await post(mine, { objective: ' ' })).body.fields).toEqual({
      objective: 'Please enter a task or objective for the agent.',
    });
    expect((await post(other, { objective: text })).status).toBe(404);
    await other.browser.get(`/api/professionaliser/${id}/controlled`).expect(404);
  });

  /** @shows GET /api/ops/:userAgentId/procedures */
  test('for /api/ops list the procedures that a task has written, for their owner only', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUp(server)]);
    const id = await withAgent(mine, 'ops');
    const list = (who: Person) => who.browser.get(`/api/ops/${id}/procedures`);
    expect((await list(mine)).body).toEqual([]);
    const prompt = 'The guard tries each door at 22:00. The guard calls the owner if one is open.';
    const given = await mine.browser.post(`/api/agents/${id}/tasks`).send({ prompt }).expect(200);
    expect(given.body).toEqual({ success: true, messageId: expect.any(String) });
    const [procedure] = await eventually(async () => {
      const { body } = await list(mine).expect(200);
      return body.length > 0 ? body : null;
    }, 'the procedure');
    expect(procedure).toMatchObject({ sourceName: 'Pasted text.txt', counts: { steps: 2, roles: 1, risks: 1 } });
    for (const { url } of procedure.files) await mine.browser.get(url).expect(200);
    await eventually(async () => (await used(mine)) === 20, 'the cost of two steps');
    expect((await list(other)).status).toBe(404);
    expect((await mine.browser.get(`/api/ops/${mine.agent.id}/procedures`)).body.code).toBe('wrong_agent');
  });

  /** @shows GET /api/researcher/:userAgentId/briefs */
  test('for /api/researcher list the briefs that a task has written, for their owner only', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUp(server)]);
    const id = await withAgent(mine, 'researcher');
    await mine.browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: true }).expect(200);
    const document = Buffer.from('The guard walks at 22:00.');
    await mine.browser.post('/api/documents').attach('document', document, 'Night round.md').expect(201);
    const list = (who: Person) => who.browser.get(`/api/researcher/${id}/briefs`);
    const prompt = 'What do our documents say about the guard?';
    await mine.browser.post(`/api/agents/${id}/tasks`).send({ prompt }).expect(200);
    const [brief] = await eventually(async () => {
      const { body } = await list(mine).expect(200);
      return body.length > 0 ? body : null;
    }, 'the brief');
    expect(brief).toMatchObject({ question: 'the guard', counts: { quotes: 1, documents: 1, read: 1, missing: 0 } });
    await mine.browser.get(brief.file.url).expect(200);
    await eventually(async () => (await used(mine)) === 10, 'the cost of a step');
    expect((await list(other)).status).toBe(404);
    expect((await mine.browser.get(`/api/researcher/${mine.agent.id}/briefs`)).body.code).toBe('wrong_agent');
  });

  /** @shows GET /api/outreach/:userAgentId/lists */
  test('for /api/outreach list the drafts that were reviewed row by row, for their owner only', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUp(server)]);
    const id = await withAgent(mine, 'outreach');
    const list = (who: Person) => who.browser.get(`/api/outreach/${id}/lists`);
    expect((await list(mine)).body).toEqual({ lists: [], optOuts: 0 });
    const people = 'Name,Email,Unsubscribed\nJo,jo@a.example,\nBo,bo@b.example,yes';
    const prompt = `Draft outreach\nOffer: A rota planner.\nAsk: May I show it?\nFrom: Ada\n${people}`;
    await mine.browser.post(`/api/agents/${id}/tasks`).send({ prompt }).expect(200);
    const asked = await eventually(async () => {
      const { body } = await mine.browser.get(`/api/agents/${id}/interrupts`).expect(200);
      return body[0] ?? null;
    }, 'the review');
    const answer = (body: object) => mine.browser.patch(`/api/interrupts/${asked.id}/resolve`).send(body);
    expect((await answer({ approved: true })).status).toBe(400);
    await answer({ userResponse: { rows: [{ id: '2', outcome: 'accepted' }] } }).expect(200);
    const [drafts] = await eventually(async () => {
      const { body } = await list(mine).expect(200);
      return body.lists[0]?.state === 'decided' ? body.lists : null;
    }, 'the decision');
    expect(drafts).toMatchObject({ title: 'A rota planner', counts: { drafts: 1, optedOut: 1, approved: 1 } });
    const [, csv] = drafts.files;
    const { text } = await mine.browser.get(csv.url).buffer(true).expect(200);
    expect([text.includes('jo@a.example'), text.includes('bo@b.example')]).toEqual([true, false]);
    await eventually(async () => (await used(mine)) === 20, 'the cost of two steps');
    expect((await list(mine)).body.optOuts).toBe(1);
    expect((await list(other)).status).toBe(404);
    expect((await mine.browser.get(`/api/outreach/${mine.agent.id}/lists`)).body.code).toBe('wrong_agent');
  });

  /** @shows GET /api/marketer/:userAgentId/campaigns */
  test('for /api/marketer list the copy that a task has written, for its owner only', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUp(server)]);
    const id = await withAgent(mine, 'marketer');
    const list = (who: Person) => who.browser.get(`/api/marketer/${id}/campaigns`);
    const text = `Product: Rota\nAudience: managers\n\n${'Rota prints a list of shifts. Rota is safe. '.repeat(3)}`;
    await mine.browser
      .post(`/api/agents/${id}/tasks`)
      .send({ prompt: `Write copy\n${text}` })
      .expect(200);
    const [copy] = await eventually(async () => {
      const { body } = await list(mine).expect(200);
      return body.length > 0 ? body : null;
    }, 'the copy');
    expect(copy).toMatchObject({ title: 'Rota', state: 'waiting', counts: { written: 1, flagged: 1, medical: 1 } });
    for (const { url } of copy.files) await mine.browser.get(url).expect(200);
    await eventually(async () => (await used(mine)) === 20, 'the cost of two steps');
    expect((await list(other)).status).toBe(404);
    expect((await mine.browser.get(`/api/marketer/${mine.agent.id}/campaigns`)).body.code).toBe('wrong_agent');
  });

  /**
   * @shows GET /api/bolt/projects/agent/:id, POST /api/replit/create-project, GET /api/replit/preview/:projectId,
   * GET /api/replit/projects/agent/:id
   */
  test('for /api/replit/create-project build an app at once: listed, shown sandboxed, for its owner only', async () => {
    const [mine, other] = await Promise.all([signUpReady(server), signUp(server)]);
    const userAgentId = await withAgent(mine, 'developer', ['bolt']);
    const create = (who: Person, body: object) => who.browser.post('/api/replit/create-project').send(body);
    expect((await create(mine, { prompt: '', userAgentId })).body.fields).toEqual({
      prompt: 'Please enter a project objective',
    });
    expect((await create(other, { prompt: 'A form', userAgentId })).status).toBe(404);
    const begun = await create(mine, { prompt: 'A list of keys with holder and floor', userAgentId });
    expect(begun.body).toMatchObject({ success: true, runId: expect.any(String), workspaceId: expect.any(Number) });
    const [project] = await eventually(async () => {
      const { body } = await mine.browser.get(`/api/replit/projects/agent/${userAgentId}`).expect(200);
      return body.projects.length > 0 ? body.projects : null;
    }, 'the project');
    expect(project).toMatchObject({ projectName: 'Keys', status: 'created', archive: { name: 'Keys.zip' } });
    expect((await mine.browser.get(`/api/bolt/projects/agent/${userAgentId}`).expect(200)).body.projects).toEqual([
      project,
    ]);
    const shown = await mine.browser.get(project.previewUrl).expect(200);
    expect(shown.text).toContain('<title>Keys</title>');
    const policy = shown.headers['content-security-policy'];
    expect(policy).toMatch(/^sandbox allow-scripts/);
    expect(policy).not.toContain('allow-same-origin');
    expect(policy).toContain("connect-src 'none'");
    await other.browser.get(project.previewUrl).expect(404);
    await mine.browser.get(project.archive.url).expect(200);
    for (const list of ['replit', 'bolt'])
      await other.browser.get(`/api/${list}/projects/agent/${userAgentId}`).expect(404);
    await eventually(async () => (await used(mine)) === 20, 'the cost of two steps');
  });

  /** @shows POST /api/fullstack-agent/start-task */
  test('for /api/fullstack-agent/start-task ask and preview, with the onboarded developer and its builder on', async () => {
    const mine = await signUpReady(server);
    const start = (taskObjective: string) =>
      mine.browser.post('/api/fullstack-agent/start-task').send({ taskObjective });
    expect((await start('A kanban board for moves')).body.code).toBe('agent_not_ready');
    const id = await withAgent(mine, 'developer', []);
    expect((await start('A kanban board for moves')).body.code).toBe('tool_off');
    await mine.browser
      .post('/api/user-agents/onboard')
      .send({ agentId: 'developer', tools: ['bolt'] })
      .expect(200);
    expect((await start(' ')).body.fields).toEqual({ taskObjective: 'Please enter a task objective' });
    expect((await start('A kanban board for moves')).body).toMatchObject({ success: true, runId: expect.any(String) });
    const pending = (interruptType: string) =>
      eventually(async () => {
        const { body } = await mine.browser.get(`/api/agents/${id}/interrupts`).expect(200);
        return (
          body.find(
            (one: { status: string; interruptType: string }) =>
              one.status === 'pending' && one.interruptType === interruptType,
          ) ?? null
        );
      }, interruptType);
    const go = async (interruptType: string, body: object) =>
      mine.browser
        .post(`/api/fullstack-agent/continue/${(await pending(interruptType)).id}`)
        .send(body)
        .expect(200);
    await go('approval', { action: 'approve' });
    await go('REPLIT_PROJECT_CREATED', { action: 'edit', text: 'add column Blocked' });
    const again = await pending('project_preview');
    expect(again.context).toMatchObject({
      title: 'Moves',
      iframeUrl: expect.stringMatching(/^\/api\/replit\/preview\/\d+$/),
    });
    expect((await mine.browser.get(again.context.iframeUrl).expect(200)).text).toContain('"Blocked"');
    await go('project_preview', { action: 'approve' });
    expect((await mine.browser.get(`/api/replit/projects/agent/${id}`)).body.projects).toHaveLength(2);
    expect(await used(mine)).toBe(20);
  });

  test('refuse the id of an agent of another kind', async () => {
    const mine = await signUpReady(server);
    const id = mine.agent.id;
    const answers = await Promise.all([
      mine.browser.post(`/api/user-agents/${id}/create-figma`).send({ goal: 'A form' }),
      mine.browser.post(`/api/professionaliser/${id}/process`).send({ objective: 'One style' }),
      mine.browser.post('/api/replit/create-project').send({ prompt: 'A form', userAgentId: id }),
      mine.browser.get(`/api/replit/projects/agent/${id}`),
      mine.browser.get(`/api/bolt/projects/agent/${id}`),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [422, 'wrong_agent']));
    const outreach = await withAgent(mine, 'outreach');
    const analysed = await mine.browser
      .post(`/api/clinical-safety-agent/${outreach}/analyze-hazard-log`)
      .send({ message: 'Go' });
    expect(analysed.body.code).toBe('wrong_agent');
  });

  /** @shows POST /api/arc-chat/sample */
  test('for /api/arc-chat/sample put the sample into the chat, if the chat is on', async () => {
    const ready = await signUpReady(server);
    await ready.browser.post('/api/arc-chat/sample').send({}).expect(200);
    const history = await eventually(async () => {
      const { body } = await ready.browser.get('/api/arc-chat/history').expect(200);
      return body.ready.log ? body : null;
    }, 'the sample');
    expect(history.ready).toMatchObject({
      log: expect.stringContaining('.xlsx'),
      tickets: expect.stringContaining('.csv'),
    });
    const off = await signUp(server);
    await off.browser.post('/api/integrations/toggle').send({ integrationId: 'arc-chat', enabled: false }).expect(200);
    expect((await off.browser.post('/api/arc-chat/sample').send({})).body.code).toBe('channel_off');
  });
});

describe('status, billing and connecting', () => {
  /** @shows GET /api/arc/status */
  test('/api/arc/status counts the account’s own use', async () => {
    const person = await signUpReady(server);
    await person.browser.post('/api/arc-chat/send').send({ message: 'help' }).expect(200);
    await messageOfKind(person, 'text');
    expect((await person.browser.get('/api/arc/status').expect(200)).body).toMatchObject({
      success: true,
      openaiConfigured: false,
      activeUsers: 1,
      totalInteractions: 1,
      totalUsers: 1,
      error: null,
    });
  });

  /** @shows /#billing no permission, POST /api/billing/plan, POST /api/billing/portal */
  test.each(['/api/billing/portal', '/api/billing/plan', '/api/billing/checkout'])(
    '%s changes nothing without a provider, and is for owners only',
    async (path) => {
      const owner = await signUp(server);
      const answer = await owner.browser.post(path).send({ plan: 'pro' });
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 422, code: 'not_configured' });
      const invited = await owner.browser
        .post('/api/account/members')
        .send({ email: `ben-${Date.now()}-${path.length}@example.org`, roles: ['member'] });
      const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
      const ben = server.browser();
      await ben.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' }).expect(200);
      expect((await ben.post(path).send({ plan: 'pro' })).status).toBe(403);
    },
  );

  /**
   * @shows S1-2.20, GET /api/oauth/:provider/auth, GET /api/oauth/:service/callback, GET /api/oauth/:service/initiate
   */
  test('/api/oauth/:provider/auth and /api/oauth/:service/initiate redirect back with the reason', async () => {
    const { browser } = await signUp(server);
    const login = await server.browser().get('/api/oauth/google/auth').expect(302);
    expect(login.headers.location).toMatch(/^\/auth\?oauth=error&service=google&error=login_not_configured$/);
    const begun = await browser.get('/api/oauth/sharepoint/initiate').expect(302);
    expect(begun.headers.location).toBe('/?oauth=error&service=sharepoint&error=not_configured#integrations');
    const returned = await browser.get('/api/oauth/notion/callback?code=x&state=never-begun').expect(302);
    expect(returned.headers.location).toMatch(/oauth=error&service=notion&error=not_begun_here/);
    expect((await server.browser().get('/api/oauth/aol/auth')).status).toBe(400);
  });

  test('a refused link shows a sentence to a browser, and JSON to a client that asks for JSON', async () => {
    const follow = (path: string) =>
      server.browser().get(path).set('Accept', 'text/html,application/xml;q=0.9,*/*;q=0.8');
    const login = await follow('/api/oauth/%3Cb%3Eaol/auth').expect(302);
    expect(login.headers.location).toBe('/auth?oauth=error&service=%3Cb%3Eaol&error=no_such_provider');
    const connect = await follow('/api/oauth/notion/authorize').expect(401).expect('Content-Type', /html/);
    expect(connect.text).toContain('<p>Please sign in to continue.</p><p><a href="/auth">Sign in</a></p>');
    const unknown = await follow('/api/nothing').expect(404).expect('Content-Type', /html/);
    expect(unknown.text).toContain(
      '<p>This does not exist, or it is not yours to see.</p><p><a href="/">Go to Arc</a>',
    );
    for (const accept of ['application/json', '*/*']) {
      const answer = await server.browser().get('/api/oauth/notion/authorize').set('Accept', accept).expect(401);
      expect(answer.body.code).toBe('not_signed_in');
    }
  });
});

/** @shows call-2 */
test('every call with a body refuses a bad one and names the fields', async () => {
  const owner = await signUp(server);
  const { user } = owner;
  const callerOf = await callersOf(server.url, owner);
  const { User } = await import('../../models/user.ts');
  const { announce } = await import('../../models/store/revisions.ts');
  await User.updateOne({ _id: user.id }, { $set: { isAdmin: true } });
  announce(user.accountId, ['account']);
  const silent: string[] = [];
  for (const { method, path, policy, body } of bound.values()) {
    if (method === 'get' || body.safeParse(7).success || body.safeParse({}).success) continue;
    const answer = await callerOf({ policy })[method](path.replace(/:\w+/g, '1')).send({});
    // A path that names nothing of the caller's own may be refused first.
    if (answer.status === 404) continue;
    if (answer.status !== 400 || Object.keys(answer.body.fields ?? {}).length === 0)
      silent.push(`${method} ${path}: ${answer.status}`);
  }
  expect(silent).toEqual([]);
});

test('an invalid field is reported with its limit', async () => {
  const { browser, user } = await signUp(server);
  for (const [method, path, body, fields] of [
    ['put', '/api/preferences', { companyName: 'x'.repeat(201) }, { companyName: 'At most 200 characters.' }],
    ['post', '/api/arc-chat/send', { message: 'x'.repeat(8001) }, { message: 'At most 8,000 characters.' }],
    [
      'post',
      '/api/integrations/toggle',
      { integrationId: '', enabled: true },
      { integrationId: 'At least 1 character.' },
    ],
  ] as const) {
    const answer = await browser[method](path).send(body);
    expect([path, answer.status, answer.body.fields]).toEqual([path, 400, fields]);
  }
  const { User } = await import('../../models/user.ts');
  const { announce } = await import('../../models/store/revisions.ts');
  await User.updateOne({ _id: user.id }, { $set: { isAdmin: true } });
  announce(user.accountId, ['account']);
  const granted = await browser.post('/api/admin/add-tokens').send({ userId: 0, tokensToAdd: 2_000_000_000 });
  expect(granted.body.fields).toEqual({ userId: 'More than 0.', tokensToAdd: 'Enter at most 1,000,000,000 tokens.' });
});

test('a refused call costs nothing', async () => {
  const person = await signUpReady(server);
  await runInAccount(person.user.accountId, () =>
    ledger.append(person.user.accountId, { key: 'spent', kind: 'reserve', amount: -49_999, note: 'test' }),
  );
  await person.browser
    .post('/api/arc-chat/send')
    .send({ message: 'What could go wrong when the dose is shown in the wrong unit?' })
    .expect(200);
  expect((await messageOfKind(person, 'refused')).message).toMatch(/not enough credits/);
  expect(await used(person)).toBe(49_999);
});
