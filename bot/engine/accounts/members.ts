import { Types } from 'mongoose';
import { AccessToken } from '../../../models/accessToken.ts';
import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { baseUrl } from '../../../models/env.ts';
import { Invitation, type InvitationRow } from '../../../models/invitation.ts';
import { Member, type MemberRow, type Role } from '../../../models/member.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { SharedLink } from '../../../models/sharedLink.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { changing } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { invitation as invitationMail } from '../mail/mails/invitation.ts';
import { mailConfigured, sendMail } from '../mail/sendMail.ts';
import { createInvitation, INVITATION_DAYS } from './invitations.ts';
import { withdrawLostSignatures } from './lostSignatures.ts';
import { warnOfFewSigners, withRoles } from './signers.ts';

export type MemberWithUser = MemberRow & { user: UserRow };

/** The members with their users, and the open invitations. */
export async function readMembers(
  accountId: number,
): Promise<{ members: MemberWithUser[]; invitations: InvitationRow[] }> {
  const [rows, invitations] = await Promise.all([
    Member.find({ accountId }).sort({ createdAt: 1 }).lean(),
    Invitation.find({ accountId, usedAt: null, expiresAt: { $gt: new Date() } }).lean(),
  ]);
  const users = await User.find({ _id: { $in: rows.map(({ userId }) => userId) } }).lean();
  const byId = new Map(users.map((user) => [user._id, user]));
  const members = rows.flatMap((row) => {
    const user = byId.get(row.userId);
    return user ? [{ ...row, user }] : [];
  });
  return { members, invitations };
}

/**
 * Updates a member's roles, or creates an invitation. With mail configured the link is only mailed, so that opening it
 * proves the address; without mail the owner gets the link once, to pass on, and it proves nothing.
 * @param confirmed whether the owner has read the warning of few signers
 * @throws AppError not_allowed, bad_request for removing the last owner's role or changing the officer's, few_signers, mail_refused, mail_unavailable
 */
export async function inviteMember(
  who: Who,
  email: string,
  roles: Role[],
  confirmed = false,
): Promise<{ member: MemberWithUser } | { invitation: InvitationRow; link: string | null }> {
  const { accountId } = who;
  if (!may(who, 'members.change')) throw new AppError('not_allowed');
  const user = await User.findOne({ email }).lean();
  const standing = user ? await Member.findOne({ accountId, userId: user._id }).lean() : null;
  requireOfficerKept(standing?.roles ?? [], roles);
  if (user && standing) {
    if (standing.roles.includes('owner') && !roles.includes('owner')) await requireAnotherOwner(accountId, user._id);
    if (isSameRoles(standing.roles, roles)) return { member: { ...standing, user } };
    await warnOfFewSigners(accountId, withRoles(user._id, roles), confirmed);
    await recordEvent(accountId, 'roles.changed', {
      userId: who.userId,
      subject: `user:${user._id}`,
      outcome: `${standing.roles.join(' ')} -> ${roles.join(' ')}`,
    });
    await changing(accountId, ['account'], async () => {
      await Member.updateOne({ accountId, userId: user._id }, { $set: { roles } });
      await requireAnOwner(accountId, () =>
        Member.updateOne({ accountId, userId: user._id }, { $set: { roles: standing.roles } }),
      );
      if (!may({ ...who, roles }, 'tokens.change')) await revokeTokens(accountId, user._id);
      await withdrawLostSignatures(accountId, who.userId);
    });
    return { member: { ...standing, roles, user } };
  }
  const mailed = mailConfigured();
  const { invitation, token } = await createInvitation(who, email, roles, { mailed });
  const link = `${baseUrl()}/auth?invitation=${token}`;
  if (!mailed) return { invitation, link };
  const account = await Account.findById(accountId, { name: 1 }).lean();
  await sendMail(email, invitationMail({ by: who.name, company: account?.name ?? null, link, days: INVITATION_DAYS }));
  return { invitation, link: null };
}

/**
 * The officer's role comes with a registration, so only the appointment in the preferences gives or takes it.
 * @throws AppError bad_request
 */
function requireOfficerKept(before: readonly Role[], after: readonly Role[]): void {
  if (before.includes('clinical-safety-officer') === after.includes('clinical-safety-officer')) return;
  const text =
    'The Clinical Safety Officer is appointed under Preferences, with the registration, and the role ends there too. Send the other roles only, and leave this one as it is.';
  throw new AppError('bad_request', {}, { fields: { roles: text } });
}

