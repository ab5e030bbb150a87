import { mutate } from 'swr';
import { authStatus } from '../../models/contracts/auth.ts';
import type { AnswerOf, BodyOf } from '../../models/contracts/endpoint.ts';
import { inviteMember, listMembers, removeMember } from '../../models/contracts/members.ts';
import {
  getPreferences,
  type Preferences,
  type PreferencesChange,
  putPreferences,
} from '../../models/contracts/preferences.ts';
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';
import { withWarning } from './warnings.ts';

/** The person's and the company's preferences. */
export function usePreferences() {
  return useCall(getPreferences, {});
}

/** The edits that differ from the saved preferences. */
export function changesOf(
  { channelConsent: kept, ...others }: Preferences,
  { channelConsent = {}, ...edits }: PreferencesChange,
): PreferencesChange {
  const consents = differing(kept, channelConsent);
  return { ...differing(others, edits), ...(Object.keys(consents).length > 0 ? { channelConsent: consents } : {}) };
}

const differing = (kept: Record<string, unknown>, edits: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(edits).filter(([name, it]) => JSON.stringify(it) !== JSON.stringify(kept[name])));

/** Changes the given preferences; the others stay. @returns false where the person heeded a warning: nothing changed */
export async function changePreferences(change: PreferencesChange): Promise<Preferences | false> {
  const changed = await withWarning((confirm) => call(putPreferences, { body: { ...change, ...confirm } }));
  if (!changed) return false;
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

/** Creates an invitation, or updates a member's roles. @returns false where the person heeded a warning: nothing changed */
export async function invite(body: BodyOf<typeof inviteMember>): Promise<AnswerOf<typeof inviteMember> | false> {
  const answer = await withWarning((confirm) => call(inviteMember, { body: { ...body, ...confirm } }));
  await mutate(urlOf(listMembers));
  return answer;
}

/** Removes a member, or withdraws an invitation. */
export async function remove(body: BodyOf<typeof removeMember>): Promise<void> {
  await withWarning((confirm) => call(removeMember, { body: { ...body, ...confirm } }));
  await mutate(urlOf(listMembers));
}
