import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Person, signUp } from '../factories/person.ts';
import { type Server, startServer } from '../factories/server.ts';
import { startMcpServer } from '../fakes/mcp/server.ts';

let server: Server;
let owner: Person;
let fake: Awaited<ReturnType<typeof startMcpServer>>;
beforeAll(async () => {
  fake = await startMcpServer({ tools: { look: { description: 'Looks.' } } });
  server = await startServer();
  owner = await signUp(server);
});
afterAll(async () => {
  await fake.stop();
  await server.stop();
});

test('a deployment whose administrator decided nothing allows no MCP server, and asks none', async () => {
  expect((await owner.browser.get('/api/tool-servers').expect(200)).body).toEqual({ region: 'none', servers: [] });
  const given = { name: 'Devices', url: fake.url, secret: null, isInUk: true, userAgentIds: [] };
  const { body } = await owner.browser.post('/api/tool-servers').send(given).expect(422);
  expect({ code: body.code, names: body.error.includes('MCP_REGION') }).toEqual({
    code: 'not_configured',
    names: true,
  });
  expect(fake.headers).toEqual([]);
});
