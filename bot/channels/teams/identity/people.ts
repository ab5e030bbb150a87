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

/** How a guest's name for signing in is marked in the directory of the host (docs/platforms.md). */
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
    if (refusalOf(error)?.answered === 404) return null;
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
  return matchIdentity(row, 'teams', platformIdOf(row.key, userId), async () =>
    profileOf(await readMember(rosterOf(installation, reference), userId), registration.tenantId),
  );
}

/** The member who clicked. @throws AppError not_allowed for anyone who is none */
export async function requireMember(
  installation: TeamsInstallation,
  reference: ChannelReferenceRow,
  userId: string,
): Promise<Who> {
  return memberOf(await identifyTeamsUser(installation, reference, userId));
}

/** Who may answer, and who of them was seen on the platform: their ids there. */
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
 * The platform's ids of those who may answer a question: for them Teams draws a card of their own. Who has not been
 * seen yet is looked for in the conversation's roster. Must be called inside the account.
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
      // The question is asked all the same: whoever is not known yet fetches their own card later, or answers in Arc.
      logger.info({ err: error, installation: row.key }, 'the roster of a conversation in Teams could not be read');
      return [];
    });
  const found = members.filter((member) => {
    const { email, stranger } = profileOf(member, registration.tenantId);
    return !stranger && email !== null && emails.has(email.trim().toLowerCase());
  });
  return [...ids, ...found.map(({ id }) => id)];
}
