import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { addTokens, readUserStatistics, readUserTokens } from '../../bot/engine/accounts/adminFigures.ts';
import { setPlan } from '../../bot/engine/accounts/setPlan.ts';
import { endUserSession, endUserSessions } from '../../bot/engine/administration/endSessions.ts';
import { readUser } from '../../bot/engine/administration/readUser.ts';
import { dropFailure, readFailures, retryFailure } from '../../bot/engine/failures/failures.ts';
import * as contract from '../../models/contracts/admin.ts';
import { bind } from '../middleware/bind.ts';

/** Calls of administrators. */
export function adminRoutes(router: Router): void {
  bind(router, contract.userStats, ({ query }) => readUserStatistics(query));

  bind(router, contract.userTokens, () => readUserTokens());

  bind(router, contract.setPlan, async ({ who, body }) => {
    const by = { userId: who.userId, key: randomUUID() };
    return { success: true as const, message: await setPlan(body.userId, body.plan, body.until, by) };
  });

  bind(router, contract.listFailures, () => readFailures());

  bind(router, contract.retryFailure, async ({ who, body }) => {
    await retryFailure(who, body);
    return { success: true as const };
  });

  bind(router, contract.dropFailure, async ({ who, body }) => {
    await dropFailure(who, body);
    return { success: true as const };
  });

  bind(router, contract.readUser, ({ params }) => readUser(params.id));

  bind(router, contract.endUserSession, async ({ who, params }) => {
    await endUserSession(who, params.id, params.sessionId);
    return { success: true as const };
  });

  bind(router, contract.endUserSessions, async ({ who, params }) => {
    await endUserSessions(who, params.id);
    return { success: true as const };
  });

  bind(router, contract.addTokens, async ({ who, body }) => {
    const requestId = `${who.userId}:${body.requestId ?? randomUUID()}`;
    return { success: true as const, message: await addTokens(body.userId, body.tokensToAdd, requestId, who) };
  });
}
