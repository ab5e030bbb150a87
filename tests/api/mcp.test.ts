import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import type { TokenScope } from '../../models/contracts/tokenScopes.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { makeAccessToken, programWith } from '../factories/accessToken.ts';
import { endTrial } from '../factories/endTrial.ts';
import { connectMcp } from '../factories/mcpClient.ts';
import { eventually, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

let server: Server;
let owner: Awaited<ReturnType<typeof signUpReady>>;
type Foreign = Awaited<ReturnType<typeof connectMcp>>;
const open: Foreign[] = [];
beforeAll(async () => {
  server = await startServer();
  owner = await signUpReady(server);
});
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  await server.stop();
});

async function connect(
  person: Pick<Person, 'browser'>,
  scopes?: readonly TokenScope[],
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<Foreign> {
  const foreign = await connectMcp(server.url, (await makeAccessToken(person, scopes)).secret, mode);
  open.push(foreign);
  return foreign;
}
const approval = (change: object = {}) => ({
  kind: 'approval',
  prompt: 'Deploy release 12?',
  idempotencyKey: randomUUID(),
  ...change,
});
const answer = ({ browser }: Pick<Person, 'browser'>, id: number) =>
  browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true }).expect(200);
const namesOf = async ({ client }: Foreign) => (await client.listTools()).tools.map(({ name }) => name).sort();

