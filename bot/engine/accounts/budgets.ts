import { Account } from '../../../models/account.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { stampText } from '../../../models/contracts/zonedText.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import type { Charge } from '../credits/credits.ts';
import { readAccountSettings } from './accountSettings.ts';
import { readTimeZone } from './timeZone.ts';

/** The month of a time in a zone: "2026-11". */
export const monthIn = (at: Date, timeZone: string): string => stampText(at, timeZone).slice(0, 7);

/** The company's month, and what an agent may use in it. */
export async function readWithin(
  accountId: number,
  agentId: string,
  now = new Date(),
): Promise<NonNullable<Charge['within']>> {
  const [timeZone, settings] = await Promise.all([readTimeZone(accountId), readAccountSettings(accountId)]);
  return { month: monthIn(now, timeZone), budget: settings?.budgets?.[agentId] ?? null };
}

/**
 * Sets what an agent may use in a month, from now on; null ends the limit.
 * @throws AppError not_allowed, not_found for an agent that the company has never hired
 */
export async function setBudget(who: Who, agentId: AgentId, budget: number | null): Promise<void> {
  const { accountId, userId } = who;
  if (!may(who, 'billing.change')) throw new AppError('not_allowed');
  if (!(await UserAgent.exists({ accountId, agentId }))) throw new AppError('not_found');
  const account = await Account.findById(accountId, { budgets: 1 }).lean();
  if ((account?.budgets?.[agentId] ?? null) === budget) return;
  await recordEvent(accountId, 'budget.changed', {
    userId,
    subject: `agent:${agentId}`,
    outcome: budget === null ? 'none' : String(budget),
  });
  const field = `budgets.${agentId}`;
  await changing(accountId, ['account'], async () => {
    // A path below null can't be set.
    await Account.updateOne({ _id: accountId, budgets: null }, { $set: { budgets: {} } });
    await Account.updateOne(
      { _id: accountId },
      budget === null ? { $unset: { [field]: '' } } : { $set: { [field]: budget } },
    );
  });
}
