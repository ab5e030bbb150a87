import type { ChannelReferenceRow } from '../../../../models/channelReference.ts';
import { findInstallation, type TeamsInstallation } from '../install/installations.ts';
import { endReferences, findReference } from '../install/references.ts';
import type { TeamsPlace } from '../platform/address.ts';
import { TeamsRefusal } from '../platform/refusal.ts';

/** A conversation that the app is in. */
export type Reached = { installation: TeamsInstallation; reference: ChannelReferenceRow; place: TeamsPlace };

/** What ends a delivery for good: there is nobody to say it to any more. */
const unreachable = (message: string) => Object.assign(new Error(message), { permanent: true });

/** @throws an error for good where the app is not there any more */
export async function reach(place: TeamsPlace): Promise<Reached> {
  const installation = await findInstallation(place.key);
  if (!installation) throw unreachable('Teams is not connected for this conversation any more.');
  const reference = await findReference(place);
  if (!reference) throw unreachable('The app was removed from this conversation in Teams.');
  return { installation, reference, place };
}

/** Sends into a conversation; where Teams says that the app is not there any more, it is ended. */
export async function within<T>(place: TeamsPlace, run: (reached: Reached) => Promise<T>): Promise<T> {
  const reached = await reach(place);
  try {
    return await run(reached);
  } catch (error) {
    // A thread that is gone ends alone: its channel goes on.
    const threadAlone = place.thread !== null && (error as TeamsRefusal).answered === 404;
    if (error instanceof TeamsRefusal && error.gone && !threadAlone) {
      await endReferences(reached.installation, { conversationId: place.conversationId });
    }
    throw error;
  }
}
