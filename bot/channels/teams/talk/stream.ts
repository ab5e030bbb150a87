import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '../../../../models/logger.ts';
import { splitText } from '../../../engine/delivery/splitText.ts';
import type { Activity, Target } from '../platform/activity.ts';
import { connector } from '../platform/connector.ts';
import { refusalOf, type TeamsRefusal } from '../platform/refusal.ts';

/** Shorter texts are sent at once. */
const MIN_STREAM_LENGTH = 600;
/** Teams allows one update a second (docs/platforms.md). */
const UPDATE_INTERVAL_MS = 1000;
const MAX_UPDATES = 3;

/** Statuses with which Teams refuses a stream (docs/platforms.md). */
const STREAM_REFUSALS = new Set([400, 403]);

/** Whether a started stream has ended: stopped by the reader or complete. A stream over its time limit has not. */
const isEnded = ({ code, words }: TeamsRefusal) => code === 'ContentStreamNotAllowed' && !/exceeded/i.test(words);

/** Whether a stream has ended because its message is complete. */
const isCompleted = ({ words }: TeamsRefusal) => /already completed/i.test(words);

/** Whether an activity can be streamed: a long text without attachments. */
export const canStream = ({ text, attachments }: Activity) => !attachments && (text?.length ?? 0) >= MIN_STREAM_LENGTH;

/** A stream that was begun while its message was written. */
export type StreamState = {
  streamId?: string;
  /** Number of the last update. */
  sequence?: number;
  /** The text that Teams may show. */
  shown?: string;
  /** When the last update was sent, in milliseconds since 1970. */
  at?: number;
};

/** The state of a stream, as its activities carry it. A last message has no number. */
export const streamInfo = (streamType: string, streamId: string | null, streamSequence?: number) => ({
  type: 'streaminfo',
  streamType,
  ...(streamSequence === undefined ? {} : { streamSequence }),
  ...(streamId ? { streamId } : {}),
});

/** Whether a refusal says that the reader pressed Stop. */
export const isStopped = (refusal: TeamsRefusal) => isEnded(refusal) && /cancel/i.test(refusal.words);

/**
 * Completes a stream that was begun while its message was written. A message that does not begin with what was shown
 * replaces it.
 * @returns the message's id, also if the reader stopped it; null where the message must be sent without the stream
 */
export async function completeStream(target: Target, activity: Activity, state: StreamState): Promise<string | null> {
  const { streamId, shown = '', at = 0 } = state;
  if (!streamId) return null;
  await wait(Math.max(0, at + UPDATE_INTERVAL_MS - Date.now()));
  const isGrown = activity.text?.startsWith(shown) && !activity.attachments;
  const last = isGrown ? activity : { type: 'message', text: shown || PLACEHOLDER };
  try {
    const entities = [streamInfo('final', streamId), ...(last.entities ?? [])];
    await connector().send(target, { ...last, entities });
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal || !STREAM_REFUSALS.has(refusal.answered)) throw error;
    logger.debug({ err: error }, 'Teams refused the end of a stream');
    // A retry after a lost answer finds the message complete; a stopped one stays as its reader left it.
    return isStopped(refusal) || isCompleted(refusal) ? streamId : null;
  }
  if (!isGrown) await connector().update(target, streamId, activity);
  return streamId;
}
const PLACEHOLDER = '…';

/** The stream of an earlier, failed attempt, and how a started stream is saved. */
type Attempt = { streamId: string | null; keep(streamId: string): Promise<void> };

/**
 * Streams a long text in a personal chat: each update repeats the earlier text and adds to it, and the last one is the
 * message itself. A stream from a failed attempt is finished at once with the whole message.
 * @returns the message's id, also if the reader stopped it; null where the message must be sent without streaming
 */
export async function streamText(target: Target, activity: Activity, saved: Attempt): Promise<string | null> {
  const text = activity.text ?? '';
  const pieces = saved.streamId ? [] : splitText(text, Math.ceil(text.length / (MAX_UPDATES + 1)) + 1);
  let streamId = saved.streamId;
  let shown = 0;
  try {
    for (const [index, piece] of pieces.slice(0, MAX_UPDATES).entries()) {
      shown = text.indexOf(piece, shown) + piece.length;
      const info = streamInfo('streaming', streamId, index + 1);
      const id = await connector().send(target, { type: 'typing', text: text.slice(0, shown), entities: [info] });
      if (!streamId && id) await saved.keep(id);
      streamId ??= id;
      await wait(UPDATE_INTERVAL_MS);
    }
    const last = streamInfo('final', streamId);
    const id = await connector().send(target, { ...activity, entities: [last, ...(activity.entities ?? [])] });
    return id || streamId || null;
  } catch (error) {
    // Only a refusal of streaming is handled here; the outbox retries anything else.
    const refusal = refusalOf(error);
    if (!refusal || !STREAM_REFUSALS.has(refusal.answered)) throw error;
    logger.debug({ err: error }, 'Teams refused a stream');
    if (!streamId || !isEnded(refusal)) return null;
    return streamId;
  }
}
