import { mutate } from 'swr';
import {
  addTokens,
  dropFailure,
  endUserSession,
  endUserSessions,
  type Failure,
  type GrantablePlan,
  listFailures,
  MAX_GRANT,
  readUser,
  retryFailure,
  setPlan,
  userStats,
  userTokens,
} from '../../models/contracts/admin.ts';
import { call, urlOf } from './call.ts';
import { creditsOf } from './typedCredits.ts';
import { useCall } from './useCall.ts';
import { grouped } from './words.ts';

export type UserSort = 'joined' | 'email' | 'agents';

/** Users with their activity; split into pages above 1,000 users. @param search words of name or email */
export function useUserStats(page: number, sort: UserSort, search: string) {
  return useCall(userStats, {
    query: { page, sort, ...(search ? { search } : {}), direction: sort === 'email' ? 'ascending' : 'descending' },
  });
}

/** Credits of every user's account. */
export function useUserTokens() {
  return useCall(userTokens, {});
}

/** Why a typed number of credits can't be granted; null where it can. */
export function grantFault(typed: string): string | null {
  const credits = creditsOf(typed);
  if (credits === null) return 'Please enter a valid positive number of tokens.';
  return credits > MAX_GRANT ? `Please enter at most ${grouped(MAX_GRANT)} tokens.` : null;
}

/** Grants credits. @param requestId idempotency key @returns the server's message */
export async function grantTokens(userId: number, tokensToAdd: number, requestId: string): Promise<string> {
  const answer = await call(addTokens, { body: { userId, tokensToAdd, requestId } });
  await mutate(urlOf(userTokens));
  return answer.message;
}

/** Sets the plan of the company that a user owns. @returns the server's message */
export async function grantPlan(userId: number, plan: GrantablePlan, until: string | undefined): Promise<string> {
  const answer = await call(setPlan, { body: { userId, plan, until } });
  await mutate((key) => typeof key === 'string' && key.startsWith(userStats.path));
  return answer.message;
}

/** Failures that are no longer retried, in any company. */
export const useFailures = () => useCall(listFailures, {});

/** Tries a failure again. */
export async function tryAgain({ kind, id }: Failure): Promise<void> {
  await call(retryFailure, { body: { kind, id } });
  await mutate(urlOf(listFailures));
}

/** Takes a failure off the list without trying it again. */
export async function drop({ kind, id }: Failure): Promise<void> {
  await call(dropFailure, { body: { kind, id } });
  await mutate(urlOf(listFailures));
}

/** One user with their companies. */
export const useUserDetails = (id: number) => useCall(readUser, { params: { id } });

/** Signs a user out of one browser. */
export async function endSessionOfUser(id: number, sessionId: string): Promise<void> {
  await call(endUserSession, { params: { id, sessionId } });
  await mutate(urlOf(readUser, { params: { id } }));
}

/** Signs a user out everywhere. */
export async function endSessionsOfUser(id: number): Promise<void> {
  await call(endUserSessions, { params: { id } });
  await mutate(urlOf(readUser, { params: { id } }));
}
