import { WORKING_AGENTS } from '../../../models/contracts/catalogue.ts';
import { Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';

/** An account's plan and its hired agents. Agents in preparation do not count towards the plan's limit. */
export async function readPlaces(accountId: number): Promise<{ plan: SubscriptionRow['plan']; hired: number }> {
  const [subscription, hired] = await Promise.all([
    Subscription.findOne({ accountId }, { plan: 1 }).lean(),
    UserAgent.countDocuments({ accountId, agentId: { $in: WORKING_AGENTS.map(({ id }) => id) }, ...HIRED }),
  ]);
  return { plan: subscription?.plan ?? 'trial', hired };
}
