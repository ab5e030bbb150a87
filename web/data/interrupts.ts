import useSWR, { mutate } from 'swr';
import {
  type AnswerBody,
  type Interrupt,
  listInterrupts,
  readInterrupt as readOne,
  resolveInterrupt,
  saveReviewDraft,
} from '../../models/contracts/interrupts.ts';
import { POLLS } from '../../models/contracts/limits.ts';
import type { RowDecision } from '../../models/contracts/questionRows.ts';
import { call, codeOf, urlOf } from './call.ts';
import { signAnswer } from './signing.ts';
import { withdrawToast } from './toasts.ts';
import { useCall } from './useCall.ts';

const keyOf = (userAgentId: number) => urlOf(listInterrupts, { params: { userAgentId } });

/** The questions of some agents together, pending first, what is put off behind them, newest first. */
export function useInterrupts(userAgentIds: readonly number[], poll: number = POLLS.inbox) {
  return useSWR<Interrupt[], Error>(
    userAgentIds.length === 0 ? null : userAgentIds.map(keyOf).join(' '),
    async () => {
      const lists = await Promise.all(
        userAgentIds.map((userAgentId) => call(listInterrupts, { params: { userAgentId } })),
      );
      return lists.flat().sort(pendingThenNewest);
    },
    { refreshInterval: poll },
  );
}

function pendingThenNewest(one: Interrupt, other: Interrupt): number {
  const rank = (it: Interrupt) => (it.status !== 'pending' ? 2 : it.snooze ? 1 : 0);
  return rank(one) - rank(other) || other.createdAt.localeCompare(one.createdAt) || other.id - one.id;
}

/** Replaces a question in every cached read that contains it; one that is closed is no longer announced. */
export async function showInterrupt(changed: Interrupt): Promise<void> {
  if (changed.status !== 'pending') withdrawToast(changed.id);
  const update = (it: Interrupt) => (it.id === changed.id ? changed : it);
  await mutate<Interrupt[] | Interrupt>(
    (key) => typeof key === 'string' && key.includes('/interrupts'),
    (read) => (Array.isArray(read) ? read.map(update) : read && update(read)),
    { revalidate: false },
  );
}

/** Reads the questions and the agents' counts again. */
export async function refreshInterrupts(): Promise<void> {
  await mutate((key) => typeof key === 'string' && (key.includes('/interrupts') || key.startsWith('/api/user-agents')));
}

/** What a person is told whose signature is the first of two: the question stays open. */
export const SIGNED_ONCE = {
  title: 'Signed',
  message: 'It counts once a second person signs the same answer.',
  tone: 'done',
} as const;

/** Answers a question; the server accepts only the first answer. Asks for a signature where it needs one. */
export async function answer(interrupt: Interrupt, body: AnswerBody): Promise<Interrupt> {
  const send = (sign?: AnswerBody['sign']) =>
    call(resolveInterrupt, {
      params: { id: interrupt.id },
      body: { ...body, shownDigest: interrupt.shownDigest, ...(sign ? { sign } : {}) },
    });
  const resolved = await send().catch((error: Error) => {
    if (codeOf(error) !== 'signature_needed') throw error;
    return signAnswer(interrupt, send, error);
  });
  await showInterrupt(resolved);
  void refreshInterrupts();
  return resolved;
}

/** Saves the row decisions made so far; refused with `conflict` if the version is outdated. */
export async function saveDraft(
  id: number,
  rows: RowDecision[],
  chosen: Record<string, string>,
  version: number,
  options: { keepalive?: boolean } = {},
): Promise<Interrupt> {
  return call(saveReviewDraft, { params: { id }, body: { rows, chosen, version } }, options);
}

/** The question with an id; reads nothing if the id is null. */
export function useInterrupt(id: number | null) {
  return useCall(readOne, id === null ? null : { params: { id } }, { poll: POLLS.inbox });
}

/** Reads the current state of one question; null if it does not exist. */
export async function readInterrupt(userAgentId: number, id: number): Promise<Interrupt | null> {
  const list = await call(listInterrupts, { params: { userAgentId } });
  return list.find((it) => it.id === id) ?? null;
}
