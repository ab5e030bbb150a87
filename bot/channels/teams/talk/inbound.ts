import type { Manner } from '../../../../models/contracts/turn.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { acceptTurn } from '../../../engine/turns/acceptTurn.ts';
import { isOn, type TeamsInstallation } from '../install/installations.ts';
import { kindOf, type Received } from '../platform/activity.ts';
import { addressOf, placeOfConversation, platformIdOf, type TeamsPlace } from '../platform/address.ts';
import { attachedFiles } from './files.ts';
import { scheduleTyping } from './typing.ts';

const ENTITIES: Record<string, string> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** The text of a message without mentions of the app; other mentions become names, and entities are decoded. */
export function wordsOf({ text = '', entities = [], recipient }: Received): string {
  const ownMentions = entities.flatMap(({ type, text: mention, mentioned }) =>
    type === 'mention' &&
    (mentioned as { id?: string } | undefined)?.id === recipient.id &&
    typeof mention === 'string' &&
    mention !== ''
      ? [mention]
      : [],
  );
  const withoutOwn = ownMentions.reduce((remaining, mention) => remaining.replaceAll(mention, ' '), text);
  return withoutOwn
    .replace(/<at\b[^<>]*>/gi, '@')
    .replace(/<\/at>/gi, '')
    .replace(/&(nbsp|lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** Whether the app itself is mentioned. */
const isMentioned = ({ entities = [], recipient }: Received) =>
  entities.some(({ type, mentioned }) => type === 'mention' && (mentioned as { id?: string })?.id === recipient.id);

/** Whether a message is for an agent: always in a personal chat, elsewhere if it mentions the app. */
export const isForAgent = (activity: Received) => kindOf(activity) === 'personal' || isMentioned(activity);

/**
 * Stores a message for an agent as a turn, before it is acknowledged. The activity's id is its key, so that a message
 * that Teams sends twice becomes one turn.
 */
export async function acceptTeamsMessage(installation: TeamsInstallation, activity: Received): Promise<void> {
  if (!isForAgent(activity) || !(await isOn(installation))) return;
  await storeTurn(installation, placeOfConversation(installation.row.key, activity.conversation.id), {
    userId: activity.from.id,
    text: wordsOf(activity),
    files: attachedFiles(activity),
    manner: 'said',
    eventId: `${activity.conversation.id}:${activity.id}`,
  });
}

type TurnInput = {
  userId: string;
  text: string;
  files: { fileId: string; name: string }[];
  manner: Manner;
  eventId: string;
};

/** Stores a message as a turn. Does nothing for one without text and files. */
export async function storeTurn(installation: TeamsInstallation, place: TeamsPlace, input: TurnInput): Promise<void> {
  const { row } = installation;
  if (!input.text && input.files.length === 0) return;
  await runInAccount(row.accountId, async () => {
    const address = addressOf(place);
    const conversation = await openConversation(row.accountId, address);
    scheduleTyping(installation, place);
    await acceptTurn(conversation, {
      channel: 'teams',
      address,
      speaker: { userId: null, platformId: platformIdOf(row.key, input.userId), name: '' },
      text: input.text,
      files: input.files,
      manner: input.manner,
      eventId: `${row.key}:${input.eventId}`,
    });
  });
}
