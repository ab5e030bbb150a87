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

/** Under which name an agent speaks. */
export const personaOf = (agentId: string | null, agentName: string | null) => {
  const username = nameOf({ agentId, agentName });
  const picture = pictureOf({ agentId, agentName });
  return username ? { username, ...(picture ? { icon_url: picture } : {}) } : {};
};

/** How much of a message is in Slack: what a second try goes on from. */
type Come = {
  channel: string;
  /** The first post; what a question's redraw and a thread's replies refer to. */
  ts: string | null;
  posts: number;
  files: number;
  /** A stream that was begun and not yet ended, and how many of its pieces are out. */
  streaming?: boolean;
  pieces?: number;
};

/**
 * Says one message: figures, words, buttons; what is long in several posts; files as files. What was sent is kept
 * after each part, so that a second try goes on where the first broke off.
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
  const told = messageUnder(await consentFor(conversation.accountId, 'slack'), message);
  let come: Come = { channel, ts: null, posts: 0, files: 0, ...reference };
  const reach = async (further: Partial<Come>, said: boolean) => {
    come = { ...come, ...further };
    // With nothing left to send, the outbox keeps it itself.
    const done = said && !come.streaming && come.files === told.attachments.length;
    if (!done) await keep(come, said);
  };
  if (come.posts === 0 || come.streaming) await streamReply(installation, conversation, message, told, come, reach);
  const posts = come.streaming === undefined ? messagePosts(told) : [];
  for (const [index, post] of posts.entries()) {
    if (index < come.posts) continue;
    const answer = await client.chat.postMessage({
      channel,
      ...threaded,
      ...post,
      ...personaOf(message.agentId, message.agentName),
      unfurl_links: false,
      unfurl_media: false,
    });
    await reach({ ts: come.ts ?? answer.ts ?? null, posts: index + 1 }, index === posts.length - 1);
  }
  for (const [index, { name }] of told.attachments.entries()) {
    if (index < come.files) continue;
    const file = await readDownload(conversation.accountId, name);
    if (file)
      await client.filesUploadV2({ channel_id: channel, ...threaded, file: file.bytes, filename: name } as never);
    await reach({ files: index + 1 }, true);
  }
  return come;
}

/** A text in pieces that are the text again when they are put together. */
function piecesOf(text: string): string[] {
  let from = 0;
  return splitText(text, PIECE).map((piece) => {
    const end = text.indexOf(piece, from) + piece.length;
    const whole = text.slice(from, end);
    from = end;
    return whole;
  });
}

/** Refusals that say that a workspace's Slack does not stream, whatever is said. */
const NO_STREAMS = new Set(['unknown_method', 'method_not_supported_for_channel_type', 'feature_not_enabled']);
/** Workspaces that have said so; asked once in the life of the process. */
const withoutStreams = new Set<string>();
const STREAMED = 12_000;
/** What is longer is shown bit by bit. */
const PIECE = 600;

/**
 * Streams a reply into the agent view, where Slack can. Elsewhere a stream needs to name one person as its reader,
 * which a channel is not. Where Slack refuses, the message is posted instead.
 */
async function streamReply(
  installation: SlackInstallation,
  conversation: ConversationRow,
  message: MessageRow,
  { text, card }: ReturnType<typeof messageUnder>,
  come: Come,
  reach: (further: Partial<Come>, said: boolean) => Promise<void>,
): Promise<void> {
  const { key, channel, thread } = placeOf(conversation.address);
  const plain = message.kind === 'text' && !card && text.length <= STREAMED;
  const client = clientOf(installation);
  const pieces = piecesOf(escapeText(text));
  let { ts, pieces: shown = 1 } = come;
  if (!come.streaming) {
    if (!plain || !thread || !isDirect(channel) || withoutStreams.has(key)) return;
    try {
      const begun = await client.chat.startStream({
        channel,
        thread_ts: thread,
        markdown_text: pieces[0] ?? '',
        ...personaOf(message.agentId, message.agentName),
      } as never);
      ts = begun.ts ?? null;
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      if (NO_STREAMS.has(refusal)) withoutStreams.add(key);
      return;
    }
    await reach({ ts, posts: 1, streaming: true, pieces: shown }, true);
  }
  try {
    for (const piece of ts ? pieces.slice(shown) : []) {
      await client.chat.appendStream({ channel, ts: ts as string, markdown_text: piece });
      shown += 1;
      await reach({ pieces: shown }, true);
    }
    if (ts) await client.chat.stopStream({ channel, ts });
  } catch (error) {
    // Ended by a try before this one whose answer was lost, or by the person.
    if (refusalOf(error) !== 'message_not_in_streaming_state') throw error;
  }
  await reach({ streaming: false }, true);
}
