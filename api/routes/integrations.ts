import type { Router } from 'express';
import { keptIdOf, readIntegrations, toggleIntegration } from '../../bot/engine/accounts/integrations.ts';
import { AppError } from '../../models/contracts/errors.ts';
import * as contract from '../../models/contracts/integrations.ts';
import { ownEntry } from '../../models/contracts/ownEntry.ts';
import { findTool } from '../../models/contracts/tools.ts';
import { bind } from '../middleware/bind.ts';

/** What is connected and switched on. */
export function integrationRoutes(router: Router): void {
  bind(router, contract.oauthStatusAll, ({ who }) => readIntegrations(who.accountId), { topics: ['integrations'] });

  bind(
    router,
    contract.oauthStatus,
    async ({ who, params }) => {
      const id = keptIdOf(params.service);
      const state = ownEntry(await readIntegrations(who.accountId), id);
      if (state) return state;
      const tool = findTool(id);
      if (!tool) throw new AppError('not_found');
      const builtIn = tool.kind === 'engine';
      return { authenticated: builtIn, enabled: builtIn, error: null, configured: builtIn };
    },
    { topics: ['integrations'] },
  );

  bind(router, contract.toggleIntegration, async ({ who, body }) => {
    const integrationId = await toggleIntegration(who, body.integrationId, body.enabled);
    return { success: true as const, integrationId, enabled: body.enabled };
  });
}
