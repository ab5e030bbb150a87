import { createHash } from 'node:crypto';
import type { AnyChunk, KnownBlock, WebClient } from '@slack/web-api';
import { splitText } from '../../engine/delivery/splitText.ts';
import { refusalOf } from './client.ts';

/** Longest text of one call, and of a whole streamed message that was written before it was sent. */
export const MAX_STREAM_LENGTH = 12_000;
/** A longer text is streamed in several pieces. */
const PIECE_LENGTH = 600;

/** What a stream shows. It is kept after each change, so that a retry or another process completes the same stream. */
export type StreamState = {
  /** The timestamp of the streamed message. */
  ts: string | null;
  /** True while it has not been stopped. */
  streaming?: boolean;
  /** The text that was shown while it was written: its length, and a hash that tells whether a text begins with it. */
  written?: { length: number; hash: string };
  /** Set while a piece of that text is being sent: after a crash nobody knows whether Slack has it. */
  unsure?: boolean;
  /** Labels of the steps that were shown; the last one runs. */
  tasks?: string[];
};

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
export const writtenOf = (text: string) => ({ length: text.length, hash: hashOf(text) });

/** Whether a text, escaped, begins with what a stream shows. */
export const continues = (text: string, { written, unsure }: StreamState): boolean =>
  !unsure && (!written || writtenOf(text.slice(0, written.length)).hash === written.hash);

/** Splits a text into pieces that give exactly the same text when joined. */
export function piecesOf(text: string, length = PIECE_LENGTH): string[] {
  let from = 0;
  return splitText(text, length).map((piece) => {
    const end = text.indexOf(piece, from) + piece.length;
    const whole = text.slice(from, end);
    from = end;
    return whole;
  });
}

const taskOf = (title: string, at: number, status: 'in_progress' | 'complete'): AnyChunk => ({
  type: 'task_update',
  id: `step-${at}`,
  title,
  status,
});

/** The changes of the steps' cards when steps begin, one after the other; a step that runs already begins no new one. */
export function beginTasks(shown: readonly string[], steps: readonly string[]) {
  const tasks = [...shown];
  const chunks: AnyChunk[] = [];
  for (const step of steps) {
    const last = tasks.at(-1);
    if (step === last) continue;
    if (last !== undefined) chunks.push(taskOf(last, tasks.length - 1, 'complete'));
    chunks.push(taskOf(step, tasks.length, 'in_progress'));
    tasks.push(step);
  }
  return { chunks, tasks };
}

/** Slack's code for a stream that has ended, whoever ended it. */
const ENDED = 'message_not_in_streaming_state';

/**
 * Stops a stream; the last step's card becomes complete.
 * @returns false where it had ended before
 */
export async function stopStream(
  client: WebClient,
  channel: string,
  { ts, tasks = [] }: StreamState,
  blocks: KnownBlock[] = [],
): Promise<boolean> {
  const last = tasks.at(-1);
  try {
    await client.chat.stopStream({
      channel,
      ts: ts as string,
      ...(last === undefined ? {} : { chunks: [taskOf(last, tasks.length - 1, 'complete')] }),
      ...(blocks.length > 0 ? { blocks } : {}),
    });
    return true;
  } catch (error) {
    if (refusalOf(error) !== ENDED) throw error;
    return false;
  }
}

/** Adds text to a stream. @returns false where the stream has ended */
export async function appendText(client: WebClient, channel: string, ts: string, text: string): Promise<boolean> {
  try {
    await client.chat.appendStream({ channel, ts, markdown_text: text });
    return true;
  } catch (error) {
    if (refusalOf(error) !== ENDED) throw error;
    return false;
  }
}

/** Error codes of a workspace where streaming is not available at all. */
const STREAMS_UNSUPPORTED = new Set(['unknown_method', 'method_not_supported_for_channel_type', 'feature_not_enabled']);
/** Keys of installations without streaming, so that each is tried only once in a process. */
const keysWithoutStreams = new Set<string>();
export const canStream = (key: string) => !keysWithoutStreams.has(key);

/**
 * Starts a stream.
 * @returns null where Slack refuses it: the message is then posted
 */
export async function startStream(
  client: WebClient,
  key: string,
  begun: Parameters<WebClient['chat']['startStream']>[0],
): Promise<{ ts: string | null } | null> {
  try {
    const { ts } = await client.chat.startStream(begun);
    return { ts: ts ?? null };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    if (STREAMS_UNSUPPORTED.has(refusal)) keysWithoutStreams.add(key);
    return null;
  }
}
