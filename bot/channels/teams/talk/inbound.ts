import type { Manner } from '../../../../models/contracts/turn.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { openConversation } from '../../../engine/conversations/conversations.ts';
import { acceptTurn } from '../../../engine/turns/acceptTurn.ts';
import { isOn, type TeamsInstallation } from '../install/installations.ts';
import { kindOf, type Received } from '../platform/activity.ts';
import { addressOf, placeOfConversation, platformIdOf, type TeamsPlace } from '../platform/address.ts';
import { attachedFiles } from './files.ts';
import { noteTyping } from './typing.ts';

const ENTITIES: Record<string, string> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** What a person typed: without the mention of the app itself, other mentions as their names, entities decoded. */
export function wordsOf({ text = '', entities = [], recipient }: Received): string {
  const own = entities.flatMap(({ type, text: mention, mentioned }) =>
    type === 'mention' &&
    (mentioned as { id?: string } | undefined)?.id === recipient.id &&
    typeof mention === 'string' &&
    mention !== ''
      ? [mention]
      : [],
  );
  const without = own.reduce((words, mention) => words.replaceAll(mention, ' '), text);
  return without
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

/** Whether a message is meant for an agent: in a personal chat always, elsewhere where the app is mentioned. */
export const isMeant = (activity: Received) => kindOf(activity) === 'personal' || isMentioned(activity);

/**
 * Hears a message: what was said is stored as a turn, before it is acknowledged. The activity's id names it, so that
 * what Teams sends twice is one turn.
 */
export async function hearMessage(installation: TeamsInstallation, activity: Received): Promise<void> {
  if (!isMeant(activity) || !(await isOn(installation))) return;
  await hear(installation, placeOfConversation(installation.row.key, activity.conversation.id), {
    userId: activity.from.id,
    text: wordsOf(activity),
    files: attachedFiles(activity),
    manner: 'said',
    eventId: `${activity.conversation.id}:${activity.id}`,
  });
}

export type Heard = {
  userId: string;
  text: string;
  files: { fileId: string; name: string }[];
  manner: Manner;
  eventId: string;
};

/** Stores what was said as a turn. */
export async function hear(installation: TeamsInstallation, place: TeamsPlace, heard: Heard): Promise<void> {
  const { row } = installation;
  if (!heard.text && heard.files.length === 0) return;
  await runInAccount(row.accountId, async () => {
    const address = addressOf(place);
    const conversation = await openConversation(row.accountId, address);
    noteTyping(installation, place);
    await acceptTurn(conversation, {
      channel: 'teams',
      address,
      speaker: { userId: null, platformId: platformIdOf(row.key, heard.userId), name: '' },
      text: heard.text,
      files: heard.files,
      manner: heard.manner,
      eventId: `${row.key}:${heard.eventId}`,
    });
  });
}
