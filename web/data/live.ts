import { useEffect } from 'react';
import type { Socket } from 'socket.io-client';
import { mutate } from 'swr';
import { AGENTS } from '../../models/contracts/catalogue.ts';
import { CHANNEL_NAMES } from '../../models/contracts/channels.ts';
import { type ClientEvents, type ServerEvents, TOPICS, type Topic } from '../../models/contracts/realtime.ts';
import { bearer } from './bearer.ts';
import { changeHistory, withMessage } from './chat.ts';
import { shownPerson } from './person.ts';
import { forgetProgress, showProgress } from './progress.ts';

/** Which reads a topic makes out of date, by the beginning of their address. */
const readsOf: Record<Topic, string[]> = {
  chat: ['/api/arc-chat/', '/api/arc/'],
  interrupts: ['/api/agents/', '/api/interrupts/', '/api/user-agents'],
  agents: ['/api/user-agents', '/api/arc-chat/'],
  workspaces: ['/api/workspaces/', '/api/user-agents'],
  analysis: AGENTS.flatMap(({ reads }) => reads ?? []),
  account: ['/api/auth/status', '/api/user/', '/api/account/', '/api/billing', '/api/preferences', '/api/admin/'],
  integrations: [
    '/api/oauth/',
    ...CHANNEL_NAMES.map((name) => `/api/${name}/`),
    '/api/user/onboarding',
    '/api/documents',
  ],
  automation: ['/api/automation/'],
};

export type Question = Parameters<ServerEvents['asked']>[0];
const questionListeners = new Set<(question: Question) => void>();

function revalidate(topics: readonly Topic[]): void {
  const reads = topics.flatMap((topic) => readsOf[topic]);
  void mutate((key) => typeof key === 'string' && reads.some((read) => key.startsWith(read)));
}

/** Listens to the server for as long as someone is signed in. The library comes after the page is drawn. */
export function useLive(userId: number | null): void {
  useEffect(() => {
    if (userId === null) return;
    let socket: Socket<ServerEvents, ClientEvents> | null = null;
    let left = false;
    void import('socket.io-client').then(({ io }) => {
      if (left) return;
      // Asked for at each connection: a token is renewed in between.
      const auth = (say: (data: object) => void) =>
        say({ person: shownPerson(), ...(bearer() ? { token: bearer() } : {}) });
      socket = io({ transports: ['websocket', 'polling'], reconnectionDelayMax: 5000, auth });
      socket.on('connect', () => {
        // What changed between the first reads and this moment, or while the line was down, is read now.
        revalidate(TOPICS);
      });
      socket.on('disconnect', (reason) => {
        // The server closes what its session no longer covers; a renewed one opens it again, an ended one is refused.
        if (reason === 'io server disconnect') socket?.connect();
        forgetProgress();
      });
      socket.on('changed', revalidate);
      socket.on('message', (message) => void changeHistory((history) => withMessage(history, message)));
      socket.on('progress', (progress) => {
        if (showProgress(progress)) revalidate(['chat', 'workspaces', 'analysis']);
      });
      socket.on('asked', (question) => {
        revalidate(['interrupts']);
        for (const listener of questionListeners) listener(question);
      });
    });
    return () => {
      left = true;
      socket?.disconnect();
      forgetProgress();
    };
  }, [userId]);
}

/** Calls back when an agent has just asked something. */
export function useAsked(listener: (question: Question) => void): void {
  useEffect(() => {
    questionListeners.add(listener);
    return () => {
      questionListeners.delete(listener);
    };
  }, [listener]);
}
