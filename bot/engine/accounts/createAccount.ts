import { Account } from '../../../models/account.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { nextId } from '../../../models/counter.ts';
import { markDataDirectory } from '../../../models/dataDirectory.ts';
import { env } from '../../../models/env.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { isDuplicateKey, onceByKey } from '../../../models/store/duplicate.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { grantSignUpCredits } from '../credits/credits.ts';

export type NewPerson = {
  email: string;
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  /** True where a mailed code was entered, or a login provider confirms the address. */
  emailVerified: boolean;
  /** What proved it; by default the code. */
  verifiedBy?: 'provider';
};

/** Built in and free: on from the start, so that a new company can begin at once. A switch that was set stays. */
const ON_AT_FIRST = ['sandbox', 'arc-chat'];

/**
 * Creates a user and their company: user, account, membership, trial, credits. The user is created first (unique by
 * e-mail); {@link ensureAccount} completes what a crash left out at the next sign-in.
 * @throws AppError email_taken
 */
export async function createAccount(person: NewPerson): Promise<UserRow> {
  const _id = await nextId('user');
  const user: UserRow = {
    ...person,
    _id,
    verifiedBy: person.emailVerified ? (person.verifiedBy ?? 'code') : null,
    isAdmin: false,
    sessionsValidFrom: new Date(0),
    createdAt: new Date(),
  };
  markDataDirectory();
  try {
    await User.create(user);
  } catch (error) {
    if (isDuplicateKey(error, 'email')) {
      throw new AppError('email_taken', {}, { fields: { email: 'An account with this email already exists.' } });
    }
    throw error;
  }
  await ensureAccount(user);
  return user;
}

/**
 * The account that the user used last, else their first. Creates whatever is missing.
 * @returns the account's id
 */
export async function ensureAccount(user: UserRow): Promise<number> {
  const last = user.lastAccountId
    ? await Member.findOne({ userId: user._id, accountId: user.lastAccountId }).lean()
    : null;
  const member = last ?? (await Member.findOne({ userId: user._id }).sort({ createdAt: 1 }).lean());
  const accountId = member?.accountId ?? (await nextId('account'));
  if (!member) {
    const name = user.firstName ? `${user.firstName}’s company` : user.email.split('@')[1] || user.email;
    await onceByKey(() => Account.create({ _id: accountId, name }));
    await onceByKey(() => Member.create({ accountId, userId: user._id, roles: ['owner'] }));
  }
  await runInAccount(accountId, async () => {
    const trialEndsAt = new Date(user.createdAt.getTime() + (env.TRIAL_DAYS || LIMITS.trialDays) * 86_400_000);
    if (!(await Subscription.exists({ accountId }))) {
      await recordEvent(accountId, 'account.created', {
        userId: user._id,
        subject: `account:${accountId}`,
        outcome: 'created',
        key: String(accountId),
      });
      for (const integrationId of ON_AT_FIRST)
        await IntegrationSetting.updateOne(
          { accountId, integrationId },
          { $setOnInsert: { enabled: true } },
          { upsert: true },
        );
      await onceByKey(() =>
        Subscription.create({ _id: accountId, accountId, plan: 'trial', status: 'trial', trialEndsAt }),
      );
    }
    await grantSignUpCredits(accountId);
  });
  return accountId;
}
