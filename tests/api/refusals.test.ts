import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { bound } from '../../api/middleware/bind.ts';
import { readSample } from '../../bot/agents/clinical_safety/sample/readSample.ts';
import { changeUser } from '../../bot/engine/accounts/changeUser.ts';
import { HazardAnalysis } from '../../models/clinical_safety/hazardAnalysis.ts';
import { Run } from '../../models/run.ts';
import { runInAccount } from '../../models/store/context.ts';
import { callersOf } from '../factories/accessToken.ts';
import { eventually, type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';

/**
 * Calls whose parameter names nobody's data: a service, a channel, a provider, a secret; and Teams, which is off here.
 */
const NOT_PROPERTY = /:(service|provider|token)\b|^\/api\/teams\/tenants|^\/api\/channels\/:channel\/installations$/;

let server: Server;
let mine: Person & { agent: { id: number } };
let callerOfMine: Awaited<ReturnType<typeof callersOf>>;
/** For each parameter of a path, something of mine that exists, where this server can have it. */
let ids: [of: RegExp, id: string | number][];
/** An id that belongs to nobody, for what only exists with Slack, Teams or a project builder. */
const UNKNOWN_ID = /channels|tenants|replit\/preview/;

beforeAll(async () => {
  server = await startServer();
  mine = await signUpReady(server);
  const { browser, user, agent } = mine;
  callerOfMine = await callersOf(server.url, mine);
  const asked = await callerOfMine({ policy: 'token' })
    .post('/api/questions')
    .send({ kind: 'approval', prompt: 'Deploy?', idempotencyKey: 'one' })
    .expect(200);
  await browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: true }).expect(200);
  const stored = await browser
    .post('/api/documents')
    .attach('document', Buffer.from('# Plan\n'), 'Plan.md')
    .expect(201);
  const job = await browser
    .post('/api/automation/jobs')
    .send({ name: 'Weekly', actionType: 'hazard_log_analysis', cronExpression: '0 9 * * 1' })
    .expect(200);
  const { log, tickets } = await readSample();
  for (const { fileName, bytes } of [tickets, log]) {
    await browser.post('/api/arc-chat/upload-hazard-log').attach('hazardLogFile', Buffer.from(bytes), fileName);
  }
  await browser.post(`/api/clinical-safety-agent/${agent.id}/analyze-hazard-log`).send({ message: 'Go' }).expect(200);
  const question = await eventually(async () => {
    const { body } = await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200);
    return body.find((one: { id: number }) => one.id !== asked.body.id);
  }, 'the review');
  const { accountId } = user;
  const [run, analysis] = await runInAccount(accountId, () =>
    Promise.all([Run.findOne({ accountId }).lean(), HazardAnalysis.findOne({ accountId }).lean()]),
  );
  const { conversation, messages } = (await browser.get('/api/arc-chat/history').expect(200)).body;
  const mineSession = (await browser.get('/api/auth/sessions').expect(200)).body.sessions[0].id;
  ids = [
    [/sessions/, mineSession],
    [/threads/, conversation],
    [/:messageId/, messages.find((one: { messageType: string }) => one.messageType === 'assistant').id],
    [/documents/, stored.body.document.id],
    [/automation/, job.body.job.id],
    [/interrupts\/|:interruptId/, question.id],
    [/:runId/, String(run?._id)],
    [/latest/, user.id],
    [/hazard-analysis/, analysis?._id ?? 0],
    [/:fileName/, 'nothing.xlsx'],
    [/questions/, asked.body.id],
    [
      /installations|access-tokens|shared-links|tool-servers|tenants|reading-profiles|match-decisions/,
      '0123456789abcdef01234567',
    ],
    [UNKNOWN_ID, 999_999],
    [/./, agent.id],
  ];
}, 120_000);
afterAll(() => server.stop());

const property = () => [...bound.values()].filter(({ path }) => path.includes(':') && !NOT_PROPERTY.test(path));
const withIds = (path: string) =>
  path
    .replace(':channel', 'slack')
    .replace(/:\w+/g, (name) => String(ids.find(([of]) => of.test(path) || of.test(name))?.[1]));

/** A valid value for each named part of a body, so that only the part under test is wrong. */
const VALID_PARTS = {
  prompt: 'help',
  message: 'help',
  goal: 'help',
  objective: 'help',
  approved: true,
  rows: [],
  version: 0,
  enabled: true,
  action: 'continue',
  admits: 'workspace',
  interruptId: 1,
  isTakenBack: true,
  feedback: { value: 'good' },
  title: 'Mine',
  spokenTo: 'clinical_safety',
  asks: true,
  userAgentIds: [],
  name: 'find',
  digest: '0'.repeat(64),
  findingId: 'f'.repeat(64),
  change: { reopen: true },
  text: 'Why?',
  isOn: true,
};

/** The same for the named parts of a query. */
const VALID_QUERY = { hazard: 'H-1', row: 1 };

