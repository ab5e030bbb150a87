import type { Router } from 'express';
import { listLinks, makeLink, openLink, revokeLink } from '../../bot/engine/sharing/sharedLinks.ts';
import * as contract from '../../models/contracts/sharedLinks.ts';
import { ANSWERED, bind } from '../middleware/bind.ts';
import { presentOpened, presentSharedLink } from '../present/sharedLink.ts';

/** The links to results of agents, for whom the policy table names. */
export function sharedLinkRoutes(router: Router): void {
  bind(router, contract.listSharedLinks, async ({ who, query }) => ({
    links: (await listLinks(who, query)).map(presentSharedLink),
  }));

  bind(router, contract.makeSharedLink, async ({ who, body }) => {
    const { link, secret } = await makeLink(who, body);
    return { link: presentSharedLink({ ...link, makerName: who.name }), secret };
  });

  bind(router, contract.revokeSharedLink, async ({ who, params }) => {
    await revokeLink(who, params.id);
    return { success: true as const };
  });
}

/** Opens a link. Bind it where no session is read: what it shows depends on the link alone. */
export function openSharedLinkRoute(router: Router): void {
  bind(router, contract.openSharedLink, async ({ body, response }) => {
    const { link, json } = await openLink(body.secret);
    response.set('Cache-Control', 'no-store').type('application/json').send(presentOpened(link, json));
    return ANSWERED;
  });
}
