import { createHash, randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { AccessToken } from '../../../models/accessToken.ts';
import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { nextId } from '../../../models/counter.ts';
import { baseUrl } from '../../../models/env.ts';
import { Invitation, type InvitationRow } from '../../../models/invitation.ts';
import { Member, type MemberRow, type Role } from '../../../models/member.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { SharedLink } from '../../../models/sharedLink.ts';
import { isDuplicateKey, onceByKey } from '../../../models/store/duplicate.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { invitation as invitationMail } from '../mail/mails/invitation.ts';
import { mailConfigured, sendMail } from '../mail/sendMail.ts';
import { fitsPassword, hashPassword, requireStrongPassword } from './passwords.ts';

const INVITATION_DAYS = 7;
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

export type MemberWithUser = MemberRow & { user: UserRow };

/** The members with their users, and the open invitations. */
export async function readMembers(
  accountId: number,
): Promise<{ members: MemberWithUser[]; invitations: InvitationRow[] }> {
  const [rows, invitations] = await Promise.all([
    Member.find({ accountId }).sort({ createdAt: 1 }).lean(),
    Invitation.find({ accountId, expiresAt: { $gt: new Date() } }).lean(),
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
 * @throws AppError not_allowed, bad_request for removing the last owner's role, mail_refused, mail_unavailable
 */
export async function inviteMember(
  who: Who,
  email: string,
  roles: Role[],
): Promise<{ member: MemberWithUser } | { invitation: InvitationRow; link: string | null }> {
  const { accountId } = who;
  if (!may(who, 'members.change')) throw new AppError('not_allowed');
  const user = await User.findOne({ email }).lean();
  const standing = user ? await Member.findOne({ accountId, userId: user._id }).lean() : null;
  if (user && standing) {
    if (standing.roles.includes('owner') && !roles.includes('owner')) await requireAnotherOwner(accountId, user._id);
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
      if (!roles.includes('clinical-safety-officer')) await clearOfficer(accountId, user._id);
      if (!may({ ...who, roles }, 'tokens.change')) await revokeTokens(accountId, user._id);
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
 * Creates an invitation; replaces an earlier one for the same e-mail.
 * @param mailed whether the token is only ever mailed to that address
 */
export async function createInvitation(
  who: Who,
  email: string,
  roles: Role[],
  { mailed }: { mailed: boolean },
): Promise<{ invitation: InvitationRow; token: string }> {
  const { accountId } = who;
  const token = randomBytes(24).toString('base64url');
  const invitation: InvitationRow = {
    _id: new Types.ObjectId(),
    accountId,
    email,
    roles,
    tokenHash: hashToken(token),
    mailed,
    invitedBy: who.userId,
    acceptedBy: null,
    expiresAt: new Date(Date.now() + INVITATION_DAYS * 86_400_000),
  };
  await recordEvent(accountId, 'member.invited', {
    userId: who.userId,
    subject: `invitation:${invitation._id}`,
    outcome: `${roles.join(' ')}${mailed ? ' by mail' : ' by a link'}`,
  });
  await Invitation.deleteMany({ accountId, email });
  await changing(accountId, ['account'], () => Invitation.create(invitation));
  return { invitation, token };
}

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

/** Removes a member or withdraws an invitation. @throws AppError bad_request for the last owner, not_found */
export async function removeMember(
  who: Who,
  what: { userId?: number | undefined; invitationId?: string | undefined },
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
  await endMembership(standing, 'member.removed', who.userId);
}

/** Ends a membership with the rights that came with it. @throws AppError bad_request for the last owner's */
export async function endMembership(standing: MemberRow, event: 'member.removed' | 'member.left', by: number) {
  const { accountId, userId, roles } = standing;
  if (roles.includes('owner')) await requireAnotherOwner(accountId, userId);
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

/** The open invitation behind a token. @throws AppError not_found */
export async function findInvitation(token: string): Promise<InvitationRow> {
  const row = await Invitation.findOne({ tokenHash: hashToken(token), expiresAt: { $gt: new Date() } }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}

/**
 * An open invitation and the name of its company.
 * @throws AppError not_found
 */
export async function readInvitation(token: string): Promise<{ invitation: InvitationRow; companyName: string }> {
  const invitation = await findInvitation(token);
  const account = await Account.findById(invitation.accountId, { name: 1 }).lean();
  return { invitation, companyName: account?.name ?? '' };
}

type Newcomer = { password?: string | undefined; firstName?: string | undefined; lastName?: string | undefined };

/**
 * Accepts an invitation. A new person sets a password; an existing user proves who they are by being signed in or by
 * their password. The e-mail becomes verified only where the link was mailed and shown to nobody.
 * @throws AppError not_found, bad_credentials, bad_request
 */
export async function acceptInvitation(
  it: Newcomer & { token: string },
  signedIn: Who | null,
): Promise<{ user: UserRow; accountId: number }> {
  const invitation = await findInvitation(it.token);
  const { accountId, roles } = invitation;
  const user = await resolveUser(invitation, it, signedIn);
  // Claimed before any side effect: since it was read, it may have been withdrawn or accepted by somebody else.
  const claimed = await Invitation.updateOne(
    { _id: invitation._id, acceptedBy: { $in: [null, user._id] } },
    { $set: { acceptedBy: user._id } },
  );
  if (claimed.matchedCount !== 1) throw new AppError('not_found');
  // A code is the stronger proof and is kept.
  const proven = invitation.mailed && !user.emailVerified;
  if (proven) await User.updateOne({ _id: user._id }, { $set: { emailVerified: true, verifiedBy: 'invitation' } });
  await recordEvent(accountId, 'member.joined', {
    userId: user._id,
    subject: `invitation:${invitation._id}`,
    outcome: roles.join(' '),
    key: String(invitation._id),
  });
  // Deleted last: if the process ends before, the link can be opened again.
  await changing(accountId, ['account'], async () => {
    await onceByKey(() => Member.create({ accountId, userId: user._id, roles }));
    await Invitation.deleteOne({ _id: invitation._id });
  });
  return { user: { ...user, emailVerified: user.emailVerified || proven }, accountId };
}

async function resolveUser({ email }: InvitationRow, it: Newcomer, signedIn: Who | null): Promise<UserRow> {
  const standing = await User.findOne({ email }).lean();
  if (standing && signedIn?.userId === standing._id) return standing;
  // Checked for everybody, so that the response to a weak password does not reveal who has a user already.
  await requireStrongPassword(it.password ?? '');
  if (standing) return requireOwn(standing, it);
  const user: UserRow = {
    _id: await nextId('user'),
    email,
    emailVerified: false,
    verifiedBy: null,
    passwordHash: await hashPassword(it.password ?? ''),
    firstName: it.firstName || null,
    lastName: it.lastName || null,
    isAdmin: false,
    sessionsValidFrom: new Date(0),
    createdAt: new Date(),
  };
  try {
    await User.create(user);
  } catch (error) {
    if (!isDuplicateKey(error, 'email')) throw error;
    return requireOwn(requireRow(await User.findOne({ email }).lean()), it);
  }
  return user;
}

/** @throws AppError bad_credentials */
async function requireOwn(user: UserRow, { password = '' }: Newcomer): Promise<UserRow> {
  if (!(await fitsPassword(user.passwordHash, password))) throw new AppError('bad_credentials');
  return user;
}

/** A member's name for lists. */
export const memberName = ({ user }: MemberWithUser) => displayName(user);
