import type { ChatMessage, RunProgress } from './chat.ts';

/** What can change, so that pages know which call to repeat. Each account has a revision number per topic. */
export const TOPICS = [
  'chat',
  'interrupts',
  'agents',
  'workspaces',
  'analysis',
  'account',
  'integrations',
  'automation',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Socket events from the server to a browser. */
export type ServerEvents = {
  changed: (topics: Topic[]) => void;
  message: (message: ChatMessage) => void;
  progress: (progress: RunProgress) => void;
  /** A question that has just been asked, for the toast. */
  asked: (question: { interruptId: number; userAgentId: number; agentName: string; prompt: string }) => void;
};

/** Socket events from a browser to the server. */
export type ClientEvents = {
  send: (
    body: { message: string; sessionId?: string; clientId?: string; conversation?: string },
    acknowledge: (answer: { success: boolean; messageId?: string; error?: string }) => void,
  ) => void;
};
