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
import { call, urlOf } from './call.ts';
import { useCall } from './useCall.ts';

const keyOf = (userAgentId: number) => urlOf(listInterrupts, { params: { userAgentId } });

/** The questions of some agents together, pending first, newest first. */
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
  const waits = (it: Interrupt) => (it.status === 'pending' ? 0 : 1);
  return waits(one) - waits(other) || other.createdAt.localeCompare(one.createdAt) || other.id - one.id;
}

/** Puts what the server gave for one question into every list that holds it. */
export async function showInterrupt(changed: Interrupt): Promise<void> {
  const update = (it: Interrupt) => (it.id === changed.id ? changed : it);
  await mutate<Interrupt[] | Interrupt>(
    (key) => typeof key === 'string' && key.includes('/interrupts'),
    (read) => (Array.isArray(read) ? read.map(update) : read && update(read)),
    { revalidate: false },
  );
}

/** Reads the questions, and the agents' counts, again. */
export async function refreshInterrupts(): Promise<void> {
  await mutate((key) => typeof key === 'string' && (key.includes('/interrupts') || key.startsWith('/api/user-agents')));
}

/** Answers a question; the first answer stands. */
export async function answer(interrupt: Interrupt, body: AnswerBody): Promise<Interrupt> {
  const resolved = await call(resolveInterrupt, {
    params: { id: interrupt.id },
    body: { ...body, shownDigest: interrupt.shownDigest },
  });
  await showInterrupt(resolved);
  void refreshInterrupts();
  return resolved;
}

/** Keeps the row decisions made so far; refused with `conflict` when someone else saved in between. */
export async function saveDraft(
  id: number,
  rows: RowDecision[],
  chosen: Record<string, string>,
  version: number,
  options: { keepalive?: boolean } = {},
): Promise<Interrupt> {
  return call(saveReviewDraft, { params: { id }, body: { rows, chosen, version } }, options);
}

/** The question that an address names; null where it names none. */
export function useInterrupt(id: number | null) {
  return useCall(readOne, id === null ? null : { params: { id } }, { poll: POLLS.inbox });
}

/** One question as it stands now. */
export async function readInterrupt(userAgentId: number, id: number): Promise<Interrupt | null> {
  const list = await call(listInterrupts, { params: { userAgentId } });
  return list.find((it) => it.id === id) ?? null;
}
