import { logger } from '../../../../models/logger.ts';

/** Says something to one person. */
export type Respond = (said: { response_type: 'ephemeral'; replace_original: false; text: string }) => Promise<unknown>;

/** Slack gives up on what is not acknowledged in three seconds; what it gave up on has been done all the same. */
const ACKNOWLEDGE_MILLISECONDS = 2000;

/**
 * Waits for work as long as Slack does, and goes on with it after that.
 * @param work what is done; its words are for the person alone, null for none
 * @param respond says the words where they come too late for the acknowledgement
 * @returns the words; undefined where they come later
 */
export async function inTime(work: Promise<string | null>, respond: Respond): Promise<string | null | undefined> {
  let late = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late = true;
      resolve(undefined);
    }, ACKNOWLEDGE_MILLISECONDS);
  });
  const done = work.then((text) => {
    if (late && text) tell(respond, text);
    return text;
  });
  try {
    return await Promise.race([done, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says something to the person alone. A word that can't be said keeps nothing else from going on. */
export function tell(respond: Respond, text: string): Promise<void> {
  return respond({ response_type: 'ephemeral', replace_original: false, text }).then(
    () => undefined,
    (error: unknown) => logger.warn({ err: error }, 'a word could not be told'),
  );
}
