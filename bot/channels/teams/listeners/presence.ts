import { endReferences, refreshReference } from '../install/references.ts';
import { happenedAt } from '../platform/activity.ts';
import type { Source } from './source.ts';

/** The app was installed or removed: in a chat, a person's own, or a team. */
export async function onInstallation({ installation, activity, place }: Source): Promise<void> {
  // An app that is brought up to date is removed and added too; only what is no upgrade is a leave.
  if (activity.action === 'remove') await leave({ installation, activity, place });
  else if (activity.action !== 'remove-upgrade') await refreshReference(installation, activity, true);
}

/** Who came and went; where it is the app itself, the conversation begins or ends. */
export async function onConversationUpdate({ installation, activity, place }: Source): Promise<void> {
  const { membersAdded = [], membersRemoved = [], recipient, channelData } = activity;
  const left = membersRemoved.some(({ id }) => id === recipient.id) || channelData?.eventType === 'teamDeleted';
  const { channel } = channelData ?? {};
  if (left) await leave({ installation, activity, place });
  // One channel of a team is gone; the others stay.
  else if (channelData?.eventType === 'channelDeleted' && channel?.id)
    await endReferences(installation, { conversationId: channel.id }, happenedAt(activity));
  else
    await refreshReference(
      installation,
      activity,
      membersAdded.some(({ id }) => id === recipient.id),
    );
}

/** Removed from a team, the app is gone from all its channels. */
async function leave({ installation, activity, place }: Pick<Source, 'installation' | 'activity' | 'place'>) {
  const teamId = activity.channelData?.team?.id;
  if (teamId) await endReferences(installation, { teamId }, happenedAt(activity));
  await endReferences(installation, { conversationId: place.conversationId }, happenedAt(activity));
}
