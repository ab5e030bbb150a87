import { z } from 'zod';
import { askedQuery } from './askedQuery.ts';
import { AGENT_IDS } from './catalogueAgent.ts';
import {
  AFTER_EXPIRY,
  ASKS_FOR_FILE,
  CLINICAL_SAFETY_CARD,
  CLINICAL_SAFETY_MESSAGES,
  UPLOAD,
} from './clinical_safety/chat.ts';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { threadId } from './threads.ts';
import { channelName } from './turn.ts';

export { AFTER_EXPIRY };

/** The kind of a message. Quick actions depend on it, never on the text. */
const messageKind = z.enum([
  'text',
  'upload',
  'review-requested',
  'question-asked',
  'refused',
  'cancelled',
  'failed',
  ...CLINICAL_SAFETY_MESSAGES,
]);
export type MessageKind = z.infer<typeof messageKind>;

/** Whether a message of this kind asks for a file, so that a channel without uploads links to where one is given. */
export const asksForFile = (kind: MessageKind): boolean => kind === ASKS_FOR_FILE;

export const attachment = z.object({
  name: z.string(),
  /** Download path: /api/download/{name}. */
  url: z.string(),
  size: z.number().int(),
  type: z.string(),
});
export type Attachment = z.infer<typeof attachment>;

/** A source that an answer cites by its number, and the page of ours that shows it. Contains words of the company. */
const source = z.object({ number: z.number().int(), label: z.string(), path: z.string() });
export type Source = z.infer<typeof source>;

/** A card next to the text, with its figures first. */
export const messageCard = z
  .object({
    ...CLINICAL_SAFETY_CARD,
    interruptId: z.number().int().optional(),
    runId: z.string().optional(),
    /** The query of an answer, which can be changed and asked again. Contains words of the company. */
    asked: askedQuery.optional(),
    sources: z.array(source).optional(),
    headline: z.string().optional(),
    /** Path of the page with the result, for channels elsewhere; free of customer content. */
    page: z.string().optional(),
    figures: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
    /** Evidence as a table, for channels that can show it. Contains content of the log. */
    table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).optional(),
    /** Buttons that send a message or open something. */
    actions: z
      .array(
        z.object({
          label: z.string(),
          action: z.enum(['send', 'open-review', 'download', 'upload', 'merge', 'sample']),
          value: z.string().optional(),
        }),
      )
      .optional(),
  })
  .nullable();
export type MessageCard = z.infer<typeof messageCard>;
export type CardAction = NonNullable<NonNullable<MessageCard>['actions']>[number];

/** The message that a button sends for the person; undefined where it opens or downloads something. */
export const wordsOfAction = ({ label, action, value }: CardAction): string | undefined =>
  action === 'send' ? value : action === 'merge' || action === 'sample' ? label : undefined;

/** What a person thinks of an answer. */
export const feedback = z.object({
  value: z.enum(['good', 'bad']),
  /** In the person's words; empty where none was given. */
  reason: z.string().trim().max(LIMITS.feedbackReason).default(''),
});
export type Feedback = z.output<typeof feedback>;

