import { AppError } from '../../../../models/contracts/errors.ts';
import { logger } from '../../../../models/logger.ts';

/** Says something to one person. */
export type Respond = (said: { response_type: 'ephemeral'; replace_original: false; text: string }) => Promise<unknown>;

/** Slack gives up on what is not acknowledged in three seconds; what it gave up on has been done all the same. */
const ACKNOWLEDGE_MILLISECONDS = 2000;

/** @returns what the work gives; undefined where it takes longer than Slack can be kept waiting */
async function within<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ACKNOWLEDGE_MILLISECONDS, undefined);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for work as long as Slack does, and goes on with it after that.
 * @param work what is done; its words are for the person alone, null for none
 * @param respond says the words where they come too late for the acknowledgement
 * @returns the words; undefined where they come later
 */
export async function inTime(work: Promise<string | null>, respond: Respond): Promise<string | null | undefined> {
  const told = await within(work);
  if (told === undefined) tellLater(work, respond);
  return told;
}

function tellLater(work: Promise<string | null>, respond: Respond): void {
  work.then(
    (text) => (text ? tell(respond, text) : undefined),
    (error: unknown) => logger.error({ err: error }, 'what Slack no longer waited for failed'),
  );
}

/**
 * The same for work that has nothing to say: what fails in time is not acknowledged, so that Slack sends it again.
 * @throws whatever the work throws in time
 */
export async function doneInTime(work: Promise<void>): Promise<void> {
  await inTime(
    work.then(() => null),
    async () => undefined,
  );
}

/**
 * What has to be known before anything is done, because a form is told at once how it fared.
 * @throws AppError not_available where Slack takes too long: nothing has been done, and the form stays as it is
 */
export async function knownInTime<T>(work: Promise<T>): Promise<T> {
  const known = await within(work.then((value) => ({ value })));
  // Heard by nobody any more.
  work.catch((error: unknown) => logger.debug({ err: error }, 'asked of Slack too late'));
  if (known) return known.value;
  throw new AppError('not_available', { text: 'Slack takes its time just now. Nothing is lost: please try again.' });
}

/** Says something to the person alone. A word that can't be said keeps nothing else from going on. */
export function tell(respond: Respond, text: string): Promise<void> {
  return respond({ response_type: 'ephemeral', replace_original: false, text }).then(
    () => undefined,
    (error: unknown) => logger.warn({ err: error }, 'a word could not be told'),
  );
}
