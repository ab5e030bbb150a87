import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Person } from '../factories/person.ts';
import type { Server } from '../factories/server.ts';
import { addToolServer } from '../factories/toolServer.ts';
import { startMcpServer } from '../fakes/mcp/server.ts';

let server: Server;
let owner: Person;
let fake: Awaited<ReturnType<typeof startMcpServer>>;
beforeAll(async () => {
  process.env.MCP_REGION = 'uk';
  const [{ startServer }, { signUp }] = await Promise.all([
    import('../factories/server.ts'),
    import('../factories/person.ts'),
  ]);
  fake = await startMcpServer({ tools: { look: { description: 'Looks.' } } });
  server = await startServer();
  owner = await signUp(server);
});
afterAll(async () => {
  await fake.stop();
  await server.stop();
});

test('a deployment that keeps data in the UK allows only servers that the owner declares to be there', async () => {
  const given = { name: 'Devices', url: fake.url, secret: null, isInUk: false, userAgentIds: [] };
  const { body } = await owner.browser.post('/api/tool-servers').send(given).expect(400);
  expect(Object.keys(body.fields)).toEqual(['isInUk']);
  expect(fake.headers).toEqual([]);
  expect(await addToolServer(owner, fake.url, { isInUk: true })).toMatchObject({ isInUk: true, isUsable: true });
  const { ToolServer } = await import('../../models/toolServer.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  const { accountId } = owner.user;
  await runInAccount(accountId, () => ToolServer.updateOne({ accountId }, { $set: { isInUk: false } }));
  const { region, servers } = (await owner.browser.get('/api/tool-servers').expect(200)).body;
  expect({ region, isUsable: servers[0].isUsable }).toEqual({ region: 'uk', isUsable: false });
  const path = `/api/tool-servers/${servers[0].id}`;
  const [tool] = servers[0].tools;
  await owner.browser.post(`${path}/check`).send({}).expect(400);
  // Nor is it used by what was offered a tool before.
  const { findUsable } = await import('../../bot/engine/toolServers/region.ts');
  await runInAccount(accountId, async () => {
    const row = await ToolServer.findOne({ accountId }).lean();
    const on = row?.tools.map((one) => ({ ...one, isOn: true, allowed: one.declared }));
    const isFound = async (isInUk: boolean) => {
      await ToolServer.updateOne({ accountId }, { $set: { tools: on, isInUk } });
      return (await findUsable(accountId, String(row?._id), tool.name)) !== null;
    };
    expect([await isFound(true), await isFound(false)]).toEqual([true, false]);
  });
  await owner.browser.put(`${path}/tools`).send({ name: tool.name, digest: tool.digest, isOn: true }).expect(400);
});