export const chatMessage = z.object({
  id: z.string(),
  /** Id of its conversation. */
  conversation: z.string(),
  messageType: z.enum(['user', 'assistant', 'system']),
  message: z.string(),
  /** Set on a user's message where the call answers at once: the reply's text. Null otherwise. */
  response: z.string().nullable(),
  timestamp: isoDate,
  kind: messageKind,
  agentId: z.string().nullable(),
  agentName: z.string().nullable(),
  attachments: z.array(attachment),
  card: messageCard,
  /** The client's own id, so that a page recognises its messages. */
  clientId: z.string().nullable(),
  feedback: feedback.nullable(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** Progress of a run: pushed while it is executing, and part of the history until it ends. */
const runProgress = z.object({
  runId: z.string(),
  /** Id of the conversation that its messages go to. */
  conversation: z.string().nullable(),
  workspaceId: z.number().int().nullable(),
  agentName: z.string(),
  title: z.string(),
  status: z.enum(['working', 'waiting', 'completed', 'failed', 'cancelled']),
  steps: z.array(z.object({ id: z.string(), label: z.string(), state: z.enum(['todo', 'doing', 'done']) })),
  /** The current activity, e.g. "Reading sheet Log, row 400 of 2,000". */
  label: z.string(),
  done: z.number(),
  total: z.number(),
  /** What the agent has said so far of an answer that it is still writing; checked, so that nothing is taken back. */
  said: z.string().optional(),
  startedAt: isoDate,
  cancellable: z.boolean(),
});
export type RunProgress = z.infer<typeof runProgress>;

const readFrom = z.object({
  /** The connector's id, and its name for people. */
  service: z.string(),
  name: z.string(),
  /** What was read, in a few words: "project NRL". */
  query: z.string(),
  syncedAt: isoDate,
  count: z.number().int(),
});

export const chatHistory = endpoint({
  method: 'get',
  path: '/api/arc-chat/history',
  summary: 'Messages, newest first, and the work in progress',
  policy: 'signed-in',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(LIMITS.historyMax).default(LIMITS.historyDefault),
    /** Messages older than this message id. */
    before: z
      .string()
      .regex(/^[0-9a-f]{24}$/i, 'This is not the id of a message.')
      .optional(),
    /**
     * A conversation of the caller's arc-chat, or of another channel in which the caller has written; the open one of
     * arc-chat by default.
     */
    conversation: threadId.optional(),
  }),
  answer: z.object({
    messages: z.array(chatMessage),
    count: z.number().int(),
    hasMore: z.boolean(),
    working: z.array(runProgress),
    /** Names of the files that new work would use, by kind. */
    ready: z.record(z.string(), z.string().nullable()),
    /** What those of them were read from that Arc read from a connected tool, by kind. */
    sources: z.record(z.string(), readFrom),
    /** The agent that gets messages which name nobody; null where none is onboarded. */
    spokenTo: z.enum(AGENT_IDS).nullable(),
    /** Id of the conversation. */
    conversation: z.string(),
    /** The conversation's channel. */
    channel: channelName,
  }),
});

export const sendChat = endpoint({
  method: 'post',
  path: '/api/arc-chat/send',
  summary: 'Say something to an agent; the reply comes by socket and in the history',
  policy: 'signed-in',
  startsWork: true,
  rate: ['chat', 'chatAccount'],
  body: z.object({
    message: z.string().trim().min(1, 'Please write a message.').max(LIMITS.chatMessage),
    sessionId: z.string().max(100).optional(),
    /** Made by the client to deduplicate: sent twice, it is one message. */
    clientId: z.string().max(100).optional(),
    /** The conversation that the page shows; the open one by default. */
    conversation: threadId.optional(),
  }),
  answer: z.object({ success: z.literal(true), messageId: z.string() }),
});

export const parseResult = z.object({
  /** The kind that the accepting agent recognised. */
  kind: z.string(),
  fileName: z.string(),
  rowCount: z.number().int(),
});
export type ParseResult = z.infer<typeof parseResult>;

/** Name of the multipart field that contains the file. */
export const UPLOAD_FIELD = UPLOAD.field;

export const uploadFile = endpoint({
  method: 'post',
  path: UPLOAD.path,
  summary: UPLOAD.summary,
  policy: 'signed-in',
  scopes: ['analyses:run'],
  startsWork: true,
  rate: ['upload', 'uploadAccount'],
  answer: z.object({
    success: z.literal(true),
    parseResult,
    fileId: z.string(),
  }),
});

export const addSample = endpoint({
  method: 'post',
  path: '/api/arc-chat/sample',
  summary: 'Put the sample into the chat',
  policy: 'signed-in',
  startsWork: true,
  rate: ['upload', 'uploadAccount'],
  body: z.object({ conversation: threadId.optional() }),
  answer: z.object({ success: z.literal(true) }),
});

export const giveFeedback = endpoint({
  method: 'put',
  path: '/api/arc-chat/messages/:messageId/feedback',
  summary: 'Say whether an answer helped, with a reason; null takes it back',
  policy: 'signed-in',
  rate: 'chat',
  params: z.object({ messageId: z.string().regex(/^[0-9a-f]{24}$/i, 'This is not the id of a message.') }),
  body: z.object({ feedback: feedback.nullable() }),
  answer: chatMessage,
});

export const cancelRun = endpoint({
  method: 'post',
  path: '/api/arc-chat/runs/:runId/cancel',
  summary: 'Cancel work in progress',
  policy: 'signed-in',
  params: z.object({ runId: z.string().regex(/^[0-9a-f]{24}$/) }),
  answer: z.object({ success: z.literal(true) }),
});

export const downloadFile = endpoint({
  method: 'get',
  path: '/api/download/:fileName',
  summary: 'A file that an agent made or that was uploaded; 410 once it is no longer kept',
  policy: 'signed-in',
  scopes: ['analyses:read', 'documents:read'],
  params: z.object({ fileName: z.string().max(255) }),
  answerType: 'file',
});

/** The answer of calls that start a run. */
export const startedWork = z.object({
  success: z.literal(true),
  runId: z.string(),
  workspaceId: idParam,
  response: z.string(),
});
