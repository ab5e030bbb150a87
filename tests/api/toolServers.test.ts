/** @environment operator */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../models/contracts/limits.ts';
import type { ServerToolView, ToolServerView } from '../../models/contracts/toolServers.ts';
import { type Person, signUp, signUpReady } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { addToolServer, switchTool } from '../factories/toolServer.ts';
import { startMcpServer } from '../fakes/mcp/server.ts';

let server: Server;
let owner: Person & { agent: { id: number } };
let other: Person;
const fakes: Awaited<ReturnType<typeof startMcpServer>>[] = [];

beforeAll(async () => {
  server = await startServer();
  [owner, other] = await Promise.all([signUpReady(server), signUp(server)]);
});
afterAll(async () => {
  await Promise.all(fakes.map((fake) => fake.stop()));
  await server.stop();
});

const READS = { readOnlyHint: true };
const TOOLS = {
  find_device: { description: 'Finds a device.', properties: { id: { type: 'string' } }, annotations: READS },
  recall: { description: 'Recalls a device.', properties: { id: { type: 'string' } } },
};
async function start(settings: Partial<Parameters<typeof startMcpServer>[0]> = {}) {
  const fake = await startMcpServer({ tools: TOOLS, ...settings });
  fakes.push(fake);
  return fake;
}
const add = (url: string, more: object = {}) =>
  owner.browser
    .post('/api/tool-servers')
    .send({ name: 'Devices', url, secret: null, isInUk: false, userAgentIds: [], ...more });
const list = async ({ browser }: Pick<Person, 'browser'> = owner): Promise<ToolServerView[]> =>
  (await browser.get('/api/tool-servers').expect(200)).body.servers;
const check = async ({ id }: Pick<ToolServerView, 'id'>): Promise<ToolServerView> =>
  (await owner.browser.post(`/api/tool-servers/${id}/check`).send({}).expect(200)).body.server;
const toolOf = ({ tools }: ToolServerView, name = 'find_device'): ServerToolView => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
};
const remove = ({ id }: Pick<ToolServerView, 'id'>) => owner.browser.delete(`/api/tool-servers/${id}`).expect(200);

