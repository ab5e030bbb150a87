import type { ChannelReferenceRow } from '../../../../models/channelReference.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { requireMember } from '../identity/people.ts';
import type { TeamsInstallation } from '../install/installations.ts';
import { findPersonal, findReference } from '../install/references.ts';
import type { Received } from '../platform/activity.ts';
import { placeOfConversation, type TeamsPlace } from '../platform/address.ts';

/** An activity and its origin, inside its account. */
export type Source = {
  installation: TeamsInstallation;
  activity: Received;
  place: TeamsPlace;
  /** The conversation's reference; null where the app is not in it, e.g. for a search in any chat. */
  reference(): Promise<ChannelReferenceRow | null>;
};

export function sourceOf(installation: TeamsInstallation, activity: Received): Source {
  const place = placeOfConversation(installation.row.key, activity.conversation.id);
  let read: Promise<ChannelReferenceRow | null> | undefined;
  // Lazy and cached: most messages are stored without it.
  const reference = () => {
    read ??= findReference(place);
    return read;
  };
  return { installation, activity, place, reference };
}

/**
 * The member who sent the activity. Where the app is not in the conversation, the roster of their personal chat is
 * used.
 * @throws AppError not_allowed for anyone else
 */
export async function requireSender({ installation, activity, reference }: Source): Promise<Who> {
  const userId = activity.from.id;
  const roster = (await reference()) ?? (await findPersonal(installation.row.key, { userId }));
  if (!roster) throw new AppError('not_allowed');
  return requireMember(installation, roster, userId);
}
