import type { ChannelReferenceRow } from '../../../models/channelReference.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { Who } from '../../../models/policies/who.ts';
import { type Identity, matchIdentity, type PlatformProfile } from '../../engine/accounts/matchIdentity.ts';
import type { RosterMember, Target } from './activity.ts';
import { placeOfConversation, platformIdOf } from './address.ts';
import { connector } from './connector.ts';
import type { TeamsInstallation } from './installations.ts';
import { targetOf } from './references.ts';
import { TeamsRefusal } from './refusal.ts';

/** How a guest's name for signing in is marked in the directory of the host (facts of the platform). */
const GUEST_NAME = /#ext#/i;

/** What the roster says of someone; guests and people of other tenants are strangers, whatever their e-mail says. */
export function profileOf(member: RosterMember | null, tenantId: string): PlatformProfile {
  const elsewhere = member?.tenantId?.toLowerCase() !== tenantId;
  const guest =
    (member?.userRole !== undefined && member.userRole !== 'user') || GUEST_NAME.test(member?.userPrincipalName ?? '');
  return {
    email: member?.email ?? null,
    name: member?.name ?? 'Someone in Teams',
    stranger: !member || elsewhere || guest,
  };
}

/** Someone as the roster of a conversation has them; null where they are not in it. */
export async function readMember(target: Target, userId: string): Promise<RosterMember | null> {
  try {
    return await connector().member(target, userId);
  } catch (error) {
    if (error instanceof TeamsRefusal && error.status === 404) return null;
    throw error;
  }
}

/** Who a person in a conversation is to the account. Must be called inside the account. */
export function identifyTeamsUser(
  installation: TeamsInstallation,
  reference: ChannelReferenceRow,
  userId: string,
): Promise<Identity> {
  const { row, registration } = installation;
  const target = targetOf(installation, reference, placeOfConversation(row.key, reference.conversationId));
  return matchIdentity(row, 'teams', platformIdOf(row.key, userId), async () =>
    profileOf(await readMember(target, userId), registration.tenantId),
  );
}

/** The member who clicked. @throws AppError not_allowed for anyone who is none */
export async function requireMember(
  installation: TeamsInstallation,
  reference: ChannelReferenceRow,
  userId: string,
): Promise<Who> {
  const { who } = await identifyTeamsUser(installation, reference, userId);
  if (!who) throw new AppError('not_allowed');
  return who;
}
