import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { addTokens, readUserStatistics, readUserTokens } from '../../bot/engine/accounts/adminFigures.ts';
import * as contract from '../../models/contracts/admin.ts';
import { bind } from '../middleware/bind.ts';

/** What admins see and may do. */
export function adminRoutes(router: Router): void {
  bind(router, contract.userStats, ({ query }) => readUserStatistics(query));

  bind(router, contract.userTokens, () => readUserTokens());

  bind(router, contract.addTokens, async ({ who, body }) => {
    const requestId = `${who.userId}:${body.requestId ?? randomUUID()}`;
    return { success: true as const, message: await addTokens(body.userId, body.tokensToAdd, requestId) };
  });
}
