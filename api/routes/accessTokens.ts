import type { Router } from 'express';
import { makeToken, readTokens } from '../../bot/engine/access/accessTokens.ts';
import { endToken } from '../../bot/engine/outside/endQuestions.ts';
import * as contract from '../../models/contracts/accessTokens.ts';
import { bind } from '../middleware/bind.ts';
import { presentAccessToken } from '../present/accessToken.ts';

/** The company's access tokens, for its owners. */
export function accessTokenRoutes(router: Router): void {
  bind(router, contract.listAccessTokens, async ({ who }) => ({
    tokens: (await readTokens(who.accountId)).map(presentAccessToken),
  }));

  bind(router, contract.makeAccessToken, async ({ who, body }) => {
    const { token, ...secrets } = await makeToken(who, body);
    return { token: presentAccessToken({ ...token, makerName: who.name, failedWebhooks: null }), ...secrets };
  });

  bind(router, contract.revokeAccessToken, async ({ who, params }) => {
    await endToken(who, params.id);
    return { success: true as const };
  });
}
