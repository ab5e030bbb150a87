import { Types } from 'mongoose';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { env } from '../../../models/env.ts';
import { may } from '../../../models/policies/actions.ts';
import type { Who } from '../../../models/policies/who.ts';
import { requireRow } from '../../../models/store/requireRow.ts';
import { changing } from '../../../models/store/revisions.ts';
import { ToolServer, type ToolServerRow } from '../../../models/toolServer.ts';
import { displayName, User } from '../../../models/user.ts';
import { HIRED, UserAgent } from '../../../models/userAgent.ts';
import { recordEvent } from '../audit/recordEvent.ts';
import { addressFault } from '../network/address.ts';
import { sealSecret, withServer } from './connect.ts';
import { type ListedTool, mergeTools } from './declarations.ts';
import { isUsable } from './region.ts';

type Tools = Pick<ToolServerRow, 'tools' | 'leftOut'>;

/** @throws AppError not_allowed */
const requireRight = (who: Who) => {
  if (!may(who, 'integration.connect')) throw new AppError('not_allowed');
};
const fieldFault = (name: string, text: string) => new AppError('bad_request', {}, { fields: { [name]: text } });

/** A server as owners see it. */
export type ListedServer = ToolServerRow & { adderName: string };

async function withNames(rows: readonly ToolServerRow[]): Promise<ListedServer[]> {
  const users = await User.find({ _id: { $in: rows.map(({ addedBy }) => addedBy) } }).lean();
  const names = new Map(users.map((user) => [user._id, displayName(user)]));
  return rows.map((row) => ({ ...row, adderName: names.get(row.addedBy) ?? '' }));
}

/** The servers that an account allows, oldest first. */
export const readServers = async (accountId: number): Promise<ListedServer[]> =>
  withNames(await ToolServer.find({ accountId }).sort({ createdAt: 1 }).lean());

/** One of the servers that an account allows. @throws AppError not_found */
export async function readServer(accountId: number, id: string): Promise<ListedServer> {
  const [row] = await withNames([await requireServer(accountId, id)]);
  return requireRow(row ?? null);
}

async function requireServer(accountId: number, id: string): Promise<ToolServerRow> {
  const row = await ToolServer.findOne({ _id: id, accountId }).lean();
  if (!row) throw new AppError('not_found');
  return row;
}

async function requireAgents(accountId: number, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)];
  if ((await UserAgent.countDocuments({ accountId, _id: { $in: wanted }, ...HIRED })) !== wanted.length)
    throw fieldFault('userAgentIds', 'Choose agents that your company has hired.');
  return wanted;
}

/** @throws AppError not_configured, bad_request: where the deployment does not allow a server */
function requireRegion(isInUk: boolean): void {
  if (env.MCP_REGION === '')
    throw new AppError('not_configured', {
      text: 'The administrator of this deployment has not allowed MCP servers. They set MCP_REGION to allow them.',
    });
  if (!isUsable({ isInUk }))
    throw fieldFault('isInUk', 'This deployment allows servers in the UK only. Confirm that this one is.');
}

/**
 * Adds a server and reads its tools; all are off.
 * @throws AppError not_allowed, not_configured, bad_request, not_available where the company has the most that it may
 *   have, tool_server_failed
 */
export async function addServer(
  who: Who,
  given: Pick<ToolServerRow, 'name' | 'url' | 'isInUk' | 'userAgentIds'> & { secret: string | null },
): Promise<ToolServerRow> {
  requireRight(who);
  const { accountId } = who;
  const { name, url, isInUk, secret } = given;
  requireRegion(isInUk);
  const fault = addressFault(url);
  if (fault) throw fieldFault('url', fault);
  const userAgentIds = await requireAgents(accountId, given.userAgentIds);
  const { count } = LIMITS.toolServers;
  if ((await ToolServer.countDocuments({ accountId })) >= count)
    throw new AppError('not_available', { text: `A company can have ${count} MCP servers. Remove one first.` });
  const place = { _id: new Types.ObjectId(), accountId };
  const now = new Date();
  const row: ToolServerRow = {
    ...place,
    ...{ name, url, isInUk, userAgentIds, tools: [], leftOut: 0, revision: 0 },
    secret: secret === null ? null : sealSecret(secret, place),
    ...{ addedBy: who.userId, createdAt: now, checkedAt: now },
  };
  const listed = await withServer(row, null, async ({ tools }) => mergeTools([], tools));
  await recordEvent(accountId, 'tool-server.added', {
    userId: who.userId,
    subject: `tool-server:${place._id}`,
    outcome: new URL(url).host,
  });
  await changing(accountId, ['integrations'], () => ToolServer.create({ ...row, ...listed }));
  return requireServer(accountId, String(place._id));
}