describe('an MCP server that an owner allows', () => {
  /** @shows GET /api/tool-servers, POST /api/tool-servers, DELETE /api/tool-servers/:id */
  test('is listed with its tools, all off, and never with its secret', async () => {
    const fake = await start({ secret: 'let-me-in' });
    const added = await addToolServer(owner, fake.url, { secret: 'let-me-in', userAgentIds: [owner.agent.id] });
    expect(added).toMatchObject({
      ...{ name: 'Devices', url: fake.url, hasSecret: true, isUsable: true, leftOut: 0, addedBy: 'Ada Okafor' },
      userAgentIds: [owner.agent.id],
    });
    expect(added.tools.map(({ name, reads, state, changes }) => ({ name, reads, state, changes }))).toEqual([
      { name: 'find_device', reads: true, state: 'off', changes: [] },
      { name: 'recall', reads: false, state: 'off', changes: [] },
    ]);
    expect(toolOf(added).description).toBe('Finds a device.');
    expect(JSON.parse(toolOf(added).inputSchema)).toMatchObject({ properties: { id: { type: 'string' } } });
    expect(fake.headers.every(({ authorization }) => authorization === 'Bearer let-me-in')).toBe(true);
    const [{ ToolServer }, { runInAccount }, { AuditEvent }] = await Promise.all([
      import('../../models/toolServer.ts'),
      import('../../models/store/context.ts'),
      import('../../models/auditEvent.ts'),
    ]);
    const within = <T>(read: () => Promise<T>) => runInAccount(owner.user.accountId, read);
    const kept = await within(() => ToolServer.findOne({ _id: added.id }).lean());
    expect(JSON.stringify([kept, await list()])).not.toContain('let-me-in');
    expect(await list(other)).toEqual([]);
    await remove(added);
    expect(await list()).toEqual([]);
    const events = await within(() =>
      AuditEvent.find({ subject: `tool-server:${added.id}` })
        .sort({ seq: 1 })
        .lean(),
    );
    expect(events.map(({ event, userId, outcome }) => ({ event, userId, outcome }))).toEqual([
      { event: 'tool-server.added', userId: owner.user.id, outcome: new URL(fake.url).host },
      { event: 'tool-server.removed', userId: owner.user.id, outcome: 'removed' },
    ]);
  });

  /** @shows PUT /api/tool-servers/:id/tools, POST /api/tool-servers/:id/check */
  test('has a tool switched off by any change of its declaration, until that one is allowed', async () => {
    const fake = await start();
    const added = await addToolServer(owner, fake.url);
    const first = toolOf(added);
    await switchTool(owner, added, first).expect(200);
    expect(toolOf(await check(added)).state).toBe('on');
    const changes = [
      ['description', { description: 'Finds any device.' }],
      ['title', { title: 'Find' }],
      ['arguments', { properties: { id: { type: 'number' } } }],
      ['hints', { annotations: { readOnlyHint: false } }],
    ] as const;
    for (const [what, change] of changes) {
      fake.tools.find_device = { ...TOOLS.find_device, ...change };
      const changed = toolOf(await check(added));
      expect({ state: changed.state, what: changed.changes.map((one) => one.what) }).toEqual({
        state: 'changed',
        what: [what],
      });
      // What was shown before is allowed no more.
      await switchTool(owner, added, first).expect(409);
      expect(toolOf((await list())[0] as ToolServerView).state).toBe('changed');
      fake.tools.find_device = TOOLS.find_device;
      expect(toolOf(await check(added)).state).toBe('on');
    }
    fake.tools.find_device = { ...TOOLS.find_device, description: 'Finds any device.' };
    const shown = toolOf(await check(added));
    expect(shown.changes).toEqual([{ what: 'description', before: 'Finds a device.', after: 'Finds any device.' }]);
    const allowed = (await switchTool(owner, added, shown).expect(200)).body.server;
    expect({ state: toolOf(allowed).state, changes: toolOf(allowed).changes }).toEqual({ state: 'on', changes: [] });
    const off = (await switchTool(owner, added, shown, false).expect(200)).body.server;
    expect(off.tools.map(({ state }: ServerToolView) => state)).toEqual(['off', 'off']);
    await remove(added);
  });

  test('has a tool that went away and came back switched off', async () => {
    const fake = await start();
    const added = await addToolServer(owner, fake.url);
    await switchTool(owner, added, toolOf(added)).expect(200);
    delete fake.tools.find_device;
    expect((await check(added)).tools.map(({ name }) => name)).toEqual(['recall']);
    fake.tools.find_device = TOOLS.find_device;
    expect(toolOf(await check(added)).state).toBe('off');
    await remove(added);
  });

  test('is not for another company to see, change, check, switch or remove', async () => {
    const fake = await start();
    const added = await addToolServer(owner, fake.url);
    const [tool, path] = [toolOf(added), `/api/tool-servers/${added.id}`];
    await other.browser.patch(path).send({ userAgentIds: [] }).expect(404);
    await other.browser.post(`${path}/check`).send({}).expect(404);
    await switchTool(other, added, tool).expect(404);
    await other.browser.delete(path).expect(404);
    expect((await list())[0]).toMatchObject({ id: added.id, tools: [{ state: 'off' }, { state: 'off' }] });
    await remove(added);
  });

  /** @shows PATCH /api/tool-servers/:id */
  test('is for agents that the company has hired', async () => {
    const fake = await start();
    const added = await addToolServer(owner, fake.url);
    const change = (userAgentIds: number[]) =>
      owner.browser.patch(`/api/tool-servers/${added.id}`).send({ userAgentIds });
    expect((await change([owner.agent.id]).expect(200)).body.server.userAgentIds).toEqual([owner.agent.id]);
    expect((await change([owner.agent.id, 999_999]).expect(400)).body.fields).toHaveProperty('userAgentIds');
    expect((await list())[0]?.userAgentIds).toEqual([owner.agent.id]);
    await remove(added);
  });

  test('can’t have an address outside the public internet, nor one without https', async () => {
    for (const url of [
      'http://tools.example.org/mcp',
      'https://10.0.0.1/mcp',
      'https://169.254.169.254/latest',
      'https://[fd00::1]/mcp',
      'https://user:secret@tools.example.org/mcp',
      'file:///etc/passwd',
    ])
      expect({ url, body: (await add(url)).body }).toMatchObject({
        url,
        body: { code: 'bad_request', fields: { url: expect.any(String) } },
      });
    expect(await list()).toEqual([]);
  });

  const answer = (status: number, body: string, headers: Record<string, string> = {}) => ({
    misbehave: (_request: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
      return true;
    },
  });
  test.each<[string, Partial<Awaited<ReturnType<typeof startMcpServer>>>]>([
    ['leads elsewhere', answer(307, '', { location: 'http://169.254.169.254/' })],
    ['answers with something else', answer(200, '<h1>Hello</h1>', { 'content-type': 'text/html' })],
    ['answers with broken JSON', answer(200, '{"jsonrpc":')],
    ['answers with an error', answer(500, 'the secret inside')],
    ['is too long', answer(200, `"${'x'.repeat(LIMITS.toolServers.bytes)}"`)],
    ['closes the connection', { misbehave: (request) => Boolean(request.socket.destroy()) }],
  ])('is not allowed where it %s', async (_what, how) => {
    const fake = Object.assign(await start(), how);
    const { status, body } = await add(fake.url);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'tool_server_failed' });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(await list()).toEqual([]);
  });

  test('is not allowed where it refuses the token', async () => {
    const fake = await start({ secret: 'let-me-in' });
    for (const secret of ['let-me-out', null])
      expect((await add(fake.url, { secret }).expect(422)).body.code).toBe('tool_server_failed');
  });

  test('has tools that are too long left out, and counts them', async () => {
    const long = 'x'.repeat(LIMITS.toolServers.description);
    const fake = await start({ tools: { fits: { description: long }, long: { description: `${long}x` } } });
    const added = await addToolServer(owner, fake.url);
    expect({ names: added.tools.map(({ name }) => name), leftOut: added.leftOut }).toEqual({
      names: ['fits'],
      leftOut: 1,
    });
    await remove(added);
  });

  test('is one of as many as a company can have', async () => {
    const fake = await start();
    const added: ToolServerView[] = [];
    for (let n = 0; n < LIMITS.toolServers.count; n += 1) added.push(await addToolServer(owner, fake.url));
    expect((await add(fake.url).expect(422)).body.code).toBe('not_available');
    await remove(added[0] as ToolServerView);
    added[0] = await addToolServer(owner, fake.url);
    for (const one of added) await remove(one);
  });

  test('is the owner’s to see and allow, not a member’s', async () => {
    const fake = await start();
    const [{ Member }, { announce }, { signUp }] = await Promise.all([
      import('../../models/member.ts'),
      import('../../models/store/revisions.ts'),
      import('../factories/person.ts'),
    ]);
    const member = await signUp(server);
    const { accountId, id: userId } = member.user;
    await Member.updateOne({ accountId, userId }, { $set: { roles: ['member', 'clinical-safety-officer'] } });
    announce(accountId, ['account']);
    await member.browser.get('/api/tool-servers').expect(403);
    const given = { name: 'Devices', url: fake.url, secret: null, isInUk: false, userAgentIds: [] };
    await member.browser.post('/api/tool-servers').send(given).expect(403);
    expect(fake.headers).toEqual([]);
  });
});
