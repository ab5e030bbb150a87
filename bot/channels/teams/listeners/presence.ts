import { endReferences, refreshReference } from '../references.ts';
import type { Source } from './source.ts';

/** The app was installed or removed: in a chat, a person's own, or a team. */
export async function onInstallation({ installation, activity, place }: Source): Promise<void> {
  if (activity.action?.startsWith('remove')) await leave({ installation, activity, place });
  else await refreshReference(installation, activity);
}

/** Who came and went; where it is the app itself, the conversation begins or ends. */
export async function onConversationUpdate({ installation, activity, place }: Source): Promise<void> {
  const { membersRemoved = [], recipient, channelData } = activity;
  const left = membersRemoved.some(({ id }) => id === recipient.id) || channelData?.eventType === 'teamDeleted';
  if (left) await leave({ installation, activity, place });
  else await refreshReference(installation, activity);
}

/** Removed from a team, the app is gone from all its channels. */
async function leave({ installation, activity, place }: Pick<Source, 'installation' | 'activity' | 'place'>) {
  const teamId = activity.channelData?.team?.id;
  if (teamId) await endReferences(installation, { teamId });
  await endReferences(installation, { conversationId: place.conversationId });
}
