import { runInBackground } from '../../../models/background.ts';
import type { Manner } from '../../../models/contracts/turn.ts';
import { Conversation } from '../../../models/conversation.ts';
import { Message } from '../../../models/message.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { Turn } from '../../../models/turn.ts';
import { conversationKey, openConversation } from '../../engine/conversations/conversations.ts';
import { acceptTurn } from '../../engine/turns/acceptTurn.ts';
import { addressOf, isDirect, type SlackPlace } from './address.ts';
import { findInstallationFor, type SlackInstallation } from './installations.ts';
import { nameSession } from './sessionTitle.ts';
import { mentions, readWords } from './words.ts';

/** The origin of a request, as Bolt reports it. */
export type Source = {
  teamId?: string | undefined;
  enterpriseId?: string | undefined;
  isEnterpriseInstall?: boolean | undefined;
};

/** The installation behind an event; null where there is none any more. */
export const installationFrom = (source: Source) => findInstallationFor(source);

/** The fields of a message event that Arc reads. */
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
 * Stores a message event that is meant for the agent as a turn, before it is acknowledged. The `app_mention` and the
 * `message` event of a post, and Slack's retries of them, have the same channel and timestamp: they become one turn.
 */
export async function acceptSlackMessage(
  installation: SlackInstallation,
  event: SlackMessage,
  isMention: boolean,
): Promise<void> {
  const { tokens, row } = installation;
  const { channel, user, ts, thread_ts: thread, subtype, bot_id: bot } = event;
  if (!user || bot || user === tokens.botUserId || !READ_SUBTYPES.has(subtype)) return;
  const isNamed = isMention || mentions(event.text ?? '', tokens.botUserId);
  const place: SlackPlace = { key: row.key, channel, thread: thread ?? ts };
  await runInAccount(row.accountId, async () => {
    const isForAgent =
      isNamed || isDirect(channel) || (thread !== undefined && (await isOurThread(row.accountId, place)));
    if (!isForAgent) return;
    const text = readWords(event.text ?? '', tokens.botUserId);
    const files = event.files ?? [];
    const stored = await storeTurn(installation, place, {
      user,
      // A mention without a text asks what the agent can do.
      text: isNamed && !text && files.length === 0 ? 'help' : text,
      files,
      eventId: `${row.key}:${channel}:${ts}`,
      manner: isNamed || isDirect(channel) ? 'said' : 'overheard',
    });
    if (stored === 'first' && thread === undefined)
      runInBackground('naming a thread', nameSession(installation, place, text));
  });
}

/** Whether a thread belongs to the agent: messages are stored only where somebody who may has talked to it. */
async function isOurThread(accountId: number, place: SlackPlace): Promise<boolean> {
  const conversation = await Conversation.findOne(
    { accountId, key: conversationKey(addressOf(place)) },
    { _id: 1 },
  ).lean();
  if (!conversation) return false;
  return (await Message.exists({ accountId, conversationId: conversation._id })) !== null;
}

type TurnInput = {
  user: string;
  text: string;
  files: { id: string; name?: string | null }[];
  eventId: string;
  manner: Manner;
};

/** Whether an event has been stored as a turn. */
export const isStored = async (eventId: string) => (await Turn.exists({ channel: 'slack', eventId })) !== null;

/**
 * Stores a message as a turn. Must be called inside the account.
 * @returns `again` where the event is already stored; null for a message without text and files
 */
export async function storeTurn(
  installation: SlackInstallation,
  place: SlackPlace,
  input: TurnInput,
): Promise<'first' | 'again' | null> {
  const { row } = installation;
  if (!input.text && input.files.length === 0) return null;
  const address = addressOf(place);
  const conversation = await openConversation(row.accountId, address, isDirect(place.channel));
  const { first } = await acceptTurn(conversation, {
    channel: 'slack',
    address,
    speaker: { userId: null, platformId: `${row.key}:${input.user}`, name: '' },
    text: input.text,
    files: input.files.map(({ id, name }) => ({ fileId: id, name: name ?? 'upload' })),
    eventId: input.eventId,
    manner: input.manner,
  });
  return first ? 'first' : 'again';
}
