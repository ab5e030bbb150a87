import { z } from 'zod';
import { AGENT_IDS } from './catalogueAgent.ts';
import { endpoint, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { shownName } from './oneLine.ts';

/** Id of a conversation in arc-chat. */
export const threadId = z.string().regex(/^[0-9a-f]{24}$/i, 'This is not the id of a conversation.');

/** A conversation of the caller's arc-chat, in the list. */
export const thread = z.object({
  id: z.string(),
  /** Given by its person, or the beginning of the first message. */
  title: z.string(),
  /** Time of the newest message; null while it has none. */
  lastMessageAt: isoDate.nullable(),
  isOpen: z.boolean(),
  /** Whether work is running in it, or waits for an answer. */
  state: z.enum(['working', 'waiting', 'quiet']),
});
export type Thread = z.infer<typeof thread>;

const params = z.object({ id: threadId });

export const listThreads = endpoint({
  method: 'get',
  path: '/api/arc-chat/threads',
  summary: 'The conversations of the caller’s arc-chat, the newest first',
  policy: 'signed-in',
  query: z.object({
    /** Words that the title or a message contains. */
    search: z.string().trim().max(200).default(''),
  }),
  answer: z.object({ threads: z.array(thread) }),
});

export const startThread = endpoint({
  method: 'post',
  path: '/api/arc-chat/threads',
  summary: 'Begin a new conversation, with files and an analysis of its own, and open it',
  policy: 'signed-in',
  rate: 'chat',
  answer: thread,
});

export const openThread = endpoint({
  method: 'post',
  path: '/api/arc-chat/threads/:id/open',
  summary: 'Open a conversation: calls that name none are about it from then on',
  policy: 'signed-in',
  params,
  answer: thread,
});

export const changeThread = endpoint({
  method: 'patch',
  path: '/api/arc-chat/threads/:id',
  summary: 'Rename a conversation, or talk to another agent in it',
  policy: 'signed-in',
  params,
  body: z.object({
    title: shownName(
      LIMITS.threads.title,
      'Please give it a name.',
      `Please use at most ${LIMITS.threads.title} characters.`,
    ).optional(),
    spokenTo: z.enum(AGENT_IDS).optional(),
  }),
  answer: thread,
});

export const deleteThread = endpoint({
  method: 'delete',
  path: '/api/arc-chat/threads/:id',
  summary: 'Delete the messages of a conversation; files and analyses stay',
  policy: 'signed-in',
  params,
  answer: z.object({ success: z.literal(true) }),
});
