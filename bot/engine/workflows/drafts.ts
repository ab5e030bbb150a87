import { setTimeout as wait } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { runInBackground } from '../../../models/background.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { logger } from '../../../models/logger.ts';
import { Run, type RunDraft, type RunRow } from '../../../models/run.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { announceElsewhere } from '../../../models/store/revisions.ts';
import { channelNamed, type Refusal } from '../delivery/channel.ts';
import { consentFor } from '../delivery/consent.ts';

/** What an agent has written of its answer; `isDerived` where it may hold content of documents or tickets. */
export type Written = { text: string; isDerived: boolean };
type Shown = { label: string; written?: Written };

/** An answer that is written here. */
type Open = RunDraft & {
  run: Pick<RunRow, '_id' | 'accountId' | 'agentId' | 'lease'>;
  conversation: ConversationRow;
  /** The latest state that was not shown yet. */
  next: { steps: string[]; written: Written } | null;
  written: Written;
  /** Set where the channel refused: the message itself is sent when it is complete. */
  isSilent: boolean;
  showing: Promise<void> | null;
  closing: AbortController;
};
const open = new Map<string, Open>();

/** A draft is saved and shown at most this often. */
const INTERVAL_MS = 1000;

/** A state and one after it, of which nothing was shown. */
const merge = (before: Open['next'], after: Open['next']): Open['next'] =>
  before && after
    ? {
        steps: [...before.steps, ...after.steps].filter((step, at, all) => step !== all[at - 1]),
        written: after.written,
      }
    : (after ?? before);

/** Saves a change to the stored draft, unless another process has the run. */
async function saveDraft({ run }: Open, change: Record<string, unknown>): Promise<void> {
  const saved = await Run.updateOne({ _id: run._id, 'lease.id': run.lease?.id ?? null }, { $set: change });
  if (saved.matchedCount !== 1) throw new Error('Another process executes the run.');
}

/** Saves what was said, so that pages of other processes and after a restart show it. */
async function saveSaid(draft: Open, { text }: Written): Promise<void> {
  if (text === draft.said) return;
  await saveDraft(draft, { draft: { said: text, shown: draft.shown } });
  draft.said = text;
  announceElsewhere(draft.run.accountId, ['chat']);
}

/** Shows a draft on its channel under the consent mode. */
async function showOnChannel(draft: Open, { steps, written }: NonNullable<Open['next']>): Promise<void> {
  const { run, conversation } = draft;
  const { channel: name } = conversation.address;
  const channel = channelNamed(name);
  if (!channel?.showDraft || draft.isSilent) return;
  const mode = await consentFor(run.accountId, name);
  const text = written.isDerived && mode !== 'full' ? '' : written.text;
  const agentName = findAgent(run.agentId)?.displayName ?? run.agentId;
  draft.shown = await channel.showDraft(
    conversation,
    { steps, text, agentId: run.agentId, agentName },
    {
      reference: draft.shown,
      async keep(reference) {
        draft.shown = reference;
        await saveDraft(draft, { draft: { said: draft.said, shown: reference } });
      },
    },
  );
}

/** Saves and shows the latest state until there is none or the draft is closed. Never throws. */
async function keepShowing(draft: Open): Promise<void> {
  const { signal } = draft.closing;
  while (draft.next && !signal.aborted) {
    const now = draft.next;
    draft.next = null;
    let pause = INTERVAL_MS;
    try {
      await saveSaid(draft, now.written);
      await showOnChannel(draft, now);
    } catch (error) {
      const { retryAfter } = error as Refusal;
      logger.debug({ err: error, run: String(draft.run._id) }, 'a draft could not be shown');
      if (retryAfter) {
        pause = retryAfter * 1000;
        draft.next = merge(now, draft.next);
      } else draft.isSilent = true;
    }
    await wait(pause, undefined, { signal, ref: false }).catch(() => undefined);
  }
  draft.showing = null;
}

/**
 * Shows how an answer is getting on. A draft opens with the first state that holds a text, an empty one included.
 * @returns what is written so far; undefined where nothing is
 */
export function showDraft(run: RunRow, conversation: ConversationRow, { label, written }: Shown): Written | undefined {
  const key = String(run._id);
  const standing = open.get(key);
  if (!standing && !written) return undefined;
  const draft: Open = standing ?? {
    run,
    conversation,
    said: run.draft?.said ?? '',
    shown: run.draft?.shown ?? null,
    next: null,
    written: { text: run.draft?.said ?? '', isDerived: true },
    isSilent: false,
    showing: null,
    closing: new AbortController(),
  };
  if (draft.closing.signal.aborted) return draft.written;
  open.set(key, draft);
  // A second model call begins with an empty text: what was said before it stands until there is more.
  if (written && written.text !== '') draft.written = written;
  draft.next = merge(draft.next, { steps: [label], written: draft.written });
  if (!draft.showing) {
    draft.showing = runInAccount(run.accountId, () => keepShowing(draft));
    runInBackground('showing a draft', draft.showing);
  }
  return draft.written;
}

/**
 * Closes a run's draft, because its message follows: nothing is shown of it any more.
 * @returns what readers have seen; null where there was no draft
 */
export async function closeDraft(run: Pick<RunRow, '_id' | 'draft'>): Promise<RunDraft | null> {
  const draft = open.get(String(run._id));
  if (!draft) return run.draft ?? null;
  draft.closing.abort();
  await draft.showing;
  return { said: draft.written.text, shown: draft.shown };
}

/** Ends a run's draft without a message. The next one opens a new draft. */
export async function endDraft(run: RunRow, conversation: ConversationRow | null): Promise<void> {
  const draft = await closeDraft(run);
  open.delete(String(run._id));
  if (!draft?.shown || !conversation) return;
  await channelNamed(conversation.address.channel)
    ?.endDraft?.(conversation, draft.shown)
    .catch((error: unknown) => logger.debug({ err: error, run: String(run._id) }, 'a draft could not be ended'));
}

/** Forgets a draft that this process no longer writes. */
export function forgetDraft(runId: Types.ObjectId): void {
  open.get(String(runId))?.closing.abort();
  open.delete(String(runId));
}
