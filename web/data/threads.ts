import { mutate } from 'swr';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import * as contract from '../../models/contracts/threads.ts';
import { call, urlOf } from './call.ts';
import { refreshHistory } from './chat.ts';
import { useCall } from './useCall.ts';

/** The person's conversations in arc-chat, the newest first; those that contain words where some are given. */
export const useThreads = (search = '') => useCall(contract.listThreads, { query: search ? { search } : {} });

/** Reads the lists and the open conversation again. */
async function refresh(): Promise<void> {
  const lists = urlOf(contract.listThreads);
  await Promise.all([
    refreshHistory(),
    mutate((key) => typeof key === 'string' && (key === lists || key.startsWith(`${lists}?`))),
  ]);
}

/** Begins a conversation and opens it. */
export async function startThread(): Promise<void> {
  await call(contract.startThread);
  await refresh();
}

/** Opens a conversation. */
export async function openThread(id: string): Promise<void> {
  await call(contract.openThread, { params: { id } });
  await refresh();
}

/** Renames a conversation, or changes the agent that it is with. */
export async function changeThread(id: string, body: { title?: string; spokenTo?: AgentId }): Promise<void> {
  await call(contract.changeThread, { params: { id }, body });
  await refresh();
}

/** Deletes the messages of a conversation. */
export async function deleteThread(id: string): Promise<void> {
  await call(contract.deleteThread, { params: { id } });
  await refresh();
}
