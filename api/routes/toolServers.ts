import type { Router } from 'express';
import {
  addServer,
  changeAgents,
  checkServer,
  type ListedServer,
  readServer,
  readServers,
  removeServer,
  switchTool,
} from '../../bot/engine/toolServers/servers.ts';
import * as contract from '../../models/contracts/toolServers.ts';
import { env } from '../../models/env.ts';
import { bind } from '../middleware/bind.ts';
import { presentToolServer } from '../present/toolServer.ts';

/** MCP servers whose tools the company's agents may use, for its owners. */
export function toolServerRoutes(router: Router): void {
  bind(router, contract.listToolServers, async ({ who }) => ({
    region: env.MCP_REGION === '' ? ('none' as const) : env.MCP_REGION,
    servers: (await readServers(who.accountId)).map(presentToolServer),
  }));

  const show = async ({ accountId, _id }: Pick<ListedServer, 'accountId' | '_id'>) => ({
    server: presentToolServer(await readServer(accountId, String(_id))),
  });

  bind(router, contract.addToolServer, async ({ who, body }) => show(await addServer(who, body)));

  bind(router, contract.changeToolServer, async ({ who, params, body }) =>
    show(await changeAgents(who, params.id, body.userAgentIds)),
  );

  bind(router, contract.checkToolServer, async ({ who, params }) => show(await checkServer(who, params.id)));

  bind(router, contract.switchServerTool, async ({ who, params, body }) =>
    show(await switchTool(who, params.id, body)),
  );

  bind(router, contract.removeToolServer, async ({ who, params }) => {
    await removeServer(who, params.id);
    return { success: true as const };
  });
}
