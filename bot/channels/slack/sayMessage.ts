import type { ConversationRow } from '../../../models/conversation.ts';
import type { MessageRow } from '../../../models/message.ts';
import { readDownload } from '../../engine/agents/downloads.ts';
import type { Sending } from '../../engine/delivery/channel.ts';
import { consentFor, messageUnder } from '../../engine/delivery/consent.ts';
import { nameOf, pictureOf } from '../../engine/delivery/speaker.ts';
import { splitText } from '../../engine/delivery/splitText.ts';
import { isDirect, placeOf } from './address.ts';
import { messagePosts } from './cards/messageBlocks.ts';
import { escapeText } from './cards/text.ts';
import { refusalOf } from './client.ts';
import { clientOf, installationOf, type SlackInstallation } from './installations.ts';

/** The name and picture under which an agent's messages appear. */
export const personaOf = (agentId: string | null, agentName: string | null) => {
  const username = nameOf({ agentId, agentName });
  const picture = pictureOf({ agentId, agentName });
  return username ? { username, ...(picture ? { icon_url: picture } : {}) } : {};
};

/** The parts of a message that are already in Slack; a retry continues after them. */
type Sent = {
  channel: string;
  /** The timestamp of the first post, which redraws and replies refer to. */
  ts: string | null;
  posts: number;
  files: number;
  /** True while a started stream has not been stopped. */
  streaming?: boolean;
  /** How many pieces of the stream have been sent. */
  pieces?: number;
};

/**
 * Sends one message: a short reply as a stream, anything else as posts, then the attached files. Progress is saved
 * after each part, so that a retry continues where the last attempt failed.
 */
export async function sayMessage(
  conversation: ConversationRow,
  message: MessageRow,
  { reference, keep }: Sending,
): Promise<Record<string, unknown>> {
  const installation = await installationOf(conversation);
  const client = clientOf(installation);
  const { channel, thread } = placeOf(conversation.address);
  const threaded = thread ? { thread_ts: thread } : {};
  const allowed = messageUnder(await consentFor(conversation.accountId, 'slack'), message);
  let sent: Sent = { channel, ts: null, posts: 0, files: 0, ...reference };
  const saveProgress = async (progress: Partial<Sent>, isTextSent: boolean) => {
    sent = { ...sent, ...progress };
    // When everything is sent, the outbox saves the returned reference itself.
    const done = isTextSent && !sent.streaming && sent.files === allowed.attachments.length;
    if (!done) await keep(sent, isTextSent);
  };
  if (sent.posts === 0 || sent.streaming)
    await streamReply(installation, conversation, message, allowed, sent, saveProgress);
  const posts = sent.streaming === undefined ? messagePosts(allowed) : [];
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

/** Splits a text into pieces that give exactly the same text when joined. */
function piecesOf(text: string): string[] {
  let from = 0;
  return splitText(text, PIECE_LENGTH).map((piece) => {
    const end = text.indexOf(piece, from) + piece.length;
    const whole = text.slice(from, end);
    from = end;
    return whole;
  });
}

/** Error codes of a workspace where streaming is not available at all. */
const STREAMS_UNSUPPORTED = new Set(['unknown_method', 'method_not_supported_for_channel_type', 'feature_not_enabled']);
/** Keys of installations without streaming, so that each is tried only once in a process. */
const keysWithoutStreams = new Set<string>();
const MAX_STREAM_LENGTH = 12_000;
/** A longer text is streamed in several pieces. */
const PIECE_LENGTH = 600;

/**
 * Streams a short reply in direct messages. Elsewhere Slack requires a single recipient of a stream, which a channel
 * doesn't have. Where Slack refuses to start a stream, the message is posted instead.
 */
async function streamReply(
  installation: SlackInstallation,
  conversation: ConversationRow,
  message: MessageRow,
  { text, card }: ReturnType<typeof messageUnder>,
  sent: Sent,
  saveProgress: (progress: Partial<Sent>, isTextSent: boolean) => Promise<void>,
): Promise<void> {
  const { key, channel, thread } = placeOf(conversation.address);
  const isPlainText = message.kind === 'text' && !card && text.length <= MAX_STREAM_LENGTH;
  const client = clientOf(installation);
  const pieces = piecesOf(escapeText(text));
  let { ts, pieces: sentPieces = 1 } = sent;
  if (!sent.streaming) {
    if (!isPlainText || !thread || !isDirect(channel) || keysWithoutStreams.has(key)) return;
    try {
      const started = await client.chat.startStream({
        channel,
        thread_ts: thread,
        markdown_text: pieces[0] ?? '',
        ...personaOf(message.agentId, message.agentName),
      } as never);
      ts = started.ts ?? null;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (STREAMS_UNSUPPORTED.has(refusal)) keysWithoutStreams.add(key);
      return;
    }
    await saveProgress({ ts, posts: 1, streaming: true, pieces: sentPieces }, true);
  }
  try {
    for (const piece of ts ? pieces.slice(sentPieces) : []) {
      await client.chat.appendStream({ channel, ts: ts as string, markdown_text: piece });
      sentPieces += 1;
      await saveProgress({ pieces: sentPieces }, true);
    }
    if (ts) await client.chat.stopStream({ channel, ts });
  } catch (error) {
    // Already stopped, either by an attempt whose response was lost or by the person.
    if (refusalOf(error) !== 'message_not_in_streaming_state') throw error;
  }
  await saveProgress({ streaming: false }, true);
}
