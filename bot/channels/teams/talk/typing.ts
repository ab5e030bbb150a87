import { runInBackground } from '../../../../models/background.ts';
import { logger } from '../../../../models/logger.ts';
import { makeCache } from '../../../../models/store/cache.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import type { TeamsInstallation } from '../install/installations.ts';
import { findReference, targetOf } from '../install/references.ts';
import { conversationIdOf, type TeamsPlace } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';

/** What is answered within this time shows no sign of typing; Teams itself shows one for a few seconds. */
const WAIT_MILLISECONDS = 600;
/** Teams limits what an app may send to a conversation: a sign of typing is not worth more than this often. */
const AGAIN_MILLISECONDS = 3000;

const nameOf = (place: TeamsPlace) => `${place.key}/${conversationIdOf(place)}`;
const timers = new Map<string, NodeJS.Timeout>();
const shown = makeCache<string, true>(AGAIN_MILLISECONDS);

/** Shows soon that an agent is at work, unless something is said before. */
export function noteTyping(installation: TeamsInstallation, place: TeamsPlace): void {
  const name = nameOf(place);
  if (timers.has(name)) return;
  const timer = setTimeout(() => {
    timers.delete(name);
    runInBackground('a sign of typing', showTyping(installation, place));
  }, WAIT_MILLISECONDS);
  timers.set(name, timer.unref());
}

/** Something is being said: there is nothing to announce any more. */
export function endTyping(place: TeamsPlace): void {
  const name = nameOf(place);
  clearTimeout(timers.get(name));
  timers.delete(name);
}

/** Shows that an agent is at work; may be dropped. Never throws. */
export async function showTyping(installation: TeamsInstallation, place: TeamsPlace): Promise<void> {
  const name = nameOf(place);
  if (shown.get(name)) return;
  shown.set(name, true);
  try {
    await runInAccount(installation.row.accountId, async () => {
      const reference = await findReference(place);
      if (reference) await connector().send(targetOf(installation, reference, place), { type: 'typing' });
    });
  } catch (error) {
    logger.debug({ err: error }, 'typing could not be shown');
  }
}
