import type { UserStatistics } from '../../../models/contracts/admin.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { Member } from '../../../models/member.ts';
import { dangerouslyRunInEveryAccount, runInAccount } from '../../../models/store/context.ts';
import { announce } from '../../../models/store/revisions.ts';
import { planThatCounts, Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { User, type UserRow } from '../../../models/user.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { grantCredits, readBalance } from '../credits/credits.ts';

/** Up to this many users are sent to the page at once; above that, the server pages and sorts. */
const ALL_AT_ONCE = 1000;
const PAGE = 20;

const SORTS = { joined: 'createdAt', email: 'email' } as const;
type Order = {
  page: number;
  sort: keyof typeof SORTS | 'agents';
  direction: 'ascending' | 'descending';
  /** Words of name or email. */
  search?: string;
};

function badgeOf(subscription: SubscriptionRow | undefined): UserStatistics['billingStatus'] {
  const held = subscription && planThatCounts(subscription, Date.now());
  if (!held) return 'free';
  return held.plan === 'enterprise' ? 'premium' : 'pro';
}

type UserFilter = { _id?: { $in: number[] } };

/** The users whose name or email contains every word; everybody without words. */
async function matching(search: string): Promise<UserFilter> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return {};
  const users = await User.find({}, { email: 1, firstName: 1, lastName: 1 }).lean();
  const found = users.filter(({ email, firstName, lastName }) => {
    const text = [email, firstName, lastName].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { _id: { $in: found.map(({ _id }) => _id) } };
}

/** Counts of rows by account. */
function countBy(rows: readonly { accountId: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { accountId } of rows) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}

/**
 * One page of users, ordered by their account's number of agents; the counts are not in the store, so all ids are
 * sorted here.
 */
async function usersByAgents(
  counts: Map<number, number>,
  sign: 1 | -1,
  from: number,
  most: number,
  filter: UserFilter,
): Promise<UserRow[]> {
  const [users, members] = await Promise.all([
    User.find(filter, { _id: 1 }).lean(),
    Member.find({}, { userId: 1, accountId: 1 }).sort({ createdAt: -1 }).lean(),
  ]);
  const accountOf = new Map(members.map(({ userId, accountId }) => [userId, accountId]));
  const agentsOf = (userId: number) => counts.get(accountOf.get(userId) ?? -1) ?? 0;
  const ids = users
    .map(({ _id }) => _id)
    .sort((one, other) => sign * (agentsOf(one) - agentsOf(other) || one - other))
    .slice(from, from + most);
  const rows = await User.find({ _id: { $in: ids } }).lean();
  return rows.sort((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id));
}

/** Every user with their account's activity. For administrators, therefore across accounts. */
export function readUserStatistics({ page, sort, direction, search = '' }: Order) {
  return dangerouslyRunInEveryAccount(async () => {
    const filter = await matching(search);
    const [everybody, admins, agents, integrations] = await Promise.all([
      User.estimatedDocumentCount(),
      User.countDocuments({ isAdmin: true }),
      UserAgent.find(HIRED, { accountId: 1 }).lean(),
      IntegrationSetting.find({ enabled: true }, { accountId: 1 }).lean(),
    ]);
    const total = filter._id ? filter._id.$in.length : everybody;
    const paged = total > ALL_AT_ONCE;
    const agentCounts = countBy(agents);
    const integrationCounts = countBy(integrations);
    const sign = direction === 'ascending' ? 1 : -1;
    const from = paged ? (page - 1) * PAGE : 0;
    const most = paged ? PAGE : ALL_AT_ONCE;
    const users =
      sort === 'agents'
        ? await usersByAgents(agentCounts, sign, from, most, filter)
        : await User.find(filter)
            .sort({ [SORTS[sort]]: sign, _id: sign })
            .skip(from)
            .limit(most)
            .lean();
    const members = await Member.find({ userId: { $in: users.map(({ _id }) => _id) } })
      .sort({ createdAt: 1 })
      .lean();
    const accountOf = new Map(members.toReversed().map(({ userId, accountId }) => [userId, accountId]));
    const subscriptions = await Subscription.find({ accountId: { $in: [...accountOf.values()] } }).lean();
    const subscriptionOf = new Map(subscriptions.map((row) => [row.accountId, row as SubscriptionRow]));
    const rows = users.map((user): UserStatistics => {
      const accountId = accountOf.get(user._id) ?? -1;
      return {
        id: user._id,
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        createdAt: user.createdAt?.toISOString() ?? null,
        agentCount: agentCounts.get(accountId) ?? 0,
        integrationCount: integrationCounts.get(accountId) ?? 0,
        billingStatus: badgeOf(subscriptionOf.get(accountId)),
        isAdmin: user.isAdmin,
      };
    });
    return {
      users: rows,
      total,
      paged,
      totals: { users: everybody, agents: agents.length, integrations: integrations.length, admins },
    };
  });
}

/** The credits of every user's account, from the newest row of each ledger. The totals count each account once. */
export function readUserTokens() {
  return dangerouslyRunInEveryAccount(async () => {
    const [users, members] = await Promise.all([
      User.find({}, { email: 1 }).sort({ _id: 1 }).lean(),
      Member.find({}, { userId: 1, accountId: 1 }).sort({ createdAt: 1 }).lean(),
    ]);
    const accountOf = new Map(members.toReversed().map(({ userId, accountId }) => [userId, accountId]));
    const heads = new Map<number, { balanceAfter: number; usedAfter: number }>();
    const accounts = [...new Set(accountOf.values())];
    for (let at = 0; at < accounts.length; at += 50) {
      await Promise.all(
        accounts.slice(at, at + 50).map(async (accountId) => {
          const head = await LedgerEntry.findOne({ accountId }, { balanceAfter: 1, usedAfter: 1 })
            .sort({ seq: -1 })
            .lean();
          if (head) heads.set(accountId, head);
        }),
      );
    }
    const totals = { tokensUsed: 0, tokensRemaining: 0 };
    for (const { usedAfter, balanceAfter } of heads.values()) {
      totals.tokensUsed += usedAfter;
      totals.tokensRemaining += balanceAfter;
    }
    const rows = users.map(({ _id, email }) => {
      const head = heads.get(accountOf.get(_id) ?? -1);
      return { id: _id, email, tokensUsed: head?.usedAfter ?? 0, tokensRemaining: head?.balanceAfter ?? 0 };
    });
    return { users: rows, totals };
  });
}

const repeated = (amount: number) => new AppError('grant_repeated', { amount: amount.toLocaleString('en-GB') });

/**
 * Grants credits to a user's account, once per request id.
 * @returns the sentence for the toast
 * @throws AppError not_found; grant_repeated for another amount under a request id that was used
 */
export async function addTokens(
  userId: number,
  tokensToAdd: number,
  requestId: string,
  by: { userId: number },
): Promise<string> {
  const [user, member] = await Promise.all([
    User.findById(userId, { email: 1 }).lean(),
    Member.findOne({ userId }).sort({ createdAt: 1 }).lean(),
  ]);
  if (!user || !member) throw new AppError('not_found');
  const { accountId } = member;
  return runInAccount(accountId, async () => {
    const key = `admin:${requestId}`;
    const standing = await LedgerEntry.findOne({ accountId, key }, { amount: 1 }).lean();
    if (standing && standing.amount !== tokensToAdd) throw repeated(standing.amount);
    await recordEvent(accountId, 'credits.granted', {
      userId: by.userId,
      subject: `account:${accountId}`,
      outcome: String(tokensToAdd),
      key: requestId,
    });
    const granted = await grantCredits(accountId, tokensToAdd, key, 'Added by an administrator');
    if (granted.amount !== tokensToAdd) throw repeated(granted.amount);
    announce(accountId, ['account']);
    const { tokensRemaining } = await readBalance(accountId);
    const grouped = (value: number) => value.toLocaleString('en-GB');
    return `Added ${grouped(tokensToAdd)} tokens to ${user.email}. ${grouped(tokensRemaining)} remain.`;
  });
}
