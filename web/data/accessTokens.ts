import { mutate } from 'swr';
import { listAccessTokens, makeAccessToken, revokeAccessToken } from '../../models/contracts/accessTokens.ts';
import type { AnswerOf, BodyOf } from '../../models/contracts/endpoint.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** The company's access tokens; owners only. */
export function useAccessTokens() {
  return useCall(listAccessTokens, {});
}

/** Makes a token. The answer is the only one with its secrets. */
export async function makeToken(body: BodyOf<typeof makeAccessToken>): Promise<AnswerOf<typeof makeAccessToken>> {
  const made = await call(makeAccessToken, { body });
  await mutate(urlOf(listAccessTokens));
  return made;
}

/** Revokes a token; its open questions are withdrawn. */
export async function revokeToken(id: string): Promise<void> {
  await call(revokeAccessToken, { params: { id } });
  await mutate(urlOf(listAccessTokens));
}
