import { mutate } from 'swr';
import type { BodyOf } from '../../models/contracts/endpoint.ts';
import {
  addToolServer,
  changeToolServer,
  checkToolServer,
  listToolServers,
  removeToolServer,
  type ServerToolView,
  switchServerTool,
} from '../../models/contracts/toolServers.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** The MCP servers that the company allows; owners only. */
export const useToolServers = () => useCall(listToolServers, {});

const again = () => mutate(urlOf(listToolServers));

/** Allows a server. Its tools are read, and are off. */
export async function allowServer(body: BodyOf<typeof addToolServer>): Promise<void> {
  await call(addToolServer, { body });
  await again();
}

/** Chooses the agents that may use a server's tools. */
export async function chooseAgents(id: string, userAgentIds: number[]): Promise<void> {
  await call(changeToolServer, { params: { id }, body: { userAgentIds } });
  await again();
}

/** Reads a server's tools again. */
export async function checkServer(id: string): Promise<void> {
  await call(checkToolServer, { params: { id }, body: {} });
  await again();
}

/** Switches a tool on, as it is shown, or off. Where it was changed in between, what it is now is shown. */
export async function switchTool(
  id: string,
  { name, digest }: Pick<ServerToolView, 'name' | 'digest'>,
  isOn: boolean,
): Promise<void> {
  try {
    await call(switchServerTool, { params: { id }, body: { name, digest, isOn } });
  } finally {
    await again();
  }
}

/** Removes a server with its secret. */
export async function removeServer(id: string): Promise<void> {
  await call(removeToolServer, { params: { id } });
  await again();
}
