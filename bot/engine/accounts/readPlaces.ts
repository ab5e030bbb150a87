import { WORKING_AGENTS } from '../../../models/contracts/catalogue.ts';
import { type Plan, planThatCounts, Subscription } from '../../../models/subscription.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';

/** An account's plan and its hired agents. Agents in preparation do not count towards the plan's limit. */
export async function readPlaces(accountId: number, now = Date.now()): Promise<{ plan: Plan; hired: number }> {
  const [subscription, hired] = await Promise.all([
    Subscription.findOne({ accountId }).lean(),
    UserAgent.countDocuments({ accountId, agentId: { $in: WORKING_AGENTS.map(({ id }) => id) }, ...HIRED }),
  ]);
  const held = subscription && planThatCounts(subscription, now);
  return { plan: held?.plan ?? subscription?.plan ?? 'trial', hired };
}
