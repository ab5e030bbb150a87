import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '../../../../models/logger.ts';
import { splitText } from '../../../engine/delivery/splitText.ts';
import type { Activity, Target } from '../platform/activity.ts';
import { connector } from '../platform/connector.ts';
import { refusalOf, type TeamsRefusal } from '../platform/refusal.ts';

/** What is shorter is read in one go, and is said in one. */
const STREAMED_FROM = 600;
/** Teams takes one update a second (docs/platforms.md). */
const EACH_MILLISECONDS = 1000;
const MOST_UPDATES = 3;

/** How Teams refuses a stream: not there, not any more, or not so (docs/platforms.md). */
const REFUSALS = new Set([400, 403]);

/** Whether a stream that was begun is over: stopped by the person who read it, or complete. Too slow, it is neither. */
const isEnded = ({ code, words }: TeamsRefusal) => code === 'ContentStreamNotAllowed' && !/exceeded/i.test(words);

/** Whether words are worth streaming: they are long, and stand alone. */
export const canStream = ({ text, attachments }: Activity) => !attachments && (text?.length ?? 0) >= STREAMED_FROM;

/** A stream that an earlier try began and that broke off, and how it is kept that one is begun. */
type Begun = { streamId: string | null; keep(streamId: string): Promise<void> };

/**
 * Says long words bit by bit, in a personal chat: each update holds what was shown before, in order, and the last is the
 * message itself. A stream that broke off is ended by its message at once, which holds all of it.
 * @returns the message's id, also of one that its reader stopped; null where it has to be sent in one go
 */
export async function streamText(target: Target, activity: Activity, begun: Begun): Promise<string | null> {
  const text = activity.text ?? '';
  const pieces = begun.streamId ? [] : splitText(text, Math.ceil(text.length / (MOST_UPDATES + 1)) + 1);
  let streamId = begun.streamId;
  let shown = 0;
  try {
    for (const [index, piece] of pieces.slice(0, MOST_UPDATES).entries()) {
      shown = text.indexOf(piece, shown) + piece.length;
      const info = {
        type: 'streaminfo',
        streamType: 'streaming',
        streamSequence: index + 1,
        ...(streamId ? { streamId } : {}),
      };
      const id = await connector().send(target, { type: 'typing', text: text.slice(0, shown), entities: [info] });
      if (!streamId && id) await begun.keep(id);
      streamId ??= id;
      await wait(EACH_MILLISECONDS);
    }
    const last = { type: 'streaminfo', streamType: 'final', ...(streamId ? { streamId } : {}) };
    const id = await connector().send(target, { ...activity, entities: [last] });
    return id || streamId || null;
  } catch (error) {
    // Only a refusal of streaming itself: anything else is for the outbox to try again.
    const refusal = refusalOf(error);
    if (!refusal || !REFUSALS.has(refusal.answered)) throw error;
    logger.debug({ err: error }, 'Teams does not stream here');
    if (!streamId || !isEnded(refusal)) return null;
    return streamId;
  }
}
