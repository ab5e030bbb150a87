import { runInBackground } from '../../../../models/background.ts';
import { logger } from '../../../../models/logger.ts';
import { makeCache } from '../../../../models/store/cache.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import type { TeamsInstallation } from '../install/installations.ts';
import { findReference, targetOf } from '../install/references.ts';
import { conversationIdOf, type TeamsPlace } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';

/** A reply within this time shows no typing indicator, which Teams would keep for a few seconds. */
const DELAY_MS = 600;
/** Typing indicators count against the rate limit of a conversation, so they are sent at most this often. */
const REPEAT_AFTER_MS = 3000;

const keyOf = (place: TeamsPlace) => `${place.key}/${conversationIdOf(place)}`;
const timers = new Map<string, NodeJS.Timeout>();
const shown = makeCache<string, true>(REPEAT_AFTER_MS);

/** Shows a typing indicator soon, unless a message is sent first. */
export function scheduleTyping(installation: TeamsInstallation, place: TeamsPlace): void {
  const key = keyOf(place);
  if (timers.has(key)) return;
  const timer = setTimeout(() => {
    timers.delete(key);
    runInBackground('showing typing', showTyping(installation, place));
  }, DELAY_MS);
  timers.set(key, timer.unref());
}

/** Cancels the typing indicator, because a message is being sent. */
export function cancelTyping(place: TeamsPlace): void {
  const key = keyOf(place);
  clearTimeout(timers.get(key));
  timers.delete(key);
}

/** Shows a typing indicator. Best effort; never throws. */
export async function showTyping(installation: TeamsInstallation, place: TeamsPlace): Promise<void> {
  const key = keyOf(place);
  if (shown.get(key)) return;
  shown.set(key, true);
  try {
    await runInAccount(installation.row.accountId, async () => {
      const reference = await findReference(place);
      if (reference) await connector().send(targetOf(installation, reference, place), { type: 'typing' });
    });
  } catch (error) {
    logger.debug({ err: error }, 'could not show typing');
  }
}
