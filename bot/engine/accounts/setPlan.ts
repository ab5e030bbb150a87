import { auditTrail } from '../../../models/auditEvent.ts';
import type { GrantablePlan } from '../../../models/contracts/admin.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';

const DAY = 86_400_000;

/**
 * Sets the plan of the account that a user owns, else of the first that they belong to. Setting the same again changes
 * nothing but the audit, which keeps who did it.
 * @param until its last day, YYYY-MM-DD; without it a trial lasts as long as usual, a plan has no end
 * @param by the administrator; null for a command at the machine
 * @returns the sentence for whoever did it
 * @throws AppError not_found, bad_request where the day is past
 */
export async function setPlan(
  userId: number,
  plan: GrantablePlan,
  until: string | undefined,
  by: { userId: number; key: string } | { userId: null; key: string },
): Promise<string> {
  const [user, memberships] = await Promise.all([
    User.findById(userId, { email: 1 }).lean(),
    Member.find({ userId }).sort({ createdAt: 1 }).lean(),
  ]);
  const member = memberships.find(({ roles }) => roles.includes('owner')) ?? memberships[0];
  if (!user || !member) throw new AppError('not_found');
  const end = until === undefined ? null : new Date(Date.parse(`${until}T00:00:00Z`) + DAY - 1);
  if (end && !(end.getTime() > Date.now())) {
    throw new AppError('bad_request', {}, { fields: { until: 'Choose a day that is not past, e.g. 2027-03-31.' } });
  }
  const { accountId } = member;
  const change =
    plan === 'trial'
      ? { plan, status: 'trial', trialEndsAt: end ?? new Date(Date.now() + LIMITS.trialDays * DAY), planEndsAt: null }
      : { plan, status: 'active', planEndsAt: end };
  await runInAccount(accountId, async () => {
    // The audit comes first: a process that ends in between leaves a record too many, never a change without one.
    await auditTrail.append(accountId, {
      key: `plan:${by.key}`,
      event: 'plan.set',
      userId: by.userId,
      surface: by.userId === null ? 'command' : 'api',
      subject: `account:${accountId}`,
      shownDigest: null,
      outcome: until ? `${plan} until ${until}` : plan,
    });
    await changing(accountId, ['account', 'automation'], () =>
      Subscription.updateOne(
        { _id: accountId, accountId },
        { $set: change, ...(plan === 'trial' ? {} : { $setOnInsert: { trialEndsAt: new Date() } }) },
        { upsert: true },
      ),
    );
  });
  return `${user.email} has the plan ${plan} now${until ? `, until ${until}` : ''}.`;
}
