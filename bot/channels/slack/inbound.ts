import type { Manner } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';
import { conversationKey, openConversation } from '../../engine/conversations/conversations.ts';
import { acceptTurn } from '../../engine/turns/acceptTurn.ts';
import { addressOf, isDirect, type SlackPlace } from './address.ts';
import { findInstallationFor, type SlackInstallation } from './installations.ts';
import { mentions, readWords } from './words.ts';

/** What Bolt knows of where something comes from. */
export type Source = {
  teamId?: string | undefined;
  enterpriseId?: string | undefined;
  isEnterpriseInstall?: boolean | undefined;
};

/** The installation behind an event; null where it has ended. */
export const installationFrom = (source: Source) => findInstallationFor(source);

/** A message event, as far as Arc reads it. */
export type SlackMessage = {
  channel: string;
  user?: string | undefined;
  text?: string | undefined;
  ts: string;
  thread_ts?: string | undefined;
  subtype?: string | undefined;
  bot_id?: string | undefined;
  files?: { id: string; name?: string | null }[] | undefined;
};

const READ_SUBTYPES = new Set([undefined, 'file_share', 'thread_broadcast']);

/**
 * Hears a message event: what was said to the agent is stored as a turn, before it is acknowledged. `app_mention` and
 * `message` of one post carry the same channel and timestamp, and so do Slack's retries: each post is one turn.
 */
export async function hearMessage(
  installation: SlackInstallation,
  event: SlackMessage,
  mentioned: boolean,
): Promise<void> {
  const { tokens, row } = installation;
  const { channel, user, ts, thread_ts: thread, subtype, bot_id: bot } = event;
  if (!user || bot || user === tokens.botUserId || !READ_SUBTYPES.has(subtype)) return;
  const named = mentioned || mentions(event.text ?? '', tokens.botUserId);
  const place: SlackPlace = { key: row.key, channel, thread: thread ?? ts };
  await runInAccount(row.accountId, async () => {
    const meant = named || isDirect(channel) || (thread !== undefined && (await isOurThread(row.accountId, place)));
    if (!meant) return;
    const text = readWords(event.text ?? '', tokens.botUserId);
    const files = event.files ?? [];
    await hear(installation, place, {
      user,
      // Who only calls its name wants to know what it can do.
      text: named && !text && files.length === 0 ? 'help' : text,
      files,
      eventId: `${row.key}:${channel}:${ts}`,
      manner: named || isDirect(channel) ? 'said' : 'overheard',
    });
  });
}

/** A reply in a thread is meant for the agent where somebody who may has spoken with it there. */
async function isOurThread(accountId: number, place: SlackPlace): Promise<boolean> {
  const conversation = await Conversation.findOne(
    { accountId, key: conversationKey(addressOf(place)) },
    { _id: 1 },
  ).lean();
  if (!conversation) return false;
  return (await Message.exists({ accountId, conversationId: conversation._id })) !== null;
}

export type Heard = {
  user: string;
  text: string;
  files: { id: string; name?: string | null }[];
  eventId: string;
  manner: Manner;
};

/** Whether an event has been stored. */
export const isHeard = async (eventId: string) => (await Turn.exists({ channel: 'slack', eventId })) !== null;

/**
 * Stores what was said as a turn. Must be called inside the account.
 * @returns again where the same event is there already; null where nothing was said
 */
export async function hear(
  installation: SlackInstallation,
  place: SlackPlace,
  heard: Heard,
): Promise<'first' | 'again' | null> {
  const { row } = installation;
  if (!heard.text && heard.files.length === 0) return null;
  const address = addressOf(place);
  const conversation = await openConversation(row.accountId, address, isDirect(place.channel));
  const { first } = await acceptTurn(conversation, {
    channel: 'slack',
    address,
    speaker: { userId: null, platformId: `${row.key}:${heard.user}`, name: '' },
    text: heard.text,
    files: heard.files.map(({ id, name }) => ({ fileId: id, name: name ?? 'upload' })),
    eventId: heard.eventId,
    manner: heard.manner,
  });
  return first ? 'first' : 'again';
}
