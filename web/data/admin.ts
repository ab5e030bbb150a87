import { mutate } from 'swr';
import { addTokens, type GrantablePlan, setPlan, userStats, userTokens } from '../../models/contracts/admin.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

export type UserSort = 'joined' | 'email' | 'agents';

/** Every user with their activity; one page of them where there are more than 1,000. */
export function useUserStats(page: number, sort: UserSort) {
  return useCall(userStats, {
    query: { page, sort, direction: sort === 'email' ? 'ascending' : 'descending' },
  });
}

/** Credits of every user's account. */
export function useUserTokens() {
  return useCall(userTokens, {});
}

/** A typed number of credits, grouped by commas or spaces or not; null where it is no positive whole number. */
export function creditsOf(typed: string): number | null {
  const digits = typed.trim().replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/g, '');
  const credits = /^\d+$/.test(digits) ? Number(digits) : 0;
  return credits > 0 && Number.isSafeInteger(credits) ? credits : null;
}

/** Grants credits; the same request twice grants once. Gives the server's message. */
export async function grantTokens(userId: number, tokensToAdd: number, requestId: string): Promise<string> {
  const answer = await call(addTokens, { body: { userId, tokensToAdd, requestId } });
  await mutate(urlOf(userTokens));
  return answer.message;
}

/** Sets the plan of the company that a user owns. Gives the server's message. */
export async function givePlan(userId: number, plan: GrantablePlan, until: string | undefined): Promise<string> {
  const answer = await call(setPlan, { body: { userId, plan, until } });
  await mutate((key) => typeof key === 'string' && key.startsWith(userStats.path));
  return answer.message;
}
