import { createHash, randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { nextId } from '../../../models/counter.ts';
import { baseUrl } from '../../../models/env.ts';
import { Invitation, type InvitationRow } from '../../../models/invitation.ts';
import { Member, type MemberRow, type Role } from '../../../models/member.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { isDuplicateKey, onceByKey } from '../../../models/store/duplicate.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { mailConfigured, sendMail } from '../mail/sendMail.ts';
import { fitsPassword, hashPassword, requireStrongPassword } from './passwords.ts';

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
 * Updates a member's roles, or creates an invitation. Where mail is configured the link goes by mail alone, so that
 * opening it proves the mailbox; elsewhere the owner gets it once, to pass it on, and it proves nothing.
 * @throws AppError bad_request where the last owner would be no owner any more, mail_refused, mail_unavailable
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
      if (!roles.includes('clinical-safety-officer')) await unnameOfficer(accountId, user._id);
    });
    return { member: { ...standing, roles, user } };
  }
  const mailed = mailConfigured();
  const { invitation, token } = await createInvitation(who, email, roles, { mailed });
  const link = `${baseUrl()}/auth?invitation=${token}`;
  if (!mailed) return { invitation, link };
  const account = await Account.findById(accountId, { name: 1 }).lean();
  await sendMail(
    email,
    `${who.name} invites you to ${account?.name ?? 'Arc'}`,
    `Open this page to join: ${link}\nIt expires in ${INVITATION_DAYS} days.`,
  );
  return { invitation, link: null };
}

/**
 * Creates an invitation, in place of an earlier one for the same e-mail.
 * @param mailed the token will go into a mail to the address and nowhere else
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
 * Takes a change back that left the company without an owner: two owners may have unmade each other at the same moment.
 * @throws AppError bad_request where it was taken back
 */
async function requireAnOwner(accountId: number, takeBack: () => Promise<unknown>): Promise<void> {
  if (await Member.exists({ accountId, roles: 'owner' })) return;
  await takeBack();
  throw new AppError('bad_request', {}, { fields: { roles: LAST_OWNER } });
}

const LAST_OWNER = 'The last owner stays one: name another owner first.';

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
    // One that somebody is joining by can't be withdrawn any more: the member can be removed.
    const withdraw = () => Invitation.deleteOne({ _id: what.invitationId, accountId, acceptedBy: null });
    const gone = known ? await changing(accountId, ['account'], withdraw) : null;
    if (gone?.deletedCount !== 1) throw new AppError('not_found');
    return;
  }
  const userId = what.userId ?? 0;
  const standing = await Member.findOne({ accountId, userId }).lean();
  if (!standing) throw new AppError('not_found');
  if (standing.roles.includes('owner')) await requireAnotherOwner(accountId, userId);
  await recordEvent(accountId, 'member.removed', {
    userId: who.userId,
    subject: `user:${userId}`,
    outcome: `${standing.roles.join(' ')} -> none`,
  });
  await changing(accountId, ['account'], async () => {
    await Member.deleteOne({ accountId, userId });
    await requireAnOwner(accountId, () => onceByKey(() => Member.create(standing)));
    await unnameOfficer(accountId, userId);
  });
}

/** Whoever loses the role, or the membership, is the account's registered officer no more. */
const unnameOfficer = (accountId: number, userId: number) =>
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

/** What an open invitation offers, and the name of the company behind it. @throws AppError not_found */
export async function readInvitation(token: string): Promise<{ invitation: InvitationRow; companyName: string }> {
  const invitation = await findInvitation(token);
  const account = await Account.findById(invitation.accountId, { name: 1 }).lean();
  return { invitation, companyName: account?.name ?? '' };
}

type Newcomer = { password?: string | undefined; firstName?: string | undefined; lastName?: string | undefined };

/**
 * Joins an account. Who has no user yet gives a password and gets one; who has one shows that it is theirs, by being
 * signed in or by the password. The e-mail counts as verified only where the link went to the mailbox and nowhere else.
 * @throws AppError not_found, bad_credentials, bad_request
 */
export async function acceptInvitation(
  it: Newcomer & { token: string },
  signedIn: Who | null,
): Promise<{ user: UserRow; accountId: number }> {
  const invitation = await findInvitation(it.token);
  const { accountId, roles } = invitation;
  const user = await resolveUser(invitation, it, signedIn);
  // Claimed before anything follows from it: it may have been withdrawn, or taken by another, since it was read.
  const claimed = await Invitation.updateOne(
    { _id: invitation._id, acceptedBy: { $in: [null, user._id] } },
    { $set: { acceptedBy: user._id } },
  );
  if (claimed.matchedCount !== 1) throw new AppError('not_found');
  // A code proves more than an invitation does and stays.
  const proven = invitation.mailed && !user.emailVerified;
  if (proven) await User.updateOne({ _id: user._id }, { $set: { emailVerified: true, verifiedBy: 'invitation' } });
  await recordEvent(accountId, 'member.joined', {
    userId: user._id,
    subject: `invitation:${invitation._id}`,
    outcome: roles.join(' '),
    key: String(invitation._id),
  });
  // The invitation goes last: a process that ends before leaves a link that can be opened again.
  await changing(accountId, ['account'], async () => {
    await onceByKey(() => Member.create({ accountId, userId: user._id, roles }));
    await Invitation.deleteOne({ _id: invitation._id });
  });
  return { user: { ...user, emailVerified: user.emailVerified || proven }, accountId };
}

async function resolveUser({ email }: InvitationRow, it: Newcomer, signedIn: Who | null): Promise<UserRow> {
  const standing = await User.findOne({ email }).lean();
  if (standing && signedIn?.userId === standing._id) return standing;
  // Asked of everybody, so that the answer to a weak password doesn't tell who has a user already.
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
