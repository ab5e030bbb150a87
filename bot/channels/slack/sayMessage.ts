import type { WebClient } from '@slack/web-api';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { MessageRow } from '../../../models/message.ts';
import { readDownload } from '../../engine/agents/downloads.ts';
import type { Sending } from '../../engine/delivery/channel.ts';
import { consentFor, messageUnder } from '../../engine/delivery/consent.ts';
import { isDirect, placeOf } from './address.ts';
import { blocksBelow, messagePosts } from './cards/messageBlocks.ts';
import { escapeText } from './cards/text.ts';
import { clientOf, installationOf } from './installations.ts';
import { personaOf } from './persona.ts';
import {
  appendText,
  canStream,
  continues,
  MAX_STREAM_LENGTH,
  piecesOf,
  type StreamState,
  startStream,
  stopStream,
} from './stream.ts';

/** The parts of a message that are already in Slack; a retry continues after them. */
export type Sent = StreamState & {
  channel: string;
  /** The timestamp of the first post, which redraws and replies refer to. */
  ts: string | null;
  posts: number;
  files: number;
  /** How many pieces of the stream have been sent, beside what was shown while it was written. */
  pieces?: number;
  /** Set where the whole message replaced what a stream showed. */
  replaced?: boolean;
};

type Reply = {
  client: WebClient;
  conversation: ConversationRow;
  message: MessageRow;
  allowed: ReturnType<typeof messageUnder>;
};
type Save = (progress: Partial<Sent>, isTextSent: boolean) => Promise<void>;

/**
 * Sends one message: a short reply as a stream, anything else as posts, then the attached files. Progress is saved
 * after each part, so that a retry continues where the last attempt failed. A reply that was shown while it was written
 * is completed in its stream.
 */
export async function sayMessage(
  conversation: ConversationRow,
  message: MessageRow,
  { reference, keep }: Sending,
): Promise<Record<string, unknown>> {
  const client = clientOf(await installationOf(conversation));
  const { channel, thread } = placeOf(conversation.address);
  const threaded = thread ? { thread_ts: thread } : {};
  const allowed = messageUnder(await consentFor(conversation.accountId, 'slack'), message);
  let sent: Sent = { channel, ts: null, posts: 0, files: 0, ...reference };
  const saveProgress: Save = async (progress, isTextSent) => {
    sent = { ...sent, ...progress };
    // When everything is sent, the outbox saves the returned reference itself.
    const done = isTextSent && !sent.streaming && sent.files === allowed.attachments.length;
    if (!done) await keep(sent, isTextSent);
  };
  const reply: Reply = { client, conversation, message, allowed };
  if (sent.posts === 0) await beginStream(reply, saveProgress);
  if (sent.streaming) await completeStream(reply, sent, saveProgress);
  const isPosted = sent.streaming === undefined || sent.replaced;
  const posts = isPosted ? messagePosts({ ...allowed, ...ratedBy(message) }) : [];
  for (const [index, post] of posts.entries()) {
    if (index < sent.posts) continue;
    const answer = await client.chat.postMessage({
      channel,
      ...threaded,
      ...post,
      ...personaOf(message.agentId, message.agentName),
      unfurl_links: false,
      unfurl_media: false,
    });
    await saveProgress({ ts: sent.ts ?? answer.ts ?? null, posts: index + 1 }, index === posts.length - 1);
  }
  for (const [index, { name }] of allowed.attachments.entries()) {
    if (index < sent.files) continue;
    const file = await readDownload(conversation.accountId, name);
    if (file)
      await client.filesUploadV2({ channel_id: channel, ...threaded, file: file.bytes, filename: name } as never);
    await saveProgress({ files: index + 1 }, true);
  }
  return sent;
}

/** The message that people can say of whether it helped: an agent's answer. */
const ratedBy = ({ _id, kind, agentId, messageType }: MessageRow) =>
  kind === 'text' && messageType === 'assistant' && agentId !== null ? { rated: String(_id) } : {};

/**
 * Starts to stream a short reply in direct messages. Elsewhere Slack requires a single recipient of a stream, which a
 * channel doesn't have. Where Slack refuses to start a stream, the message is posted instead.
 */
async function beginStream({ client, conversation, message, allowed }: Reply, saveProgress: Save): Promise<void> {
  const { key, channel, thread } = placeOf(conversation.address);
  const { text, card } = allowed;
  // The sources are in the text too.
  const isPlain = Object.keys(card ?? {}).every((part) => part === 'sources');
  const isPlainText = message.kind === 'text' && isPlain && text.length <= MAX_STREAM_LENGTH;
  if (!isPlainText || !thread || !isDirect(channel) || !canStream(key)) return;
  const started = await startStream(client, key, {
    channel,
    thread_ts: thread,
    markdown_text: piecesOf(escapeText(text))[0] ?? '',
    ...personaOf(message.agentId, message.agentName),
  } as never);
  if (started) await saveProgress({ ts: started.ts, posts: 1, streaming: true, pieces: 1 }, true);
}

/**
 * Sends the rest of a streamed reply and stops the stream. Where the reply does not begin with what the stream shows,
 * or the stream ended too early, the whole reply replaces it.
 */
async function completeStream({ client, message, allowed }: Reply, sent: Sent, saveProgress: Save): Promise<void> {
  const { channel, ts } = sent;
  if (!ts) return saveProgress({ streaming: false }, true);
  const text = escapeText(allowed.text);
  const content = { ...allowed, ...ratedBy(message) };
  let isWhole = continues(text, sent);
  if (isWhole) {
    const pieces = piecesOf(text.slice(sent.written?.length ?? 0));
    let { pieces: sentPieces = 1 } = sent;
    for (const piece of pieces.slice(sentPieces)) {
      isWhole = await appendText(client, channel, ts, piece);
      if (!isWhole) break;
      sentPieces += 1;
      await saveProgress({ pieces: sentPieces }, true);
    }
  }
  await stopStream(client, channel, sent, isWhole ? blocksBelow(content) : []);
  if (isWhole) return saveProgress({ streaming: false }, true);
  const [first, ...more] = messagePosts(content);
  if (first) await client.chat.update({ channel, ts, ...first });
  await saveProgress({ streaming: false, replaced: true }, more.length === 0);
}
