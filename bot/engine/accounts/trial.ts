import { AppError } from '../../../models/contracts/errors.ts';
import { env } from '../../../models/env.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';
import { announce } from '../../../models/store/revisions.ts';
import { planThatCounts, Subscription } from '../../../models/subscription.ts';

type Trial = {
  isTrialActive: boolean;
  remainingDays: number;
  subscriptionStatus: 'trial' | 'active' | 'expired';
};

const readSubscription = rememberPerAccount(['account'], (accountId) => Subscription.findOne({ accountId }).lean());

/** The current trial or plan; where TRIAL_DAYS is 0 a trial is active without an end. Remaining days are rounded up, so that the last hours count as one day. */
export async function readTrial(accountId: number, now = Date.now()): Promise<Trial> {
  return judgeTrial(await readSubscription(accountId), now);
}

function judgeTrial(row: Awaited<ReturnType<typeof readSubscription>>, now: number): Trial {
  const held = row && planThatCounts(row, now);
  if (env.TRIAL_DAYS === 0 && !held && row?.status !== 'active')
    return { isTrialActive: false, remainingDays: 0, subscriptionStatus: 'active' };
  const daysTo = (end: Date | null | undefined) => Math.max(0, Math.ceil(((end?.getTime() ?? 0) - now) / 86_400_000));
  const left = daysTo(row?.trialEndsAt);
  if (held) {
    const days = held.endsAt ? daysTo(held.endsAt) : left;
    return { isTrialActive: false, remainingDays: days, subscriptionStatus: 'active' };
  }
  if (row?.status === 'active') return { isTrialActive: false, remainingDays: 0, subscriptionStatus: 'expired' };
  const active = left > 0;
  return { isTrialActive: active, remainingDays: left, subscriptionStatus: active ? 'trial' : 'expired' };
}

/** @throws AppError trial_over where neither a trial nor a plan is active; existing data stays readable */
export async function requireActivePlan(accountId: number): Promise<void> {
  if ((await readTrial(accountId)).subscriptionStatus !== 'expired') return;
  // The cache may lag by half a second: a plan set by another process must count at once.
  const fresh = judgeTrial(await Subscription.findOne({ accountId }).lean(), Date.now());
  if (fresh.subscriptionStatus === 'expired') throw new AppError('trial_over');
}

let told = new Date();

/** Announces every trial and plan that ended since the last call, so that pages refresh. */
export async function announceEndedTrials(now = new Date()): Promise<void> {
  const ended = await dangerouslyRunInEveryAccount(() =>
    Subscription.find(
      { $or: ['trialEndsAt', 'planEndsAt', 'paid.endsAt'].map((end) => ({ [end]: { $gt: told, $lte: now } })) },
      { accountId: 1 },
    ).lean(),
  );
  told = now;
  for (const { accountId } of ended) announce(accountId, ['account']);
}
