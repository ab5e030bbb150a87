import type { ServerToolView, ToolServerView } from '../../models/contracts/toolServers.ts';
import type { Person } from './person.ts';

type Owner = Pick<Person, 'browser'>;

/** Allows an MCP server as an owner does; its tools are off. */
export async function addToolServer({ browser }: Owner, url: string, more: object = {}): Promise<ToolServerView> {
  const given = { name: 'Devices', url, secret: null, isInUk: false, userAgentIds: [], ...more };
  return (await browser.post('/api/tool-servers').send(given).expect(201)).body.server;
}

/** Switches a tool on or off, as it is shown. */
export const switchTool = (
  { browser }: Owner,
  { id }: Pick<ToolServerView, 'id'>,
  { name, digest }: Pick<ServerToolView, 'name' | 'digest'>,
  isOn = true,
) => browser.put(`/api/tool-servers/${id}/tools`).send({ name, digest, isOn });
