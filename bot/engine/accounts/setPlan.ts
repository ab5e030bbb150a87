import { auditTrail } from '../../../models/auditEvent.ts';
import type { GrantablePlan } from '../../../models/contracts/admin.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { env } from '../../../models/env.ts';
import { Member } from '../../../models/member.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { Subscription } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';
import { endOfDay } from './calendar.ts';
import { grantPlanCredits } from './planCredits.ts';
import { readTimeZone } from './timeZone.ts';

const DAY = 86_400_000;
const usualDays = () => env.TRIAL_DAYS || LIMITS.trialDays;

/**
 * Sets the plan of the account that a user owns, else of their first account, and grants the plan's credits of this
 * month. Setting the same plan again only adds an audit row.
 * @param until the last day, YYYY-MM-DD, in the company's time zone; without it a trial has the usual length and a plan no end
 * @param by the administrator; `userId` null for a command on the server
 * @returns the sentence to show
 * @throws AppError not_found, bad_request where the day is in the past
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
  const { accountId } = member;
  const timeZone = await runInAccount(accountId, () => readTimeZone(accountId));
  const isDay = until !== undefined && !Number.isNaN(Date.parse(`${until}T12:00:00Z`));
  const end = isDay ? endOfDay(until, timeZone) : null;
  if (until !== undefined && !(end && end.getTime() > Date.now())) {
    throw new AppError(
      'bad_request',
      {},
      { fields: { until: 'Choose a day that is not in the past, e.g. 2027-03-31.' } },
    );
  }
  const change =
    plan === 'trial'
      ? { plan, status: 'trial', trialEndsAt: end ?? new Date(Date.now() + usualDays() * DAY), planEndsAt: null }
      : { plan, status: 'active', planEndsAt: end };
  await runInAccount(accountId, async () => {
    // Recorded first: if the process ends in between, there is a row without a change, never the reverse.
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
  await grantPlanCredits(accountId);
  return `${user.email} now has the plan ${plan}${until ? `, until ${until}` : ''}.`;
}