/** Whether a member has these roles already, in any order. */
const isSameRoles = (before: readonly Role[], after: readonly Role[]) =>
  before.length === after.length && after.every((role) => before.includes(role));

/**
 * Reverts a change that left the company without an owner: two owners may have removed each other concurrently.
 * @throws AppError bad_request after reverting
 */
async function requireAnOwner(accountId: number, takeBack: () => Promise<unknown>): Promise<void> {
  if (await Member.exists({ accountId, roles: 'owner' })) return;
  await takeBack();
  throw new AppError('bad_request', {}, { fields: { roles: LAST_OWNER } });
}

const LAST_OWNER = 'A company needs an owner: make somebody else an owner first.';

async function requireAnotherOwner(accountId: number, userId: number): Promise<void> {
  const others = await Member.countDocuments({ accountId, userId: { $ne: userId }, roles: 'owner' });
  if (others === 0) {
    throw new AppError('bad_request', {}, { fields: { roles: LAST_OWNER } });
  }
}

/** Removes a member or withdraws an invitation. @throws AppError bad_request for the last owner, few_signers, not_found */
export async function removeMember(
  who: Who,
  what: { userId?: number | undefined; invitationId?: string | undefined; confirm?: boolean | undefined },
): Promise<void> {
  const { accountId } = who;
  if (!may(who, 'members.change')) throw new AppError('not_allowed');
  if (what.invitationId) {
    const known = Types.ObjectId.isValid(what.invitationId);
    if (known && (await Invitation.exists({ _id: what.invitationId, accountId }))) {
      await recordEvent(accountId, 'invitation.withdrawn', {
        userId: who.userId,
        subject: `invitation:${what.invitationId}`,
        outcome: 'withdrawn',
      });
    }
    // An invitation that is being accepted can't be withdrawn; the member can be removed instead.
    const withdraw = () => Invitation.deleteOne({ _id: what.invitationId, accountId, acceptedBy: null });
    const gone = known ? await changing(accountId, ['account'], withdraw) : null;
    if (gone?.deletedCount !== 1) throw new AppError('not_found');
    return;
  }
  const userId = what.userId ?? 0;
  const standing = await Member.findOne({ accountId, userId }).lean();
  if (!standing) throw new AppError('not_found');
  await endMembership(standing, 'member.removed', who.userId, what.confirm ?? false);
}

/**
 * Ends a membership with the rights that came with it.
 * @throws AppError bad_request for the last owner's, few_signers unless that was confirmed
 */
export async function endMembership(
  standing: MemberRow,
  event: 'member.removed' | 'member.left',
  by: number,
  confirmed: boolean,
) {
  const { accountId, userId, roles } = standing;
  if (roles.includes('owner')) await requireAnotherOwner(accountId, userId);
  await warnOfFewSigners(accountId, withRoles(userId, null), confirmed);
  await recordEvent(accountId, event, {
    userId: by,
    subject: `user:${userId}`,
    outcome: `${roles.join(' ')} -> none`,
  });
  await changing(accountId, ['account'], async () => {
    await Member.deleteOne({ accountId, userId });
    await requireAnOwner(accountId, () => onceByKey(() => Member.create(standing)));
    await clearOfficer(accountId, userId);
    await revokeTokens(accountId, userId);
    await withdrawLostSignatures(accountId, by);
  });
}

/** Whoever loses the right to make access tokens and links loses those that they made, for good. */
async function revokeTokens(accountId: number, userId: number): Promise<void> {
  const own = { accountId, madeBy: userId, revokedAt: null };
  const revoked = { $set: { revokedAt: new Date() } };
  await AccessToken.updateMany(own, revoked);
  await SharedLink.updateMany(own, revoked);
}

/** The registered officer must hold the role: clears the registration of a user who lost it. */
const clearOfficer = (accountId: number, userId: number) =>
  Account.updateOne(
    { _id: accountId, 'clinicalSafetyOfficer.userId': userId },
    { $set: { clinicalSafetyOfficer: null } },
  );

/** A member's name for lists. */
export const memberName = ({ user }: MemberWithUser) => displayName(user);
