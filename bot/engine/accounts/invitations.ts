import { createHash, randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { nextId } from '../../../models/counter.ts';
import { Invitation, type InvitationRow } from '../../../models/invitation.ts';
import { Member, type Role } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { isDuplicateKey, onceByKey } from '../../../models/store/duplicate.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { withdrawLostSignatures } from './lostSignatures.ts';
import { fitsPassword, hashPassword, requireStrongPassword } from './passwords.ts';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

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
 * The open invitation behind a token.
 * @throws AppError not_found; invitation_used for one that somebody has joined with
 */
export async function findInvitation(token: string): Promise<InvitationRow> {
  const row = await Invitation.findOne({ tokenHash: hashToken(token), expiresAt: { $gt: new Date() } }).lean();
  if (!row) throw new AppError('not_found');
  if (row.usedAt) throw new AppError('invitation_used');
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
    { _id: invitation._id, usedAt: null, acceptedBy: { $in: [null, user._id] } },
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
  // Marked as used last: if the process ends before, the link can be opened again.
  await changing(accountId, ['account'], async () => {
    await onceByKey(() => Member.create({ accountId, userId: user._id, roles }));
    // The first officer takes over from the owner.
    await withdrawLostSignatures(accountId, user._id);
    await Invitation.updateOne({ _id: invitation._id }, { $set: { usedAt: new Date() } });
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
