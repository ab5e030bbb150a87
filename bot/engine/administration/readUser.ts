import { Account } from '../../../models/account.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import {
  MAX_OF_USER,
  type UserCompany,
  type UserConnection,
  type UserDetails,
  type UserRun,
} from '../../../models/contracts/admin.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import { findConnector } from '../../../models/contracts/connectors.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import type { GrantRow } from '../../../models/grant.ts';
import { LedgerEntry } from '../../../models/ledgerEntry.ts';
import { Member, type MemberRow } from '../../../models/member.ts';
import { Run, shownStatusOf } from '../../../models/run.ts';
import { dangerouslyRunInEveryAccount } from '../../../models/store/context.ts';
import { findSessions } from '../../../models/store/sessions.ts';
import { planThatCounts, Subscription, type SubscriptionRow } from '../../../models/subscription.ts';
import { User } from '../../../models/user.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';
import { registeredAgents } from '../agents/registry.ts';
import { readFailures } from '../failures/failures.ts';

type OfCompany = { accountId: number; companyName: string };
type Companies = { ids: number[]; of: (accountId: number) => OfCompany };

/**
 * What administrators see of a user and of every company that they belong to: what happened and when, never what was
 * written, and no secrets. Reads across accounts.
 * @throws AppError not_found
 */
export function readUser(userId: number, now = Date.now()): Promise<UserDetails> {
  return dangerouslyRunInEveryAccount(async () => {
    const user = await User.findById(userId).lean();
    if (!user) throw new AppError('not_found');
    const memberships = await Member.find({ userId }).sort({ createdAt: 1 }).lean();
    const ids = memberships.map(({ accountId }) => accountId);
    const sessions = await findSessions(userId);
    const named = [...ids, ...sessions.map(({ accountId }) => accountId)];
    const accounts = await Account.find({ _id: { $in: named } }, { name: 1 }).lean();
    const names = new Map(accounts.map(({ _id, name }) => [_id, name]));
    const companies = { ids, of: (accountId: number) => ({ accountId, companyName: names.get(accountId) ?? '' }) };
    const [plans, agents, runs, connections, grants, { failures }] = await Promise.all([
      readPlans(memberships, companies, now),
      readAgents(companies),
      readRuns(companies),
      readConnections(companies),
      readGrants(companies),
      readFailures(ids, MAX_OF_USER),
    ]);
    return {
      user: {
        id: user._id,
        email: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        createdAt: user.createdAt?.toISOString() ?? null,
        isAdmin: user.isAdmin,
        emailVerified: user.emailVerified,
        mailRefusedAt: user.mailRefusedAt?.toISOString() ?? null,
      },
      companies: plans,
      sessions: sessions.map(({ id, accountId, device, since, lastUsed }) => ({
        id,
        device,
        companyName: names.get(accountId) ?? '',
        since: since.toISOString(),
        lastUsed: lastUsed.toISOString(),
      })),
      agents,
      runs,
      connections,
      grants,
      failures: failures.slice(0, MAX_OF_USER),
    };
  });
}

async function readPlans(
  memberships: readonly MemberRow[],
  { ids, of }: Companies,
  now: number,
): Promise<UserCompany[]> {
  const rows = await Subscription.find({ accountId: { $in: ids } }).lean();
  const byAccount = new Map(rows.map((row) => [row.accountId, row as SubscriptionRow]));
  return memberships.map(({ accountId, roles }) => {
    const row = byAccount.get(accountId);
    const held = row ? planThatCounts(row, now) : null;
    const endsAt = held ? held.endsAt : (row?.trialEndsAt ?? null);
    return {
      ...of(accountId),
      roles: [...roles],
      plan: held?.plan ?? 'trial',
      endsAt: endsAt?.toISOString() ?? null,
      isOver: !held && endsAt !== null && endsAt.getTime() <= now,
    };
  });
}

async function readAgents({ ids, of }: Companies): Promise<UserDetails['agents']> {
  const rows = await UserAgent.find({ accountId: { $in: ids }, ...HIRED })
    .sort({ hiredAt: -1 })
    .lean();
  return rows.map(({ accountId, agentId, status, hiredAt }) => ({
    ...of(accountId),
    name: findAgent(agentId)?.displayName ?? agentId,
    isOnboarded: status === 'onboarded',
    hiredAt: hiredAt.toISOString(),
  }));
}

async function readRuns({ ids, of }: Companies): Promise<UserRun[]> {
  const fields = { accountId: 1, agentId: 1, workflow: 1, status: 1, spent: 1, createdAt: 1 };
  const rows = await Run.find({ accountId: { $in: ids } }, fields)
    .sort({ _id: -1 })
    .limit(MAX_OF_USER)
    .lean();
  const workflows = registeredAgents().flatMap((agent) => agent.workflows);
  return rows.map(({ _id, accountId, agentId, workflow, status, spent, createdAt }) => ({
    ...of(accountId),
    id: String(_id),
    agent: findAgent(agentId)?.displayName ?? agentId,
    title: workflows.find(({ name }) => name === workflow)?.title ?? 'Reply in the chat',
    status: shownStatusOf(status),
    startedAt: createdAt.toISOString(),
    cost: spent,
  }));
}

/** Whether tokens work, and since when. @param since when they were given */
function stateOf({ revokedAt, error }: Pick<GrantRow, 'revokedAt' | 'error'>, since: Date) {
  const state = revokedAt === null ? 'connected' : error === null ? 'ended' : 'broken';
  return { state, reason: state === 'broken' ? error : null, since: (revokedAt ?? since).toISOString() } as const;
}

async function readConnections({ ids, of }: Companies): Promise<UserConnection[]> {
  const [installations, grants] = await Promise.all([
    ChannelInstallation.find({ accountId: { $in: ids } }, { sealed: 0 }).lean(),
    ConnectorGrant.find({ accountId: { $in: ids } }, { sealed: 0 }).lean(),
  ]);
  const channels = installations.map(({ accountId, channel, installedAt, createdAt, ...grant }) => ({
    ...of(accountId),
    kind: 'channel' as const,
    name: CHANNELS.find(({ id }) => id === channel)?.name ?? channel,
    ...stateOf(grant, installedAt ?? createdAt),
  }));
  const tools = grants.map(({ accountId, connector, grantedAt, ...grant }) => ({
    ...of(accountId),
    kind: 'tool' as const,
    name: findConnector(connector)?.name ?? connector,
    ...stateOf(grant, grantedAt),
  }));
  return [...channels, ...tools].sort((one, other) => other.since.localeCompare(one.since));
}

async function readGrants({ ids, of }: Companies): Promise<UserDetails['grants']> {
  const rows = await LedgerEntry.find({ accountId: { $in: ids }, kind: 'grant' })
    .sort({ createdAt: -1, seq: -1 })
    .limit(MAX_OF_USER)
    .lean();
  return rows.map(({ accountId, createdAt, amount, note }) => ({
    ...of(accountId),
    at: createdAt.toISOString(),
    amount,
    note,
  }));
}