describe('a foreign client of the Model Context Protocol', () => {
  test.each(['legacy', 'auto'] as const)('lists the tools of its scopes, with what they do (%s)', async (mode) => {
    const all = await connect(owner, undefined, mode);
    expect(await namesOf(all)).toEqual([
      'ask_person',
      'get_analysis',
      'get_question',
      'list_analyses',
      'list_questions',
      'run_analysis',
      'withdraw_question',
    ]);
    const { tools } = await all.client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading.sort()).toEqual(['get_analysis', 'get_question', 'list_analyses', 'list_questions']);
    const ask = tools.find(({ name }) => name === 'ask_person');
    expect(ask?.inputSchema.required?.sort()).toEqual(['idempotencyKey', 'kind', 'prompt']);
    expect(await namesOf(await connect(owner, ['analyses:read'], mode))).toEqual(['get_analysis', 'list_analyses']);
    expect(await namesOf(await connect(owner, ['questions:read'], mode))).toEqual(['get_question', 'list_questions']);
  });

  test('is offered an agent’s tools only while the agent is onboarded', async () => {
    expect(await namesOf(await connect(await signUp(server), ['analyses:read', 'analyses:run']))).toEqual([]);
  });

  test.each(['legacy', 'auto'] as const)('asks a person and gets the one answer, each time (%s)', async (mode) => {
    const foreign = await connect(owner, ['questions:ask'], mode);
    const ask = approval();
    const asked = foreign.use('ask_person', ask);
    const question = await eventually(async () => {
      const { body } = await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`).expect(200);
      return body.find((one: { status: string; prompt: string }) => one.status === 'pending');
    }, 'the question');
    await answer(owner, question.id);
    const first = await asked;
    expect(first.result).toMatchObject({ id: question.id, status: 'answered', answer: { approved: true } });
    expect(await foreign.use('ask_person', ask)).toEqual(first);
    expect(await foreign.use('get_question', { id: question.id, wait: 50 })).toEqual(first);
    expect((await foreign.use('list_questions')).result.questions).toEqual([first.result]);
  });

  test('gets a question that nobody answers yet as pending, and can withdraw it', async () => {
    const foreign = await connect(owner, ['questions:ask']);
    const { result } = await foreign.use('ask_person', approval({ wait: 1 }));
    expect(result).toMatchObject({ status: 'pending', answer: null });
    expect((await foreign.use('withdraw_question', { id: result.id })).result.status).toBe('withdrawn');
  });

  test('is refused in plain words: another company, a kind for agents, a reused key, a missing scope', async () => {
    const foreign = await connect(owner, ['questions:ask']);
    const other = await connect(await signUpReady(server));
    const ask = approval({ wait: 0 });
    const { result } = await foreign.use('ask_person', ask);
    const NOT_FOUND = 'not_found: This does not exist, or it is not yours to see.';
    for (const tool of ['get_question', 'withdraw_question'])
      expect((await other.use(tool, { id: result.id })).refused).toBe(NOT_FOUND);
    expect((await foreign.use('ask_person', { ...ask, kind: 'hazard_review' })).refused).toMatch(/^not_available: /);
    expect((await foreign.use('ask_person', { ...ask, prompt: 'Another?' })).refused).toMatch(/^key_reused: /);
    expect((await foreign.use('ask_person', { ...ask, options: ['A', 'B'] })).refused).toMatch(/\noptions: /);
    await expect(
      foreign.use('ask_person', { ...ask, prompt: 'x'.repeat(LIMITS.outside.prompt + 1) }),
    ).resolves.toMatchObject({ refused: expect.stringContaining('prompt') });
    const unknown = await foreign.use('list_analyses').catch((error: Error) => ({ refused: error.message }));
    expect(unknown.refused).toMatch(/list_analyses/);
  });

  test('is refused without a token that works, from another site, and with too large a body', async () => {
    const { id, secret } = await makeAccessToken(owner);
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const post = (given: string, body: object = initialize) =>
      programWith(server.url, given).post('/mcp').set('Accept', 'application/json, text/event-stream').send(body);
    const begun = await post(secret);
    expect({ status: begun.status, text: begun.text }).toEqual({ status: 200, text: expect.stringContaining('"Arc"') });
    // It keeps no session: any process can serve the next request.
    expect(begun.headers['mcp-session-id']).toBeUndefined();
    expect((await post(secret).set('Origin', 'https://elsewhere.example')).status).toBe(403);
    expect((await post(secret, { ...initialize, filler: 'x'.repeat(LIMITS.outside.bodyBytes) })).status).toBe(413);
    expect((await owner.browser.post('/mcp').send(initialize)).status).toBe(401);
    expect((await programWith(server.url, secret).get('/mcp')).status).toBe(405);
    await owner.browser.delete(`/api/access-tokens/${id}`).expect(200);
    const refused = await post(secret);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 401, code: 'bad_token' });
    await expect(connectMcp(server.url, secret)).rejects.toThrow();
  });

  test('runs an analysis once for a key, which costs credits, and reads it', async () => {
    const person = await signUpReady(server);
    const foreign = await connect(person, ['analyses:read', 'analyses:run']);
    const run = (idempotencyKey: string, wait = 0) => foreign.use('run_analysis', { idempotencyKey, wait });
    expect((await run('early')).refused).toMatch(/^no_log: /);
    expect((await foreign.use('get_analysis')).refused).toMatch(/^no_analysis: /);
    const { log, tickets } = await readSample();
    for (const { fileName, bytes } of [tickets, log])
      await person.browser
        .post('/api/arc-chat/upload-hazard-log')
        .attach('hazardLogFile', Buffer.from(bytes), fileName);
    const before = (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;
    const [first, again] = await Promise.all([run('nightly', 50), run('nightly', 50)]);
    expect(first.result).toEqual(again.result);
    expect(first.result).toMatchObject({ status: 'waiting', error: null, analysis: { status: 'in-review' } });
    const runs = await runInAccount(person.user.accountId, () => Run.countDocuments({ workflow: 'hazard-analysis' }));
    expect(runs).toBe(1);
    const used = (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;
    expect(used).toBeGreaterThan(before);
    // An open review is never withdrawn for a program.
    expect((await run('again')).refused).toMatch(/^review_open: /);
    const open = first.result.analysis.waitsForQuestion;
    const { secret } = await makeAccessToken(person, ['analyses:run']);
    for (const withdrawQuestion of [undefined, open]) {
      const { status, body } = await programWith(server.url, secret)
        .post(`/api/clinical-safety-agent/${person.agent.id}/analyze-hazard-log`)
        .send({ withdrawQuestion });
      expect([status, body.code]).toEqual([403, 'review_not_yours']);
    }
    expect((await person.browser.get(`/api/interrupts/${open}`).expect(200)).body.status).toBe('pending');
    const { analyses } = (await foreign.use('list_analyses')).result;
    expect(analyses).toEqual([first.result.analysis]);
    const { result } = await foreign.use('get_analysis', { list: 'hazards', limit: 2, offset: 1 });
    const whole = (await person.browser.get(`/api/hazard-analysis/latest/${person.user.id}`).expect(200)).body;
    expect(result).toMatchObject({
      ...analyses[0],
      counted: whole.analysisMetadata,
      total: whole.existingHazards.length,
      items: whole.existingHazards.slice(1, 3),
    });
    const other = await connect(await signUpReady(server));
    expect((await other.use('get_analysis', { id: analyses[0].id })).refused).toMatch(/^not_found: /);
    expect((await other.use('list_analyses')).result.analyses).toEqual([]);
  });

  test('starts nothing after the trial, and can still read', async () => {
    const person = await signUpReady(server);
    const foreign = await connect(person);
    await endTrial(person);
    expect((await foreign.use('ask_person', approval())).refused).toMatch(/^trial_over: /);
    expect((await foreign.use('run_analysis', { idempotencyKey: 'a' })).refused).toMatch(/^trial_over: /);
    expect((await foreign.use('list_questions')).result.questions).toEqual([]);
  });
});
