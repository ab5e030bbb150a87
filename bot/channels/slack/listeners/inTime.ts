import { AppError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';

/** Sends a reply that only one person sees. */
export type Respond = (said: { response_type: 'ephemeral'; replace_original: false; text: string }) => Promise<unknown>;

/** Slack gives up on a request that is not acknowledged within three seconds; the work still finishes. */
const ACKNOWLEDGE_TIMEOUT_MS = 2000;

/** @returns the result of the work; undefined if it takes longer than Slack waits */
async function waitFor<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ACKNOWLEDGE_TIMEOUT_MS, undefined);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work as long as Slack does; after that the work continues in the background.
 * @param work resolves to a reply for the person alone; null for none
 * @param respond sends a reply that is too late for the acknowledgement
 * @returns the reply; undefined if it will be sent later
 */
export async function replyInTime(work: Promise<string | null>, respond: Respond): Promise<string | null | undefined> {
  const reply = await waitFor(work);
  if (reply === undefined) replyLater(work, respond);
  return reply;
}

function replyLater(work: Promise<string | null>, respond: Respond): void {
  work.then(
    (text) => (text ? sendReply(respond, text) : undefined),
    (error: unknown) => logger.error({ err: error }, 'work failed after Slack stopped waiting'),
  );
}

/**
 * The same for work without a reply. A failure in time is thrown, so that the event is not acknowledged and Slack sends
 * it again.
 */
export async function finishInTime(work: Promise<void>): Promise<void> {
  await replyInTime(
    work.then(() => null),
    async () => undefined,
  );
}

/**
 * Loads data that a form needs before anything is changed, because a form gets its result only in the acknowledgement.
 * @throws AppError not_available where Slack takes too long: nothing has been changed, and the form stays as it is
 */
export async function loadInTime<T>(work: Promise<T>): Promise<T> {
  const known = await waitFor(work.then((value) => ({ value })));
  // Nobody awaits the work any more, so a late failure is handled here.
  work.catch((error: unknown) => logger.debug({ err: error }, 'a late request to Slack failed'));
  if (known) return known.value;
  throw new AppError('not_available', { text: 'Slack is responding slowly. Nothing is lost; please try again.' });
}

/** Sends a reply to the person alone. A failure is only logged. */
export function sendReply(respond: Respond, text: string): Promise<void> {
  return respond({ response_type: 'ephemeral', replace_original: false, text }).then(
    () => undefined,
    (error: unknown) => logger.warn({ err: error }, 'could not send a reply'),
  );
}
