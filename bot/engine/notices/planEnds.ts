import { LIMITS } from '../../../models/contracts/limits.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { mailMember } from '../delivery/deliverMail.ts';

const DAY_MS = 86_400_000;
/** An end that is longer ago than this is old news, e.g. where mail was set up later. */
const NEWS_DAYS = 2;

/** Mails owners that their trial or plan ends in a few days, and that it has ended: each once for each end. */
export async function mailPlanEnds(now = new Date()): Promise<void> {
  const near = {
    $gt: new Date(now.getTime() - NEWS_DAYS * DAY_MS),
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
      logger.error({ err: error, account: row.accountId }, 'the end of a plan was not mailed; it is tried again'),
    );
  }
}

async function mailEnd({ accountId, status, trialEndsAt, planEndsAt }: SubscriptionRow, now: Date): Promise<void> {
  const what = status === 'trial' ? 'trial' : 'plan';
  if (what === 'trial' && env.TRIAL_DAYS === 0) return;
  const end = what === 'trial' ? trialEndsAt : planEndsAt;
  if (!end) return;
  const isOver = end <= now;
  const key = `${what}-${isOver ? 'over' : 'ends'}:${end.toISOString()}`;
  for (const { userId } of await Member.find({ accountId, roles: 'owner' }, { userId: 1 }).lean())
    await mailMember({ accountId, userId }, key, 'planEnds', { what, isOver, end: end.toISOString() });
}
