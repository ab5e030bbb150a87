import { createHash, randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { Account } from '../../../models/account.ts';
import { isStrongPassword } from '../../../models/contracts/auth.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { nextId } from '../../../models/counter.ts';
import { baseUrl } from '../../../models/env.ts';
import { Invitation, type InvitationRow } from '../../../models/invitation.ts';
import { Member, type MemberRow, type Role } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { onceByKey } from '../../../models/store/duplicate.ts';
import { changing } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { mailConfigured, sendMail } from '../mail/sendMail.ts';
import { fitsPassword, hashPassword } from './passwords.ts';

const INVITATION_DAYS = 7;
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

export type MemberWithUser = MemberRow & { user: UserRow };

/** Members with who they are, and the invitations that are open. */
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
 * Sets a member's roles, or invites who is none. The link is mailed where mail is configured, and given back once.
 * @throws AppError bad_request where the last owner would be no owner any more
 */
export async function inviteMember(
  who: Who,
  email: string,
  roles: Role[],
): Promise<{ member: MemberWithUser } | { invitation: InvitationRow; link: string }> {
  const { accountId } = who;
  const user = await User.findOne({ email }).lean();
  const standing = user ? await Member.findOne({ accountId, userId: user._id }).lean() : null;
  if (user && standing) {
    if (standing.roles.includes('owner') && !roles.includes('owner')) await requireAnotherOwner(accountId, user._id);
    await changing(accountId, ['account'], () =>
      Member.updateOne({ accountId, userId: user._id }, { $set: { roles } }),
    );
    return { member: { ...standing, roles, user } };
  }
  const token = randomBytes(24).toString('base64url');
  const invitation: InvitationRow = {
    _id: new Types.ObjectId(),
    accountId,
    email,
    roles,
    tokenHash: hashToken(token),
    invitedBy: who.userId,
    expiresAt: new Date(Date.now() + INVITATION_DAYS * 86_400_000),
  };
  await Invitation.deleteMany({ accountId, email });
  await changing(accountId, ['account'], () => Invitation.create(invitation));
  const link = `${baseUrl()}/auth?invitation=${token}`;
  if (mailConfigured()) {
    const account = await Account.findById(accountId, { name: 1 }).lean();
    await sendMail(
      email,
      `${who.name} invites you to ${account?.name ?? 'Arc'}`,
      `Open this page to join: ${link}\nIt is good for ${INVITATION_DAYS} days.`,
    );
  }
  return { invitation, link };
}

async function requireAnotherOwner(accountId: number, userId: number): Promise<void> {
  const others = await Member.countDocuments({ accountId, userId: { $ne: userId }, roles: 'owner' });
  if (others === 0) {
    throw new AppError('bad_request', {}, { fields: { roles: 'The last owner stays one: name another owner first.' } });
  }
}

/** Removes a member or withdraws an invitation. @throws AppError bad_request for the last owner, not_found */
export async function removeMember(
  who: Who,
  what: { userId?: number | undefined; invitationId?: string | undefined },
): Promise<void> {
  const { accountId } = who;
  if (what.invitationId) {
    const known = Types.ObjectId.isValid(what.invitationId);
    const withdraw = () => Invitation.deleteOne({ _id: what.invitationId, accountId });
    const gone = known ? await changing(accountId, ['account'], withdraw) : null;
    if (gone?.deletedCount !== 1) throw new AppError('not_found');
    return;
  }
  const userId = what.userId ?? 0;
  const standing = await Member.findOne({ accountId, userId }).lean();
  if (!standing) throw new AppError('not_found');
  if (standing.roles.includes('owner')) await requireAnotherOwner(accountId, userId);
  await changing(accountId, ['account'], () => Member.deleteOne({ accountId, userId }));
}

/** The open invitation behind a token. @throws AppError not_found */
export async function findInvitation(token: string): Promise<InvitationRow> {
  const row = await Invitation.findOne({ tokenHash: hashToken(token), expiresAt: { $gt: new Date() } }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}

/**
 * Joins an account. Who has no user yet gives a password and gets one; who has one shows that it is theirs, by being
 * signed in or by the password. The token was sent to the address, or given by the owner: the e-mail counts as verified.
 * @throws AppError not_found, bad_credentials, bad_request
 */
export async function acceptInvitation(
  it: { token: string; password?: string | undefined; firstName?: string | undefined; lastName?: string | undefined },
  signedIn: Who | null,
): Promise<{ user: UserRow; accountId: number }> {
  const invitation = await findInvitation(it.token);
  const { accountId, email, roles } = invitation;
  const user = await resolveUser(invitation, it, signedIn);
  const taken = await Invitation.deleteOne({ _id: invitation._id });
  if (taken.deletedCount !== 1) throw new AppError('not_found');
  await User.updateOne({ _id: user._id }, { $set: { emailVerified: true } });
  await changing(accountId, ['account'], async () => {
    await onceByKey(() => Member.create({ accountId, userId: user._id, roles }));
  });
  return { user: { ...user, email, emailVerified: true }, accountId };
}

async function resolveUser(
  { email }: InvitationRow,
  it: { password?: string | undefined; firstName?: string | undefined; lastName?: string | undefined },
  signedIn: Who | null,
): Promise<UserRow> {
  const standing = await User.findOne({ email }).lean();
  if (standing) {
    const isTheirs =
      signedIn?.userId === standing._id || (await fitsPassword(standing.passwordHash, it.password ?? ''));
    if (!isTheirs) throw new AppError('bad_credentials');
    return standing;
  }
  if (!it.password || !isStrongPassword(it.password)) {
    throw new AppError(
      'bad_request',
      {},
      { fields: { password: 'Use at least 8 characters with at least one digit or special character.' } },
    );
  }
  const user: UserRow = {
    _id: await nextId('user'),
    email,
    emailVerified: true,
    passwordHash: await hashPassword(it.password),
    firstName: it.firstName || null,
    lastName: it.lastName || null,
    isAdmin: false,
    sessionsValidFrom: new Date(0),
    createdAt: new Date(),
  };
  await User.create(user);
  return user;
}

/** A member's name for lists. */
export const memberName = ({ user }: MemberWithUser) => displayName(user);