describe('another account’s data', () => {
  /** @shows call-3 */
  test('is not found by any call that names it, and does not change', async () => {
    const callerOf = await callersOf(server.url, await signUpReady(server));
    const found: string[] = [];
    for (const { method, path, policy } of property()) {
      const { status, body } = await callerOf({ policy })
        [method](withIds(path))
        .query(method === 'get' ? VALID_QUERY : {})
        .send(method === 'get' ? undefined : VALID_PARTS);
      if (status !== 404 || !/not_found/.test(body.code)) found.push(`${method} ${path}: ${status} ${body.code}`);
    }
    expect(found).toEqual([]);
    const { body } = await mine.browser.get(`/api/agents/${mine.agent.id}/interrupts`).expect(200);
    expect(body[0]).toMatchObject({ status: 'pending', draft: { version: 0 } });
    expect((await mine.browser.get('/api/documents').expect(200)).body.documents).toHaveLength(1);
    expect((await mine.browser.get('/api/automation/jobs').expect(200)).body.jobs).toHaveLength(1);
  });

  test('would be found by its owner', async () => {
    const missing: string[] = [];
    for (const { method, path, policy } of property()) {
      if (method !== 'get' || UNKNOWN_ID.test(path) || path.includes(':fileName')) continue;
      const { status, body } = await callerOfMine({ policy }).get(withIds(path)).query(VALID_QUERY);
      // Found, and reported to be of another kind.
      if (status !== 200 && body.code !== 'wrong_agent') missing.push(`${path}: ${status}`);
    }
    expect(missing).toEqual([]);
  });
});

/** @shows call-4, POST /api/teams/connect */
test('calls for owners or administrators are refused to a member, whatever is sent', async () => {
  const email = `${randomUUID()}@example.org`;
  const invited = await mine.browser
    .post('/api/account/members')
    .send({ email, roles: ['member', 'approver'] })
    .expect(200);
  const token = new URL(invited.body.invitation.link).searchParams.get('invitation');
  const member = server.browser();
  await member.post('/api/account/invitations/accept').send({ token, password: 'correct-horse-1' }).expect(200);
  const reserved = [...bound.values()].filter(({ policy }) => policy === 'owner' || policy === 'admin');
  expect(reserved.length).toBeGreaterThan(10);
  const let_in: string[] = [];
  for (const { method, path, policy } of reserved) {
    const callers = policy === 'admin' ? [member, mine.browser] : [member];
    for (const caller of callers) {
      const { status, body } = await caller[method](withIds(path)).send(method === 'get' ? undefined : {});
      if (status !== 403 || body.code !== 'not_allowed') let_in.push(`${method} ${path}: ${status}`);
    }
  }
  expect(let_in).toEqual([]);
});

/** Parts that the question's own type checks, which refuses an invalid answer with the question. */
const TAKES_ANYTHING = new Set(['/api/interrupts/:id/resolve userResponse']);
/** Values that most fields refuse. */
const WRONG = [{ wrong: { deeply: true } }, 7, 'x'.repeat(50_000), null];

/** @shows call-2 */
test('every part of every body is checked, and an invalid value is refused with its name', async () => {
  const owner = await signUp(server);
  await changeUser(owner.email, { isAdmin: true });
  const callerOf = await callersOf(server.url, owner);
  const unchecked: string[] = [];
  let checked = 0;
  for (const { method, path, policy, body } of bound.values()) {
    if (method === 'get' || !(body instanceof z.ZodObject)) continue;
    for (const [part, shape] of Object.entries(body.shape as Record<string, z.ZodType>)) {
      const wrong = WRONG.find((value) => !shape.safeParse(value).success);
      const fields =
        wrong !== undefined &&
        (
          await callerOf({ policy })
            [method](withIds(path))
            .send({ ...VALID_PARTS, [part]: wrong })
        ).body.fields;
      if (Object.keys(fields || {}).some((name) => name.split('.')[0] === part)) checked += 1;
      else if (!TAKES_ANYTHING.has(`${path} ${part}`)) unchecked.push(`${method} ${path}: ${part}`);
    }
  }
  expect(checked).toBeGreaterThan(50);
  expect(unchecked).toEqual([]);
});

test('an invalid number in a path is refused with its name', async () => {
  const silent: string[] = [];
  for (const { method, path, policy, params } of bound.values()) {
    const shape = (params as z.ZodObject).shape as Record<string, z.ZodType>;
    const [name = ''] = Object.keys(shape).filter((it) => shape[it]?.safeParse('7').data === 7);
    if (!name) continue;
    for (const odd of ['x', '0', '-1', '1.5', '99999999999999999999']) {
      const address = path.replace(`:${name}`, odd).replace(':channel', 'slack');
      const { status, body } = await callerOfMine({ policy })
        [method](address)
        .send(method === 'get' ? undefined : VALID_PARTS);
      if (status !== 400 || !(name in (body.fields ?? {}))) silent.push(`${method} ${path} ${odd}: ${status}`);
    }
  }
  expect(silent).toEqual([]);
});
