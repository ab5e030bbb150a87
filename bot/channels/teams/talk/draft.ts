import type { ConversationRow } from '../../../../models/conversation.ts';
import type { Draft, Sending } from '../../../engine/delivery/channel.ts';
import { PermanentError } from '../../../engine/delivery/permanentError.ts';
import { nameOf } from '../../../engine/delivery/speaker.ts';
import { shorten } from '../../../engine/delivery/splitText.ts';
import { cancelRunsAt } from '../../../engine/workflows/cancelRun.ts';
import { firstText, underName } from '../cards/messageCard.ts';
import { requireMember } from '../identity/people.ts';
import { targetOf } from '../install/references.ts';
import type { Activity } from '../platform/activity.ts';
import { placeOf } from '../platform/address.ts';
import { connector } from '../platform/connector.ts';
import { refusalOf } from '../platform/refusal.ts';
import { type ReachablePlace, runInPlace } from './reach.ts';
import { completeStream, isStopped, type StreamState, streamInfo } from './stream.ts';
import { cancelTyping } from './typing.ts';

/** Longest informative update, in characters (docs/platforms.md). */
const MAX_STEP_LENGTH = 1000;

/** The next update of a stream: the text so far, or the step before there is a text; null where nothing changed. */
function updateOf({ steps, text, agentId, agentName }: Draft, { shown = '' }: StreamState): Activity | null {
  const name = nameOf({ agentId, agentName });
  const whole = text === '' ? '' : underName(firstText(text), name);
  if (whole.length > shown.length && whole.startsWith(shown)) return { type: 'typing', text: whole };
  const step = steps.at(-1);
  // Once text is shown, Teams takes no more steps.
  return shown === '' && step ? { type: 'typing', text: shorten(step, MAX_STEP_LENGTH) } : null;
}

/**
 * Shows an answer while it is written as a stream in a personal chat: its steps as informative updates, then the text.
 * Where the reader presses Stop, what they may cancel there is cancelled.
 * @throws PermanentError where nothing can be streamed
 */
export function showDraft(
  conversation: ConversationRow,
  draft: Draft,
  { reference: kept, keep }: Sending,
): Promise<Record<string, unknown>> {
  const place = placeOf(conversation.address);
  return runInPlace(place, async (reachable) => {
    const { installation, reference } = reachable;
    if (reference.kind !== 'personal') throw new PermanentError('Teams streams in personal chats alone.');
    cancelTyping(place);
    const state = (kept ?? {}) as StreamState;
    const update = updateOf(draft, state);
    if (!update) return state;
    const sequence = (state.sequence ?? 0) + 1;
    const isText = draft.text !== '' && update.text !== draft.steps.at(-1);
    const next: StreamState = { ...state, sequence, ...(isText ? { shown: update.text ?? '' } : {}) };
    // Kept before it is sent: after a crash, what Teams may show is known.
    if (state.streamId) await keep(next);
    try {
      const info = streamInfo(isText ? 'streaming' : 'informative', state.streamId ?? null, sequence);
      const id = await connector().send(targetOf(installation, reference, place), { ...update, entities: [info] });
      const begun = { ...next, streamId: state.streamId ?? id, at: Date.now() };
      if (!state.streamId) await keep(begun);
      return begun;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal && isStopped(refusal)) await stopHere(reachable, conversation);
      throw error;
    }
  });
}

/** Cancels what the reader of a personal chat may cancel there. */
async function stopHere({ installation, reference }: ReachablePlace, { address }: ConversationRow): Promise<void> {
  if (reference.userId === null) return;
  await cancelRunsAt(await requireMember(installation, reference, reference.userId), address);
}

const QUESTION_FIRST = 'I have a question before I go on.';

/** Ends a stream before a question: with what was read, or with a word on the question that follows. */
export function endDraft(conversation: ConversationRow, kept: Record<string, unknown>): Promise<void> {
  const place = placeOf(conversation.address);
  return runInPlace(place, async ({ installation, reference }) => {
    const state = kept as StreamState;
    const text = state.shown || QUESTION_FIRST;
    await completeStream(targetOf(installation, reference, place), { type: 'message', text }, state);
  });
}
