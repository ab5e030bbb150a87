import { endReferences, refreshReference } from '../install/references.ts';
import { happenedAt } from '../platform/activity.ts';
import type { Source } from './source.ts';

/** The app was installed in a chat or team, or removed from it. */
export async function onInstallation({ installation, activity, place }: Source): Promise<void> {
  // An upgrade is also reported as a removal and an installation, with actions of their own.
  if (activity.action === 'remove') await endPlace({ installation, activity, place });
  else if (activity.action !== 'remove-upgrade') await refreshReference(installation, activity, true);
}

/** Members were added or removed; for the app itself, the reference starts or ends. */
export async function onConversationUpdate({ installation, activity, place }: Source): Promise<void> {
  const { membersAdded = [], membersRemoved = [], recipient, channelData } = activity;
  const isRemoved = membersRemoved.some(({ id }) => id === recipient.id) || channelData?.eventType === 'teamDeleted';
  const { channel } = channelData ?? {};
  if (isRemoved) await endPlace({ installation, activity, place });
  // The team's other channels stay.
  else if (channelData?.eventType === 'channelDeleted' && channel?.id)
    await endReferences(installation, { conversationId: channel.id }, happenedAt(activity));
  else
    await refreshReference(
      installation,
      activity,
      membersAdded.some(({ id }) => id === recipient.id),
    );
}

/** Ends the references of the place and, in a team, of all its channels. */
async function endPlace({ installation, activity, place }: Pick<Source, 'installation' | 'activity' | 'place'>) {
  const teamId = activity.channelData?.team?.id;
  if (teamId) await endReferences(installation, { teamId }, happenedAt(activity));
  await endReferences(installation, { conversationId: place.conversationId }, happenedAt(activity));
}
