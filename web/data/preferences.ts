import { mutate } from 'swr';
import { authStatus } from '../../models/contracts/auth.ts';
import type { AnswerOf, BodyOf } from '../../models/contracts/endpoint.ts';
import { inviteMember, listMembers, removeMember } from '../../models/contracts/members.ts';
import { getPreferences, type Preferences, putPreferences } from '../../models/contracts/preferences.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

/** The person's and the company's preferences. */
export function usePreferences() {
  return useCall(getPreferences, {});
}

/** The edits that differ from the saved preferences. */
export function changesOf(kept: Preferences, edits: Partial<Preferences>): Partial<Preferences> {
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(kept[name as keyof Preferences]);
  return Object.fromEntries(Object.entries(edits).filter(differs));
}

/** Changes the given preferences; the others stay. */
export async function changePreferences(change: Partial<Preferences>): Promise<Preferences> {
  const changed = await call(putPreferences, { body: change });
  await mutate(urlOf(getPreferences), changed, { revalidate: false });
  await mutate(urlOf(authStatus));
  return changed;
}

type Members = AnswerOf<typeof listMembers>;
export type MemberRole = Members['members'][number]['roles'][number];

/** Members and open invitations. */
export function useMembers() {
  return useCall(listMembers, {});
}

/** Creates an invitation, or updates a member's roles. */
export async function invite(body: BodyOf<typeof inviteMember>): Promise<AnswerOf<typeof inviteMember>> {
  const answer = await call(inviteMember, { body });
  await mutate(urlOf(listMembers));
  return answer;
}

/** Removes a member, or withdraws an invitation. */
export async function remove(body: BodyOf<typeof removeMember>): Promise<void> {
  await call(removeMember, { body });
  await mutate(urlOf(listMembers));
}
