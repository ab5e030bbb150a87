import useSWR, { mutate } from 'swr';
import type { AnswerOf, BodyOf, QueryOf } from '../../models/contracts/endpoint.ts';
import {
  listSharedLinks,
  makeSharedLink,
  openSharedLink,
  revokeSharedLink,
} from '../../models/contracts/sharedLinks.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** A result of an agent that a link shows. */
export type SharedResult = QueryOf<typeof listSharedLinks>;

/** The links to a result that work; owners only. */
export const useSharedLinks = (of: SharedResult) => useCall(listSharedLinks, { query: of });

/** Makes a link. The answer is the only one with its secret. */
export async function makeLink(body: BodyOf<typeof makeSharedLink>): Promise<AnswerOf<typeof makeSharedLink>> {
  const made = await call(makeSharedLink, { body });
  const { agentId, resultId } = body;
  await mutate(urlOf(listSharedLinks, { query: { agentId, resultId: Number(resultId) } }));
  return made;
}

/** Revokes a link to a result. */
export async function revokeLink(id: string, of: SharedResult): Promise<void> {
  await call(revokeSharedLink, { params: { id } });
  await mutate(urlOf(listSharedLinks, { query: of }));
}

/** What a link shows. Read once: each opening is in the company's audit. */
export const useOpenedLink = (secret: string) =>
  useSWR(['shared link', secret], () => call(openSharedLink, { body: { secret } }), {
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
  });
