import { Account } from '../../../models/account.ts';
import { ChannelInstallation } from '../../../models/channelInstallation.ts';
import { ConnectorGrant } from '../../../models/connectorGrant.ts';
import { CHANNELS } from '../../../models/contracts/channels.ts';
import type { ErasurePlan } from '../../../models/contracts/companyData.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { env } from '../../../models/env.ts';
import { logger } from '../../../models/logger.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { planByPayment, Subscription } from '../../../models/subscription.ts';
import { displayName, User, type UserRow } from '../../../models/user.ts';
import { beginErasure, erasePerson, eraseWholeAccount } from '../accounts/eraseAccount.ts';
import { readMembers } from '../accounts/members.ts';
import { fitsPassword } from '../accounts/passwords.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { cardOf } from '../connectors/registry.ts';
import { revokeAccess } from '../connectors/revokeAccess.ts';
import { endPayments } from '../payments/readPaidPlan.ts';

/** How long a sign-in counts as fresh, for people without a password. */
const FRESH_MS = 10 * 60_000;
/** Work that holds a lease ends within this time once its rows are gone. */
const SETTLED_MS = 2 * 60_000 * env.PATIENCE_FACTOR;

const shown = (user: UserRow) => ({ name: displayName(user), email: user.email });

/** Names of the tools and channels that an account has connected. */
async function readConnections(accountId: number): Promise<string[]> {
  const [grants, installations] = await Promise.all([
    ConnectorGrant.find({ accountId, revokedAt: null }, { connector: 1 }).lean(),
    ChannelInstallation.find({ accountId, revokedAt: null }, { channel: 1, name: 1 }).lean(),
  ]);
  const channelName = (channel: string) => CHANNELS.find(({ id }) => id === channel)?.name ?? channel;
  return [
    ...grants.map(({ connector }) => cardOf(connector)?.name ?? connector),
    ...installations.map(({ channel, name }) => `${channelName(channel)} (${name})`),
  ];
}

/** What erasing a company would delete and whom it affects. */
export async function readErasurePlan({ accountId, userId }: Who): Promise<ErasurePlan> {
  const [account, user, { members }, elsewhere, connections, subscription] = await Promise.all([
    Account.findById(accountId, { name: 1 }).lean(),
    User.findById(userId).lean(),
    readMembers(accountId),
    Member.exists({ userId, accountId: { $ne: accountId } }),
    readConnections(accountId),
    Subscription.findOne({ accountId }).lean(),
  ]);
  const rest = members.filter((member) => member.userId !== userId);
  const owns = ({ roles }: (typeof rest)[number]) => roles.includes('owner');
  return {
    companyName: account?.name ?? '',
    otherOwners: rest.filter(owns).map((member) => shown(member.user)),
    others: rest.map((member) => shown(member.user)),
    connections,
    plan: (subscription && planByPayment(subscription, Date.now())?.plan) ?? null,
    isPersonErased: elsewhere === null,
    hasPassword: Boolean(user?.passwordHash),
  };
}

const refuse = (field: 'typed' | 'password', text: string) =>
  new AppError('bad_request', {}, { fields: { [field]: text } });
const isSame = (typed: string, wanted: string) => typed.trim().toLowerCase() === wanted.trim().toLowerCase();

/** How an erasure is confirmed. */
type Confirmation = {
  typed: string;
  password?: string | undefined;
  /** When the session began, in milliseconds since 1970; 0 where that is not known. */
  since: number;
};

/** @throws AppError not_allowed, not_available, bad_request */
async function requireConfirmed(who: Who, plan: ErasurePlan, { typed, password, since }: Confirmation): Promise<void> {
  if (!who.roles.includes('owner')) throw new AppError('not_allowed');
  if (plan.otherOwners.length > 0) {
    const names = plan.otherOwners.map(({ name }) => name).join(', ');
    throw new AppError('not_available', {
      text: `${names} ${plan.otherOwners.length === 1 ? 'owns' : 'own'} the company too, so nothing was erased. Take that role away first, under Members.`,
    });
  }
  if (![plan.companyName, who.email].some((wanted) => isSame(typed, wanted)))
    throw refuse('typed', `Type ${plan.companyName} or ${who.email}.`);
  if (!plan.hasPassword) {
    if (Date.now() - since <= FRESH_MS) return;
    throw new AppError('not_available', {
      text: 'You have no password to confirm with, so nothing was erased. Log out, log in again, and erase the company within ten minutes.',
    });
  }
  const user = await User.findById(who.userId, { passwordHash: 1 }).lean();
  if (!(await fitsPassword(user?.passwordHash ?? null, password ?? '')))
    throw refuse('password', 'This is not your password.');
}

/** Revokes an account's access everywhere and erases it, and the person who wished it if it was their only one. */
async function carryOut(accountId: number, userId: number): Promise<string[]> {
  const notRevoked = await revokeAccess(accountId);
  await eraseWholeAccount(accountId, userId);
  const user = await User.findById(userId).lean();
  if (user && !(await Member.exists({ userId }))) await erasePerson(user);
  return notRevoked;
}

/**
 * Erases the company of its only owner, and what it pays for ends. Payments come first: where they can't be ended, nothing
 * was erased. From then on the erasure is finished whatever happens ({@link finishErasures}).
 * @throws AppError not_allowed, not_available, bad_request with the field that confirms wrongly, provider_unavailable
 */
export async function eraseCompany(
  who: Who,
  confirmation: Confirmation,
): Promise<{ notRevoked: string[]; isPlanLeft: boolean }> {
  const { accountId, userId } = who;
  await requireConfirmed(who, await readErasurePlan(who), confirmation);
  const isPlanLeft = !(await endPayments(accountId));
  await recordEvent(accountId, 'account.erasure-begun', {
    userId,
    subject: `account:${accountId}`,
    outcome: 'confirmed',
  });
  await beginErasure(accountId, userId);
  return { notRevoked: await carryOut(accountId, userId), isPlanLeft };
}

/**
 * Erases accounts a second time, once work on them in any process has ended: what that wrote meanwhile goes too, and so
 * does what a crash left.
 * @returns how many
 */
export async function finishErasures(now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - SETTLED_MS);
  const begun = await Account.find({ 'erasure.isSwept': false, 'erasure.at': { $lte: before } }).lean();
  for (const { _id, erasure } of begun) {
    if (!erasure) continue;
    const notRevoked = await carryOut(_id, erasure.by);
    if (notRevoked.length > 0) logger.warn({ account: _id, notRevoked }, 'access of an erased company was not revoked');
    await Account.updateOne({ _id }, { $set: { 'erasure.isSwept': true } });
  }
  return begun.length;
}
