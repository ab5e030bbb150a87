import type { ChannelReferenceRow } from '../../../../models/channelReference.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { findInstallation, type TeamsInstallation } from '../install/installations.ts';
import { endReferences, findReference } from '../install/references.ts';
import type { TeamsPlace } from '../platform/address.ts';
import { refusalOf } from '../platform/refusal.ts';

/** A place that the app is in, with the records for sending there. */
export type ReachablePlace = { installation: TeamsInstallation; reference: ChannelReferenceRow; place: TeamsPlace };

/** @throws PermanentError where the app is no longer there */
export async function requireReachable(place: TeamsPlace): Promise<ReachablePlace> {
  const installation = await findInstallation(place.key);
  if (!installation) throw new PermanentError('Teams is no longer connected for this conversation.');
  const reference = await findReference(place);
  if (!reference) throw new PermanentError('The app was removed from this conversation in Teams.');
  return { installation, reference, place };
}

/** Runs work that sends to a place. If Teams says that the conversation is gone, its reference is ended. */
export async function runInPlace<T>(place: TeamsPlace, run: (reachable: ReachablePlace) => Promise<T>): Promise<T> {
  const reachable = await requireReachable(place);
  try {
    return await run(reachable);
  } catch (error) {
    // A 404 in a thread may mean only the thread; the channel's reference stays.
    const refusal = refusalOf(error);
    const isThreadOnly = place.thread !== null && refusal?.answered === 404;
    if (refusal?.isGone && !isThreadOnly) {
      await endReferences(reachable.installation, { conversationId: place.conversationId });
    }
    throw error;
  }
}
