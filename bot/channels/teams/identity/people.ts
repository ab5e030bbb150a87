import { ChannelIdentity } from '../../../../models/channelIdentity.ts';
import type { ChannelReferenceRow } from '../../../../models/channelReference.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { logger } from '../../../../models/logger.ts';
import { Member } from '../../../../models/member.ts';
import { answeringOf, rolesThatMay } from '../../../../models/policies/actions.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { User } from '../../../../models/user.ts';
import {
  type Identity,
  matchIdentity,
  memberOf,
  type PlatformProfile,
} from '../../../engine/accounts/matchIdentity.ts';
import type { TeamsInstallation } from '../install/installations.ts';
import { rosterOf } from '../install/references.ts';
import type { RosterMember, Target } from '../platform/activity.ts';
import { platformIdOf, userIdOf } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';
import { refusalOf } from '../platform/refusal.ts';

/** The mark in the sign-in name of a guest in the host's directory (docs/platforms.md). */
const GUEST_NAME = /#ext#/i;

/** A profile from the roster. Guests and people of other tenants are strangers, whatever their e-mail address is. */
export function profileOf(member: RosterMember | null, tenantId: string): PlatformProfile {
  const isElsewhere = member?.tenantId?.toLowerCase() !== tenantId;
  const isGuest =
    (member?.userRole !== undefined && member.userRole !== 'user') || GUEST_NAME.test(member?.userPrincipalName ?? '');
  return {
    email: member?.email ?? null,
    name: member?.name ?? 'Someone in Teams',
    stranger: !member || isElsewhere || isGuest,
  };
}

/** A member from the roster of a conversation; null where they are not in it. */
export async function readMember(target: Target, userId: string): Promise<RosterMember | null> {
  try {
    return await connector().member(target, userId);
  } catch (error) {
    if (refusalOf(error)?.answered === 404) return null;
    throw error;
  }
}

/** Identifies a person in a conversation for the account. Must be called inside the account. */
export function identifyTeamsUser(
  installation: TeamsInstallation,
  reference: ChannelReferenceRow,
  userId: string,
): Promise<Identity> {
  const { row, registration } = installation;
  return matchIdentity(row, 'teams', platformIdOf(row.key, userId), async () =>
    profileOf(await readMember(rosterOf(installation, reference), userId), registration.tenantId),
  );
}

/** The member behind a Teams user. @throws AppError not_allowed for anyone else */
export async function requireMember(
  installation: TeamsInstallation,
  reference: ChannelReferenceRow,
  userId: string,
): Promise<Who> {
  return memberOf(await identifyTeamsUser(installation, reference, userId));
}

/** The Teams ids of the people who may answer, and the user ids of those who have not been seen in Teams yet. */
async function knownApprovers(accountId: number, key: string, question: Pick<InterruptRow, 'requires'>) {
  const officer = await Member.exists({ accountId, roles: 'clinical-safety-officer' });
  const roles = rolesThatMay(answeringOf(question), officer !== null);
  const members = await Member.find({ accountId, roles: { $in: roles } }, { userId: 1 }).lean();
  const userIds = members.map(({ userId }) => userId);
  const known = await ChannelIdentity.find({
    accountId,
    channel: 'teams',
    userId: { $in: userIds },
    stranger: false,
  }).lean();
  const here = known.filter(({ platformId }) => platformId.startsWith(`${key}/`));
  const seen = new Set(here.map(({ userId }) => userId));
  return { ids: here.map(({ platformId }) => userIdOf(platformId)), unseen: userIds.filter((id) => !seen.has(id)) };
}

/**
 * The Teams ids of the people who may answer a question, for whom Teams fetches their own card. People who have not
 * been seen yet are looked up in the conversation's roster. Must be called inside the account.
 */
export async function findApprovers(
  installation: TeamsInstallation,
  reference: ChannelReferenceRow,
  question: Pick<InterruptRow, 'requires'>,
): Promise<string[]> {
  const { row, registration } = installation;
  const { ids, unseen } = await knownApprovers(row.accountId, row.key, question);
  if (unseen.length === 0 || reference.kind === 'personal') return ids;
  const users = await User.find({ _id: { $in: unseen }, emailVerified: true }, { email: 1 }).lean();
  const emails = new Set(users.map(({ email }) => email));
  if (emails.size === 0) return ids;
  const members = await connector()
    .members(rosterOf(installation, reference))
    .catch((error: unknown): RosterMember[] => {
      // The question is asked anyway: people who are not known yet get their own card later, or answer in Arc.
      logger.info({ err: error, installation: row.key }, 'could not read the roster of a Teams conversation');
      return [];
    });
  const found = members.filter((member) => {
    const { email, stranger } = profileOf(member, registration.tenantId);
    return !stranger && email !== null && emails.has(email.trim().toLowerCase());
  });
  return [...ids, ...found.map(({ id }) => id)];
}
