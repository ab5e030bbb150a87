import { LIMITS } from '../../../models/contracts/limits.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { planByPayment, Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { mailMember } from '../delivery/deliverMail.ts';

const DAY_MS = 86_400_000;
/** Ends longer ago than this are not mailed, e.g. those from before mail was configured. */
const MAX_AGE_DAYS = 2;

/** Mails owners once before their trial or plan ends (`LIMITS.trialWarningDays`), and once after. */
export async function mailPlanEnds(now = new Date()): Promise<void> {
  const near = {
    $gt: new Date(now.getTime() - MAX_AGE_DAYS * DAY_MS),
    $lte: new Date(now.getTime() + LIMITS.trialWarningDays * DAY_MS),
  };
  const rows = await dangerouslyRunInEveryAccount(() =>
    Subscription.find({
      $or: [
        { status: 'trial', trialEndsAt: near },
        { status: 'active', planEndsAt: near },
      ],
    }).lean(),
  );
  for (const row of rows) {
    await runInAccount(row.accountId, () => mailEnd(row, now)).catch((error: unknown) =>
      logger.error(
        { err: error, account: row.accountId },
        'the end of a plan was not mailed; the next run of the job retries',
      ),
    );
  }
}

async function mailEnd(row: SubscriptionRow, now: Date): Promise<void> {
  // What is paid for goes on; of its own end the payment provider writes.
  if (planByPayment(row, now.getTime())) return;
  const { accountId, status, trialEndsAt, planEndsAt } = row;
  const what = status === 'trial' ? 'trial' : 'plan';
  if (what === 'trial' && env.TRIAL_DAYS === 0) return;
  const end = what === 'trial' ? trialEndsAt : planEndsAt;
  if (!end) return;
  const isOver = end <= now;
  const key = `${what}-${isOver ? 'over' : 'ends'}:${end.toISOString()}`;
  for (const { userId } of await Member.find({ accountId, roles: 'owner' }, { userId: 1 }).lean())
    await mailMember({ accountId, userId }, key, 'planEnds', { what, isOver, end: end.toISOString() });
}
