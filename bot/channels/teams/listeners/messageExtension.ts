import type { Who } from '../../../../models/policies/who.ts';
import { agentForSearch } from '../../../engine/agents/registry.ts';
import { consentFor } from '../../../engine/delivery/consent.ts';
import { listQuestions } from '../../../engine/interrupts/listQuestions.ts';
import { foundResult, questionResult, type SearchResult } from '../cards/resultCards.ts';
import { findPersonal } from '../install/references.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { placeOfConversation } from '../platform/address.ts';
import { hear } from '../talk/inbound.ts';
import { wordsFor } from './cardActions.ts';
import { memberBehind, type Source } from './source.ts';

const MOST_RESULTS = 20;

type Query = { commandId?: string; parameters?: unknown };
type Parameter = { name?: unknown; value?: unknown } | null;

const said = (text: string): InvokeAnswer => ({ status: 200, body: { composeExtension: { type: 'message', text } } });

const matches = (text: string, words: string[]) => words.every((word) => text.toLowerCase().includes(word));

type Search = (who: Who, words: string[]) => Promise<SearchResult[]>;

async function searchQuestions(who: Who): Promise<SearchResult[]> {
  const [mode, questions] = await Promise.all([consentFor(who.accountId, 'teams'), listQuestions(who.accountId, who)]);
  return questions.map((question) => questionResult(question, mode));
}

/** What can be searched from any chat, by the command of the manifest: the agents' own, and questions. */
function searchNamed(commandId: unknown): Search | null {
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
      // Searched is what is shown: under a lesser mode a hit must not tell what its words are.
      (await find(who)).filter(({ title, text }) => matches(`${title} ${text}`, words)).slice(0, MOST_RESULTS))
  );
}

/** A search in the message box of any chat. */
export async function onSearch(source: Source): Promise<InvokeAnswer> {
  const { commandId, parameters } = (source.activity.value ?? {}) as Query;
  const search = searchNamed(commandId);
  if (!search) return { status: 400 };
  try {
    const who = await memberBehind(source);
    const given = (Array.isArray(parameters) ? parameters : []) as Parameter[];
    const query = given.find((it) => it?.name === 'query')?.value;
    const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/).filter(Boolean) : [];
    const results = await search(who, words);
    if (results.length === 0) return said('Nothing was found.');
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
    return said(wordsFor(error, source.activity.id));
  }
}

type Action = {
  commandId?: string;
  data?: { text?: unknown };
  messagePayload?: { body?: { content?: unknown; contentType?: string } };
};

/** Words of a message that was chosen, without its markup. */
const contentOf = ({ messagePayload }: Action) => {
  const content = messagePayload?.body?.content;
  if (typeof content !== 'string') return '';
  return content
    .replace(/<[^<>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
};

const task = (value: string): InvokeAnswer => ({ status: 200, body: { task: { type: 'message', value } } });

/** Something is sent to an agent from any chat; it is answered in the person's own chat with Arc. */
export async function onSend(source: Source): Promise<InvokeAnswer> {
  const given = (source.activity.value ?? {}) as Action;
  if (given.commandId !== 'sendToAgent') return { status: 400 };
  const { installation, activity } = source;
  const { key } = installation.row;
  try {
    await memberBehind(source);
    const own = await findPersonal(key, { userId: activity.from.id });
    if (!own) return task('Add Arc to your own chats first: it answers there.');
    const typed = typeof given.data?.text === 'string' ? given.data.text.trim() : '';
    const text = [typed, contentOf(given)].filter(Boolean).join('\n\n');
    if (!text) return task('There is nothing to send.');
    await hear(installation, placeOfConversation(key, own.conversationId), {
      userId: activity.from.id,
      text,
      files: [],
      // The chosen message may be another person's: it is work to do, and never the answer to a question.
      manner: 'handed-over',
      eventId: `send:${activity.conversation.id}:${activity.id}`,
    });
    return task('Sent. The answer comes in your chat with Arc.');
  } catch (error) {
    return task(wordsFor(error, activity.id));
  }
}
