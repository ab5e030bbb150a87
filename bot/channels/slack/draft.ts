import type { ConversationRow } from '../../../models/conversation.ts';
import type { Draft, Sending } from '../../engine/delivery/channel.ts';
import { PermanentError } from '../../engine/delivery/permanentError.ts';
import { shorten } from '../../engine/delivery/splitText.ts';
import { isDirect, placeOf } from './address.ts';
import { escapeText } from './cards/text.ts';
import { clientOf, installationOf } from './installations.ts';
import { personaOf } from './persona.ts';
import type { Sent } from './sayMessage.ts';
import {
  beginTasks,
  canStream,
  continues,
  MAX_STREAM_LENGTH,
  piecesOf,
  startStream,
  stopStream,
  writtenOf,
} from './stream.ts';

const MAX_TASK_LENGTH = 150;

/**
 * Shows an answer while it is written as a stream in a thread of a direct chat: a card for each step, then the text.
 * Elsewhere Slack requires a single recipient of a stream.
 * @throws PermanentError where nothing can be streamed
 */
export async function showDraft(
  conversation: ConversationRow,
  draft: Draft,
  { reference, keep }: Sending,
): Promise<Record<string, unknown>> {
  const { key, channel, thread } = placeOf(conversation.address);
  if (!thread || !isDirect(channel) || !canStream(key)) throw new PermanentError('Nothing can be streamed there.');
  const client = clientOf(await installationOf(conversation));
  const steps = draft.steps.map((step) => shorten(step, MAX_TASK_LENGTH));
  let state = reference as Sent | null;
  if (!state) {
    const { chunks, tasks } = beginTasks([], steps);
    const persona = personaOf(draft.agentId, draft.agentName);
    const started = await startStream(client, key, { channel, thread_ts: thread, chunks, ...persona } as never);
    if (!started?.ts) throw new PermanentError('Slack does not stream there.');
    state = { channel, ts: started.ts, posts: 1, files: 0, streaming: true, pieces: 0, written: writtenOf(''), tasks };
    // Kept before any text is in it: a stream that nobody knows of after a crash is empty.
    await keep(state);
  }
  const text = escapeText(draft.text);
  if (!continues(text, state)) return state;
  const ts = state.ts as string;
  const { chunks, tasks } = beginTasks(state.tasks ?? [], steps);
  const more = piecesOf(text.slice(state.written?.length ?? 0), MAX_STREAM_LENGTH)[0] ?? '';
  if (more === '' && chunks.length === 0) return state;
  const next: Sent = { ...state, tasks, written: writtenOf(text.slice(0, (state.written?.length ?? 0) + more.length)) };
  await keep({ ...next, unsure: true });
  try {
    const said = more === '' ? [] : [{ type: 'markdown_text' as const, text: more }];
    await client.chat.appendStream({ channel, ts, chunks: [...chunks, ...said] });
  } catch (error) {
    // Refused for its rate: Slack has none of it.
    if ((error as { retryAfter?: number }).retryAfter) await keep(state);
    throw error;
  }
  return next;
}

/** Ends a stream that no message completes. */
export async function endDraft(conversation: ConversationRow, reference: Record<string, unknown>): Promise<void> {
  const { channel } = placeOf(conversation.address);
  await stopStream(clientOf(await installationOf(conversation)), channel, reference as Sent);
}
