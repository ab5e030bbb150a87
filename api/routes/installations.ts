import type { Router } from 'express';
import { changeAdmits, endInstallation, readInstallations } from '../../bot/engine/accounts/installations.ts';
import * as contract from '../../models/contracts/installations.ts';
import { bind } from '../middleware/bind.ts';
import { presentInstallation } from '../present/installation.ts';

/** Where channels are installed, and who may ask there. */
export function installationRoutes(router: Router): void {
  bind(router, contract.listInstallations, async ({ who, params }) =>
    (await readInstallations(who.accountId, params.channel)).map(presentInstallation),
  );

  bind(router, contract.changeInstallation, async ({ who, params, body }) =>
    presentInstallation(await changeAdmits({ accountId: who.accountId, ...params }, body.admits)),
  );

  bind(router, contract.disconnectInstallation, async ({ who, params }) => {
    const revoked = await endInstallation({ accountId: who.accountId, ...params });
    return { success: true as const, revoked };
  });
}
