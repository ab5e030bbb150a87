import type { Who } from '../../../../models/policies/who.ts';
import { agentForSearch } from '../../../engine/agents/registry.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { listQuestions } from '../../../engine/interrupts/listQuestions.ts';
import { foundResult, questionResult, type SearchResult } from '../cards/resultCards.ts';
import { findPersonal } from '../install/references.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { placeOfConversation } from '../platform/address.ts';
import { storeTurn } from '../talk/inbound.ts';
import { describeError } from './cardActions.ts';
import { requireSender, type Source } from './source.ts';

const MAX_RESULTS = 20;

type Query = { commandId?: string; parameters?: unknown };
type Parameter = { name?: unknown; value?: unknown } | null;

const messageAnswer = (text: string): InvokeAnswer => ({
  status: 200,
  body: { composeExtension: { type: 'message', text } },
});

const matches = (text: string, words: string[]) => words.every((word) => text.toLowerCase().includes(word));

type Search = (who: Who, words: string[]) => Promise<SearchResult[]>;

async function searchQuestions(who: Who): Promise<SearchResult[]> {
  const [mode, questions] = await Promise.all([consentFor(who.accountId, 'teams'), listQuestions(who.accountId, who)]);
  return questions.map((question) => questionResult(question, mode));
}

/** The search behind a command of the manifest: an agent's own, or of questions. */
function findSearch(commandId: unknown): Search | null {
  const agent = agentForSearch(commandId);
  const find = agent
    ? async ({ accountId }: Who) =>
        (await agent.search?.(accountId, await consentFor(accountId, 'teams')))?.map(foundResult) ?? []
    : commandId === 'searchQuestions'
      ? searchQuestions
      : null;
  return (
    find &&
    (async (who, words) =>
      // Matches only the text that is shown: a hit must not reveal text that the consent mode withholds.
      (await find(who)).filter(({ title, text }) => matches(`${title} ${text}`, words)).slice(0, MAX_RESULTS))
  );
}

/** A search in the message box of any chat. */
export async function onSearch(source: Source): Promise<InvokeAnswer> {
  const { commandId, parameters } = (source.activity.value ?? {}) as Query;
  const search = findSearch(commandId);
  if (!search) return { status: 400 };
  try {
    const who = await requireSender(source);
    const given = (Array.isArray(parameters) ? parameters : []) as Parameter[];
    const query = given.find((it) => it?.name === 'query')?.value;
    const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/).filter(Boolean) : [];
    const results = await search(who, words);
    if (results.length === 0) return messageAnswer('Nothing found.');
    return {
      status: 200,
      body: {
        composeExtension: {
          type: 'result',
          attachmentLayout: 'list',
          attachments: results.map(({ attachment }) => attachment),
        },
      },
    };
  } catch (error) {
    return messageAnswer(describeError(error, source.activity.id));
  }
}

type Action = {
  commandId?: string;
  data?: { text?: unknown };
  messagePayload?: { body?: { content?: unknown; contentType?: string } };
};

/** The text of the chosen message, without markup. */
const contentOf = ({ messagePayload }: Action) => {
  const content = messagePayload?.body?.content;
  if (typeof content !== 'string') return '';
  return content
    .replace(/<[^<>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
};

const taskAnswer = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

/** Sends a message from any chat to the agent, who answers in the person's own chat with Arc. */
export async function onSend(source: Source): Promise<InvokeAnswer> {
  const given = (source.activity.value ?? {}) as Action;
  if (given.commandId !== 'sendToAgent') return { status: 400 };
  const { installation, activity } = source;
  const { key } = installation.row;
  try {
    await requireSender(source);
    const own = await findPersonal(key, { userId: activity.from.id });
    if (!own) return taskAnswer('Add Arc to your chats first. It answers there.');
    const typedText = typeof given.data?.text === 'string' ? given.data.text.trim() : '';
    const text = [typedText, contentOf(given)].filter(Boolean).join('\n\n');
    if (!text) return taskAnswer('There is nothing to send.');
    await storeTurn(installation, placeOfConversation(key, own.conversationId), {
      userId: activity.from.id,
      text,
      files: [],
      // Somebody else may have written the message, so it is handed over as work and never answers a question.
      manner: 'handed-over',
      eventId: `send:${activity.conversation.id}:${activity.id}`,
    });
    return taskAnswer('Sent. You’ll get the answer in your chat with Arc.');
  } catch (error) {
    return taskAnswer(describeError(error, activity.id));
  }
}
