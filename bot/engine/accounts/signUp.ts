import { AppError } from '../../../models/contracts/errors.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import { announce } from '../../../models/store/revisions.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { recordForPerson } from '../audit/recordEvent.ts';
import { alreadySignedUp } from '../mail/mails/alreadySignedUp.ts';
import { resetCode } from '../mail/mails/resetCode.ts';
import { signUpCode } from '../mail/mails/signUpCode.ts';
import { mailConfigured, sendMail } from '../mail/sendMail.ts';
import { consumeCode, makeCode } from './codes.ts';
import { createAccount } from './createAccount.ts';
import { hashPassword, requireStrongPassword } from './passwords.ts';

type SignUp = { email: string; password: string; firstName?: string | undefined; lastName?: string | undefined };

/**
 * Starts a sign-up: mails a code, or creates an unverified account at once where no mail is configured.
 * @returns the user where the account was created at once; null where a code was mailed
 * @throws AppError email_taken without mail; with mail, a taken address gets a mail that says so
 */
export async function beginSignUp(it: SignUp): Promise<UserRow | null> {
  const passwordHash = await hashPassword(it.password);
  const names = { firstName: it.firstName || null, lastName: it.lastName || null };
  if (!mailConfigured()) return createAccount({ email: it.email, passwordHash, ...names, emailVerified: false });
  if (await User.exists({ email: it.email })) {
    await sendMail(it.email, alreadySignedUp());
    return null;
  }
  const code = await makeCode('sign-up', it.email, { passwordHash, ...names });
  await sendMail(it.email, signUpCode(code));
  return null;
}

/** Finishes a sign-up with the mailed code. @throws AppError invalid_code, email_taken */
export async function finishSignUp(email: string, code: string): Promise<UserRow> {
  const { pending } = await consumeCode('sign-up', email, code);
  if (!pending) throw new AppError('invalid_code');
  return createAccount({ email, ...pending, emailVerified: true });
}

/** Mails a reset code where the e-mail is known and mail is configured. Callers can't tell whether it is known. */
export async function beginReset(email: string): Promise<void> {
  const user = await User.findOne({ email }).lean();
  if (!user) return;
  if (!mailConfigured()) {
    logger.warn('a password reset was requested and no mail is configured; run npm run account -- reset EMAIL');
    return;
  }
  const code = await makeCode('reset', email);
  await sendMail(email, resetCode(code));
}

/**
 * Sets a new password with a reset code and ends all earlier sessions.
 * @throws AppError invalid_code, bad_request
 */
export async function resetPassword(email: string, code: string, password: string): Promise<void> {
  // Checked first, so that a rejected password does not consume the code.
  await requireStrongPassword(password);
  await consumeCode('reset', email, code);
  const passwordHash = await hashPassword(password);
  const known = await User.findOne({ email }, { _id: 1 }).lean();
  if (known) await recordForPerson(known._id, 'password.changed', { userId: known._id, outcome: 'by a code' });
  const user = await User.findOneAndUpdate(
    { email },
    { $set: { passwordHash, emailVerified: true, verifiedBy: 'code', sessionsValidFrom: new Date() } },
  ).lean();
  const memberships = await Member.find({ userId: user?._id }, { accountId: 1 }).lean();
  for (const { accountId } of memberships) announce(accountId, ['account']);
}