const ATTEMPTS = 5;

/** Changes the tools of a server: a change that was made in the meantime is kept. */
async function changeTools(
  accountId: number,
  id: string,
  change: (before: ToolServerRow) => Partial<Tools & Pick<ToolServerRow, 'checkedAt'>>,
): Promise<ToolServerRow> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await requireServer(accountId, id);
    const { modifiedCount } = await changing(accountId, ['integrations'], () =>
      ToolServer.updateOne(
        { _id: id, accountId, revision: before.revision },
        { $set: change(before), $inc: { revision: 1 } },
      ),
    );
    if (modifiedCount === 1) return requireServer(accountId, id);
  }
  throw new AppError('conflict');
}

/** Keeps what a server declares now. A tool whose declaration changed is off by that. */
export const saveListed = (
  { accountId, _id }: Pick<ToolServerRow, 'accountId' | '_id'>,
  listed: readonly ListedTool[],
): Promise<ToolServerRow> =>
  changeTools(accountId, String(_id), ({ tools }) => ({ ...mergeTools(tools, listed), checkedAt: new Date() }));

/** Reads the tools of a server again. @throws AppError not_allowed, not_found, not_configured, tool_server_failed */
export async function checkServer(who: Who, id: string): Promise<ToolServerRow> {
  requireRight(who);
  const server = await requireServer(who.accountId, id);
  requireRegion(server.isInUk);
  return saveListed(server, await withServer(server, null, async ({ tools }) => tools));
}

/**
 * Switches a tool on, as it was shown to the owner, or off. It is in the audit.
 * @throws AppError not_allowed, not_found, conflict where it is not declared as it was shown
 */
export async function switchTool(
  who: Who,
  id: string,
  { name, digest, isOn }: { name: string; digest: string; isOn: boolean },
): Promise<ToolServerRow> {
  requireRight(who);
  const { accountId } = who;
  const server = await requireServer(accountId, id);
  if (isOn) requireRegion(server.isInUk);
  const requireShown = ({ tools }: Pick<ToolServerRow, 'tools'>) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new AppError('not_found');
    if (isOn && tool.declared.digest !== digest) throw new AppError('conflict');
  };
  requireShown(server);
  const standing = server.tools.find((one) => one.name === name);
  const isAllowed = !isOn || standing?.allowed?.digest === digest;
  if (standing?.isOn === isOn && isAllowed) return server;
  await recordEvent(accountId, 'server-tool.switched', {
    userId: who.userId,
    subject: `tool-server:${id}:${name}`,
    outcome: isOn ? 'on' : 'off',
    shownDigest: digest,
  });
  return changeTools(accountId, id, (before) => {
    requireShown(before);
    const changed = before.tools.map((tool) =>
      tool.name === name ? { ...tool, isOn, allowed: isOn ? tool.declared : tool.allowed } : tool,
    );
    return { tools: changed };
  });
}

/** Chooses the agents that may use a server's tools. @throws AppError not_allowed, not_found, bad_request */
export async function changeAgents(who: Who, id: string, given: readonly number[]): Promise<ToolServerRow> {
  requireRight(who);
  const { accountId } = who;
  const server = await requireServer(accountId, id);
  const userAgentIds = await requireAgents(accountId, given);
  if ([...server.userAgentIds].sort().join() === [...userAgentIds].sort().join()) return server;
  await recordEvent(accountId, 'tool-server.changed', {
    userId: who.userId,
    subject: `tool-server:${id}`,
    outcome: `agents ${userAgentIds.join(' ') || 'none'}`,
  });
  await changing(accountId, ['integrations'], () =>
    ToolServer.updateOne({ _id: id, accountId }, { $set: { userAgentIds } }),
  );
  return requireServer(accountId, id);
}

/** Removes a server and its secret. @throws AppError not_allowed, not_found */
export async function removeServer(who: Who, id: string): Promise<void> {
  requireRight(who);
  const { accountId } = who;
  await requireServer(accountId, id);
  await recordEvent(accountId, 'tool-server.removed', {
    userId: who.userId,
    subject: `tool-server:${id}`,
    outcome: 'removed',
  });
  await changing(accountId, ['integrations'], () => ToolServer.deleteOne({ _id: id, accountId }));
}
