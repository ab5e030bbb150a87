import { PLANS } from '../../../models/contracts/billing.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { planByHand, Subscription } from '../../../models/subscription.ts';
import { grantCredits } from '../credits/credits.ts';
import { monthIn } from './budgets.ts';
import { readTimeZone } from './timeZone.ts';

/**
 * Grants the month's credits of the plan that an administrator gave, once a month of the company's time zone. After a
 * change to a larger plan the difference is added. What is paid for brings its credits with its invoices.
 */
export async function grantPlanCredits(accountId: number, now = new Date()): Promise<void> {
  await runInAccount(accountId, async () => {
    const row = await Subscription.findOne({ accountId }).lean();
    const held = row && planByHand(row, now.getTime());
    const plan = PLANS.find(({ id }) => id === held?.plan);
    if (!plan?.credits) return;
    const month = monthIn(now, await readTimeZone(accountId));
    const granted = await LedgerEntry.find(
      { accountId, key: { $regex: `^plan:${month}:` } },
      { key: 1, amount: 1 },
    ).lean();
    const key = `plan:${month}:${plan.id}`;
    const missing = plan.credits - granted.reduce((sum, { amount }) => sum + amount, 0);
    if (missing <= 0 || granted.some((one) => one.key === key)) return;
    await grantCredits(accountId, missing, key, `${plan.name}, ${month}`);
    announce(accountId, ['account']);
  });
}

/** Grants the month's credits of every plan that an administrator gave. */
export async function grantAllPlanCredits(now = new Date()): Promise<void> {
  const rows = await dangerouslyRunInEveryAccount(() =>
    Subscription.find({ status: 'active', plan: { $in: ['starter', 'pro'] } }, { accountId: 1 }).lean(),
  );
  for (const { accountId } of rows) await grantPlanCredits(accountId, now);
}
