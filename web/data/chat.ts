import { useMemo, useSyncExternalStore } from 'react';
import { mutate } from 'swr';
import {
  AFTER_EXPIRY,
  addSample,
  type ChatMessage,
  cancelRun,
  chatHistory,
  type Feedback,
  giveFeedback as feedbackCall,
  sendChat,
  UPLOAD_FIELD,
  uploadFile,
} from '../../models/contracts/chat.ts';
import type { AnswerOf } from '../../models/contracts/endpoint.ts';
import { downloadPath, isUploadType, UPLOAD_TYPE_REFUSED } from '../../models/contracts/files.ts';
import { LIMITS, POLLS } from '../../models/contracts/limits.ts';
import { call, download, textOf, urlOf } from './call.ts';
import { currentProgress, subscribeToProgress, withProgress } from './progress.ts';
import { showFailure } from './toasts.ts';
import { useCall } from './useCall.ts';

export type History = AnswerOf<typeof chatHistory>;
const historyKey = urlOf(chatHistory);

/** The history that was last read; undefined until the first read is done. */
let known: History | undefined;

/** Messages, newest first, and running work with its live progress. */
export function useHistory(enabled: boolean) {
  const read = useCall(chatHistory, enabled ? {} : null, { poll: POLLS.history });
  const live = useSyncExternalStore(subscribeToProgress, currentProgress);
  known = read.data;
  const data = useMemo(() => {
    if (!read.data) return undefined;
    const { conversation, working } = read.data;
    return { ...read.data, working: withProgress(conversation, working, live) };
  }, [read.data, live]);
  return { data, error: read.error, mutate: read.mutate };
}

/** Messages of a conversation, older than the message with an id. */
export async function earlierMessages(conversation: string, before: string): Promise<History> {
  return call(chatHistory, { query: { conversation, before, limit: LIMITS.historyDefault } });
}

/** Messages of a conversation in another channel. */
export function useConversation(conversation: string) {
  return useCall(chatHistory, { query: { conversation, limit: LIMITS.historyMax } }, { poll: POLLS.history });
}

/** The session id of this page (docs/spec-coverage.md, S1 section 9). */
const sessionId = `chat_${Date.now()}`;

/**
 * The history with a pushed or sent message: replaced by id or client id, else added as the newest. A message of
 * another conversation changes nothing.
 */
export function withMessage(history: History, message: ChatMessage): History {
  if (message.conversation !== history.conversation) return history;
  const same = (it: ChatMessage) =>
    it.id === message.id || (message.clientId !== null && it.clientId === message.clientId);
  if (history.messages.some(same)) {
    return { ...history, messages: history.messages.map((it) => (same(it) ? message : it)) };
  }
  return { ...history, messages: [message, ...history.messages], count: history.count + 1 };
}

/** A read that began before a pushed message is dropped by SWR, with what else it brought: files, running work. */
const REREAD_MS = 100;
let reread: ReturnType<typeof setTimeout> | undefined;

/** Shows a pushed message at once, and reads the history soon after the last of several. */
export async function showPushed(message: ChatMessage): Promise<void> {
  await changeHistory((history) => withMessage(history, message));
  clearTimeout(reread);
  reread = setTimeout(() => void refreshHistory(), REREAD_MS);
}

/** Changes the cached history without a request; while the first read runs, reads it again instead. */
async function changeHistory(change: (history: History) => History): Promise<void> {
  if (!known) {
    await mutate(historyKey);
    return;
  }
  await mutate<History>(historyKey, (history) => (history ? change(history) : history), { revalidate: false });
}

/** Reads the history again. */
export async function refreshHistory(): Promise<void> {
  await mutate(historyKey);
}

/** What names the conversation that the page shows, so that nothing is said in one that another tab has opened. */
const shown = () => (known ? { conversation: known.conversation } : {});

/** Sends a message. It is shown at once and removed again if the server refuses. */
export async function send(text: string): Promise<void> {
  const clientId = crypto.randomUUID();
  const sentTo = shown();
  const own: ChatMessage = {
    id: clientId,
    conversation: sentTo.conversation ?? '',
    messageType: 'user',
    message: text,
    response: null,
    timestamp: new Date().toISOString(),
    kind: 'text',
    agentId: null,
    agentName: null,
    attachments: [],
    card: null,
    clientId,
    feedback: null,
  };
  await changeHistory((history) => withMessage(history, own));
  try {
    await call(sendChat, { body: { message: text, sessionId, clientId, ...sentTo } });
    void refreshHistory();
  } catch (error) {
    await changeHistory((history) => ({
      ...history,
      messages: history.messages.filter((it) => it.clientId !== clientId),
      count: history.count - 1,
    }));
    throw error;
  }
}

/** Uploads a file for the agents. */
export async function upload(file: File): Promise<AnswerOf<typeof uploadFile>> {
  const form = new FormData();
  form.append(UPLOAD_FIELD, file);
  form.append('sessionId', sessionId);
  if (known) form.append('conversation', known.conversation);
  const answer = await call(uploadFile, { body: form as never });
  await refreshHistory();
  return answer;
}

/** How often, and how long apart, the history is read for the answer to a request. */
const ANSWER_READS = 60;
const ANSWER_PAUSE_MS = 250;

/** Adds the sample files to the chat; done once the agent has answered, so that a second press adds them no second time. */
export async function putSample(): Promise<void> {
  const { messages: before } = await call(chatHistory);
  await call(addSample, { body: shown() });
  for (let read = 1; read <= ANSWER_READS; read += 1) {
    const history = await call(chatHistory);
    await mutate(historyKey, history, { revalidate: false });
    const [newest] = history.messages;
    if (newest && newest.messageType !== 'user' && newest.id !== before[0]?.id) return;
    await new Promise((resolve) => setTimeout(resolve, ANSWER_PAUSE_MS));
  }
}

/** Says whether an answer helped; null takes it back. */
export async function giveFeedback(messageId: string, given: Feedback | null): Promise<void> {
  const message = await call(feedbackCall, { params: { messageId }, body: { feedback: given } });
  await changeHistory((history) => withMessage(history, message));
}

/** Cancels a running piece of work. */
export async function cancel(runId: string): Promise<void> {
  await call(cancelRun, { params: { runId } });
  await refreshHistory();
}

type FileFault = { title: string; message: string };

/**
 * The fault of a file by its type and size (docs/spec-coverage.md, S1 section 5); null if it can be sent.
 * @param none message if no file was chosen
 */
export function faultOf(file: File | null | undefined, none = 'Please choose a file.'): FileFault | null {
  if (!file) return { title: 'No file selected', message: none };
  if (!isUploadType(file.name, file.type)) return { title: 'Invalid file type', message: UPLOAD_TYPE_REFUSED };
  if (file.size > LIMITS.uploadBytes) {
    return { title: 'File too large', message: 'Please select a file smaller than 10MB.' };
  }
  return null;
}

/** Saves a file by its name. */
export async function saveFile(fileName: string): Promise<void> {
  await download(downloadPath(fileName), fileName);
}

/** Shows a toast about a failed download; for an expired analysis it names the next step. */
export function showDownloadFailure(error: unknown): void {
  const text = textOf(error, 'The file could not be downloaded. Please try again.');
  showFailure('Download failed', /analysis may have expired/i.test(text) ? `${text} ${AFTER_EXPIRY}` : text);
}
