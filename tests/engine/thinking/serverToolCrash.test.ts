import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ToolServerView } from '../../../models/contracts/toolServers.ts';
import { makeBrowser, makeReady } from '../../factories/httpPerson.ts';
import { eventually } from '../../factories/person.ts';
import { type ServerProcess, startProcess } from '../../factories/process.ts';
import { startMcpServer } from '../../fakes/mcp/server.ts';
import type { Asked, Behaviour } from '../../fakes/model/behaviour.ts';
import { startModelServer } from '../../fakes/model/server.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-servers-'));
let model: Awaited<ReturnType<typeof startModelServer>>;
let devices: Awaited<ReturnType<typeof startMcpServer>>;
let environment: Record<string, string>;
let server: ServerProcess;
const browser = makeBrowser(() => server.url);

/** The tool of the company's server, then the answer. */
const behave = ({ messages, tools }: Asked): Behaviour =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'Please check it.' }
    : { calls: [{ name: tools.find((name) => name.startsWith('mcp_')) ?? 'none', input: { id: 'D-7' } }] };

beforeAll(async () => {
  model = await startModelServer(behave);
  // Its work is done, and its answer never comes: the process is killed in between.
  devices = await startMcpServer({
    tools: { recall: { description: 'Recalls.', run: () => new Promise(() => undefined) } },
  });
  environment = {
    ...model.environment,
    MCP_REGION: 'uk',
  };
  server = await startProcess(directory, environment);
  await makeReady(browser, 'ada@example.org', ['clinicalsafety']);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([model.stop(), devices.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

test('killed while a server changes something, a run does not have it changed again, and the model is told', async () => {
  const [agent] = await browser.get('/api/user-agents');
  const given = { name: 'Devices', url: devices.url, secret: null, isInUk: true, userAgentIds: [agent.id] };
  const added: ToolServerView = (await browser.post('/api/tool-servers', given)).server;
  const [tool] = added.tools;
  await browser.put(`/api/tool-servers/${added.id}/tools`, { name: tool?.name, digest: tool?.digest, isOn: true });
  await browser.post('/api/arc-chat/send', { message: 'recall quux zebra', clientId: 'one' });
  const question = await eventually(
    async () => (await browser.get(`/api/agents/${agent.id}/interrupts`))[0],
    'the question',
    30_000,
  );
  await browser.patch(`/api/interrupts/${question.id}/resolve`, { approved: true });
  await eventually(async () => devices.calls.length === 1, 'the call', 30_000);
  await server.kill();
  server = await startProcess(directory, environment);
  const told = () => model.asked.at(-1)?.messages.at(-1)?.content ?? '';
  await eventually(async () => told().includes('was not repeated'), 'the model to be told', 60_000);
  expect(devices.calls).toHaveLength(1);
}, 180_000);
