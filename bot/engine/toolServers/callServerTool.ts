import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { ToolServerUse } from '../../../models/toolServerUse.ts';
import { withServer } from './connect.ts';
import { declarationOf, isReading } from './declarations.ts';
import { findUsable } from './region.ts';
import { saveListed } from './servers.ts';

type Use = {
  accountId: number;
  serverId: string;
  name: string;
  /** Digest of the declaration with which the tool was offered. */
  digest: string;
  input: Record<string, unknown>;
  /** Idempotency key. */
  key: string;
  signal: AbortSignal;
};

const refuse = (text: string) => new AppError('not_available', { text });

/**
 * Uses a tool of an allowed server. The server is asked for its tools first: one whose declaration is not the allowed
 * one is not used. A tool that writes is called once per key, whatever becomes of the process.
 * @returns the text of its result
 * @throws AppError in words of ours alone
 */
export async function callServerTool({ accountId, serverId, name, digest, input, key, signal }: Use): Promise<string> {
  const found = await findUsable(accountId, serverId, name);
  if (!found || found.tool.declared.digest !== digest)
    throw refuse('This tool may not be used any more: an owner switched it off, or it changed.');
  const { server, tool } = found;
  return withServer(server, signal, async ({ client, tools, signal: within }) => {
    const listed = tools.filter((one) => one.name === name);
    const [first] = listed;
    if (!first || listed.length > 1 || declarationOf(first).digest !== digest) {
      await saveListed(server, tools);
      throw refuse('This tool changed since it was allowed, so it was not used. An owner has to allow it again.');
    }
    const writes = !isReading(tool.declared);
    if (writes) await markBegun(accountId, key);
    const options = { signal: within, timeout: LIMITS.toolServers.seconds * 1000 };
    const request = { name, arguments: input, _meta: { 'arc/idempotencyKey': key } };
    const result = await client.callTool(request, options).catch((error: unknown) => {
      signal.throwIfAborted();
      // The call was sent: what a writing tool has done is unknown.
      throw writes
        ? refuse('The server did not confirm this, so it may be done or not. Ask the person to check.')
        : error;
    });
    if (result.isError) throw refuse('The server says that this could not be done.');
    return textOf(result);
  });
}

/** @throws AppError where the same use has begun before */
async function markBegun(accountId: number, key: string): Promise<void> {
  const { upsertedCount } = await ToolServerUse.updateOne(
    { _id: key, accountId },
    { $setOnInsert: { begunAt: new Date() } },
    { upsert: true },
  );
  if (upsertedCount !== 1)
    throw refuse(
      'Arc stopped while this was being done, so it may be done or not, and was not repeated. Ask the person to check.',
    );
}

/** The texts of a result, or its structured content where it has none; anything else is left out. */
function textOf({ content, structuredContent }: { content?: unknown; structuredContent?: unknown }): string {
  const parts = (Array.isArray(content) ? content : []) as { type?: unknown; text?: unknown }[];
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const text = texts.join('\n').trim();
  if (text) return text;
  if (structuredContent !== undefined) return JSON.stringify(structuredContent, null, 1);
  throw refuse('The server answered with nothing that can be read as text.');
}
