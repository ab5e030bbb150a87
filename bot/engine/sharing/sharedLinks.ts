import { createHash, randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { SharedLink, type SharedLinkRow } from '../../../models/sharedLink.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { changing } from '../../../models/store/revisions.ts';
import { displayName, User } from '../../../models/user.ts';
import { identify } from '../accounts/identify.ts';
import type { SharedResults } from '../agents/agent.ts';
import { registeredAgent } from '../agents/registry.ts';
import { recordEvent } from '../audit/recordEvent.ts';

const DAY_MS = 86_400_000;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const isOver = ({ revokedAt, expiresAt }: Pick<SharedLinkRow, 'revokedAt' | 'expiresAt'>, now: number) =>
  revokedAt !== null || expiresAt.getTime() <= now;
const nameOfResult = ({ agentId, resultId }: Result) => `${agentId}:${resultId}`;

type Result = Pick<SharedLinkRow, 'agentId' | 'resultId'>;

/** How an agent shows its results. @throws AppError not_found where it shares none */
function requireShared(agentId: AgentId): SharedResults {
  const { shared } = registeredAgent(agentId);
  if (!shared) throw new AppError('not_found');
  return shared;
}

/**
 * Makes a read-only link to one result of an agent.
 * @returns the row, and its secret, which is readable only here
 * @throws AppError not_allowed; not_found, no_result where there is nothing to show; not_available where the company
 * has the most links that it may have
 */
export async function makeLink(
  who: Who,
  { agentId, resultId, expiresInDays }: Result & { expiresInDays: number },
): Promise<{ link: SharedLinkRow; secret: string }> {
  const { accountId, userId } = who;
  if (!may(who, 'links.change')) throw new AppError('not_allowed');
  await requireShared(agentId).require(accountId, resultId);
  await requirePlace(accountId, 1);
  const secret = randomBytes(32).toString('base64url');
  const now = Date.now();
  const link: SharedLinkRow = {
    _id: new Types.ObjectId(),
    accountId,
    agentId,
    resultId,
    secretHash: hashOf(secret),
    madeBy: userId,
    createdAt: new Date(now),
    expiresAt: new Date(now + expiresInDays * DAY_MS),
    lastOpenedAt: null,
    openings: 0,
    revokedAt: null,
  };
  await recordEvent(accountId, 'link.made', { userId, subject: `link:${link._id}`, outcome: nameOfResult(link) });
  await changing(accountId, ['account'], () => SharedLink.create(link));
  await requirePlace(accountId, 0).catch(async (error: unknown) => {
    // Several were made in the same moment: each sees the others by now.
    await revokeLink(who, String(link._id));
    throw error;
  });
  return { link, secret };
}

/**
 * @param more links about to be made, in addition to the existing ones
 * @throws AppError not_available where they would exceed the company's limit
 */
async function requirePlace(accountId: number, more: number): Promise<void> {
  const { count } = LIMITS.sharedLinks;
  if ((await findCurrent(accountId)).length + more > count)
    throw new AppError('not_available', { text: `A company can have ${count} links. Revoke one first.` });
}

/** The links of a company that are neither expired nor revoked. Losing the right to make one revokes them. */
async function findCurrent(accountId: number, of: Partial<Result> = {}): Promise<SharedLinkRow[]> {
  const now = Date.now();
  const rows = await SharedLink.find({ accountId, revokedAt: null, ...of })
    .sort({ createdAt: -1 })
    .lean();
  return rows.filter((row) => !isOver(row, now));
}

/**
 * The links to one result that work, newest first, each with its maker's name.
 * @throws AppError not_allowed
 */
export async function listLinks(who: Who, of: Result): Promise<(SharedLinkRow & { makerName: string })[]> {
  if (!may(who, 'links.change')) throw new AppError('not_allowed');
  const rows = await findCurrent(who.accountId, { agentId: of.agentId, resultId: of.resultId });
  const users = await User.find({ _id: { $in: rows.map(({ madeBy }) => madeBy) } }).lean();
  const names = new Map(users.map((user) => [user._id, displayName(user)]));
  return rows.map((row) => ({ ...row, makerName: names.get(row.madeBy) ?? '' }));
}

/**
 * Revokes a link.
 * @throws AppError not_allowed, not_found where it is not of the account or was revoked before
 */
export async function revokeLink(who: Who, id: string): Promise<void> {
  const { accountId, userId } = who;
  if (!may(who, 'links.change')) throw new AppError('not_allowed');
  const standing = { _id: id, accountId, revokedAt: null };
  if (!(await SharedLink.exists(standing))) throw new AppError('not_found');
  await recordEvent(accountId, 'link.revoked', { userId, subject: `link:${id}`, outcome: 'revoked' });
  const revoked = await changing(accountId, ['account'], () =>
    SharedLink.updateOne(standing, { $set: { revokedAt: new Date() } }),
  );
  if (revoked.modifiedCount !== 1) throw new AppError('not_found');
}

/**
 * What a link shows. The opening is in the company's audit, with the digest of what is shown.
 * @returns the link, and the JSON text of the result as its agent shows it
 * @throws AppError link_over where the secret is unknown, expired or revoked, which all look the same; expired where
 * the result is no longer kept
 */
export async function openLink(secret: string): Promise<{ link: SharedLinkRow; json: Buffer }> {
  const now = Date.now();
  const link = await SharedLink.findOne({ secretHash: hashOf(secret) }).lean();
  if (!link || isOver(link, now)) throw new AppError('link_over');
  const { _id, accountId, agentId, resultId } = link;
  const maker = await identify(link.madeBy, accountId, now);
  if (!maker || !may(maker, 'links.change')) throw new AppError('link_over');
  return runInAccount(accountId, async () => {
    const { json, digest } = await requireShared(agentId).read(accountId, resultId);
    await recordEvent(accountId, 'link.opened', {
      userId: null,
      surface: 'link',
      subject: `link:${_id}`,
      outcome: nameOfResult(link),
      shownDigest: digest,
    });
    await changing(accountId, ['account'], () =>
      SharedLink.updateOne({ _id, accountId }, { $set: { lastOpenedAt: new Date(now) }, $inc: { openings: 1 } }),
    );
    return { link, json };
  });
}
