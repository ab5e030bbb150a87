import type { ChannelReferenceRow } from '../../../../models/channelReference.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { findInstallation, type TeamsInstallation } from '../install/installations.ts';
import { endReferences, findReference } from '../install/references.ts';
import type { TeamsPlace } from '../platform/address.ts';
import { refusalOf } from '../platform/refusal.ts';

/** A conversation that the app is in. */
export type Reached = { installation: TeamsInstallation; reference: ChannelReferenceRow; place: TeamsPlace };

/** @throws PermanentError where the app is not there any more */
export async function reach(place: TeamsPlace): Promise<Reached> {
  const installation = await findInstallation(place.key);
  if (!installation) throw new PermanentError('Teams is not connected for this conversation any more.');
  const reference = await findReference(place);
  if (!reference) throw new PermanentError('The app was removed from this conversation in Teams.');
  return { installation, reference, place };
}

/** Sends into a conversation; where Teams says that the app is not there any more, it is ended. */
export async function within<T>(place: TeamsPlace, run: (reached: Reached) => Promise<T>): Promise<T> {
  const reached = await reach(place);
  try {
    return await run(reached);
  } catch (error) {
    // A thread that is gone ends alone: its channel goes on.
    const refusal = refusalOf(error);
    const threadAlone = place.thread !== null && refusal?.answered === 404;
    if (refusal?.gone && !threadAlone) {
      await endReferences(reached.installation, { conversationId: place.conversationId });
    }
    throw error;
  }
}
