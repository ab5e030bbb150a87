import { useEffect } from 'react';
import type { Socket } from 'socket.io-client';
import { mutate } from 'swr';
import { AGENTS } from '../../models/contracts/catalogue.ts';
import { CHANNEL_NAMES } from '../../models/contracts/channels.ts';
import { type ClientEvents, type ServerEvents, TOPICS, type Topic } from '../../models/contracts/realtime.ts';
import { bearer } from './bearer.ts';
import { showPushed } from './chat.ts';
import { shownPerson } from './person.ts';
import { forgetProgress, showProgress } from './progress.ts';

/** Path prefixes of the reads that a change in a topic invalidates. */
const READ_PATHS: Record<Topic, string[]> = {
  chat: ['/api/arc-chat/', '/api/arc/'],
  interrupts: ['/api/agents/', '/api/interrupts/', '/api/user-agents', '/api/desk'],
  agents: ['/api/user-agents', '/api/arc-chat/', '/api/desk'],
  workspaces: ['/api/workspaces/', '/api/user-agents'],
  analysis: ['/api/desk', ...AGENTS.flatMap(({ reads }) => reads ?? [])],
  account: ['/api/auth/status', '/api/user/', '/api/account/', '/api/billing', '/api/preferences', '/api/admin/'],
  integrations: [
    '/api/oauth/',
    ...CHANNEL_NAMES.map((name) => `/api/${name}/`),
    '/api/user/onboarding',
    '/api/documents',
  ],
  automation: ['/api/automation/', '/api/desk'],
};

export type Question = Parameters<ServerEvents['asked']>[0];
const questionListeners = new Set<(question: Question) => void>();

function revalidate(topics: readonly Topic[]): void {
  const reads = topics.flatMap((topic) => READ_PATHS[topic]);
  void mutate((key) => typeof key === 'string' && reads.some((read) => key.startsWith(read)));
}

/** Keeps a socket to the server open while someone is signed in. The library loads after the first render. */
export function useLive(userId: number | null): void {
  useEffect(() => {
    if (userId === null) return;
    let socket: Socket<ServerEvents, ClientEvents> | null = null;
    let left = false;
    void import('socket.io-client').then(({ io }) => {
      if (left) return;
      // Called for each connection, because the token may have been renewed.
      const auth = (respond: (data: object) => void) =>
        respond({ person: shownPerson(), ...(bearer() ? { token: bearer() } : {}) });
      socket = io({ transports: ['websocket', 'polling'], reconnectionDelayMax: 5000, auth });
      socket.on('connect', () => {
        // Events before the connection, or while it was down, were missed: everything is read again.
        revalidate(TOPICS);
      });
      socket.on('disconnect', (reason) => {
        // The server closes a socket that its session no longer covers. A renewed session reconnects; an ended one is refused.
        if (reason === 'io server disconnect') socket?.connect();
        forgetProgress();
      });
      socket.on('changed', revalidate);
      socket.on('message', (message) => void showPushed(message));
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

/** Calls back when an agent asks a new question. */
export function useAsked(listener: (question: Question) => void): void {
  useEffect(() => {
    questionListeners.add(listener);
    return () => {
      questionListeners.delete(listener);
    };
  }, [listener]);
}
