import { AGENTS, findAgent, isWorking } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { rememberPerAccount } from '../../../models/store/remember.ts';
import { changing } from '../../../models/store/revisions.ts';
import { UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';
import { registeredAgent } from '../agents/registry.ts';
import { sharing } from '../conversations/conversations.ts';

/** The onboarded agents of an account; cached until they change. */
export const readOnboarded = rememberPerAccount(['agents'], (accountId) =>
  UserAgent.find({ accountId, status: 'onboarded' }).lean(),
);

const CALLS: readonly RegExp[] = [/(?:^|\s)@(\w+)/g, /^\s*(?:(?:hi|hello|hey) )?(\w+)\s*[,:]/gi];

/** The names that a text addresses, in lower case: `@name` anywhere, or `name,` at its start. */
const namesCalled = (text: string) =>
  new Set(CALLS.flatMap((call) => [...text.matchAll(call)].map(([, name = '']) => name.toLowerCase())));

/** The onboarded agent that a text addresses; undefined where there is none. */
function agentNamedIn(onboarded: readonly UserAgentRow[], text: string): UserAgentRow | undefined {
  const called = namesCalled(text);
  const named = AGENTS.find(({ displayName }) => called.has(displayName.toLowerCase()));
  return named && onboarded.find(({ agentId }) => agentId === named.id);
}

/** The onboarded agent that a text addresses, else the conversation's last; undefined where there is neither. */
export const agentSpokenTo = (
  onboarded: readonly UserAgentRow[],
  conversation: Pick<ConversationRow, 'userAgentId'>,
  text: string,
): UserAgentRow | undefined =>
  agentNamedIn(onboarded, text) ?? onboarded.find(({ _id }) => _id === conversation.userAgentId);

/** The default agent: the one that its card names, else the first working one of the catalogue, else the first. */
function firstOf(onboarded: readonly UserAgentRow[]): UserAgentRow | undefined {
  const order = inOrderOfCatalogue(onboarded);
  return (
    order.find(({ agentId }) => isWorking(agentId) && findAgent(agentId)?.isDefault) ??
    order.find(({ agentId }) => isWorking(agentId)) ??
    order[0]
  );
}

const inOrderOfCatalogue = (onboarded: readonly UserAgentRow[]): UserAgentRow[] =>
  AGENTS.map(({ id }) => onboarded.find(({ agentId }) => agentId === id)).filter((it) => it !== undefined);

/** The agent for messages that name nobody and ask for no specific work; null where none is onboarded. */
export async function readSpokenTo(conversation: ConversationRow): Promise<UserAgentRow | null> {
  const onboarded = await readOnboarded(conversation.accountId);
  return agentSpokenTo(onboarded, conversation, '') ?? firstOf(onboarded) ?? null;
}

/**
 * Chooses the agent for a message: the one the task was given to, else the one addressed by name, else the only one
 * whose work is asked for, else the conversation's last, else the default. The conversation stays with the agent; a
 * name sends one message to its agent and moves the conversation only where it was with nobody.
 * @throws AppError agent_not_ready where none is onboarded
 */
export async function chooseAgent(
  conversation: ConversationRow,
  text: string,
  taskFor: number | null = null,
): Promise<UserAgentRow> {
  const { accountId } = conversation;
  const onboarded = await readOnboarded(accountId);
  const asked = inOrderOfCatalogue(onboarded).filter(({ agentId }) => registeredAgent(agentId).asksFor?.(text));
  const chosen =
    onboarded.find(({ _id }) => _id === taskFor) ??
    agentNamedIn(onboarded, text) ??
    (asked.length === 1 ? asked[0] : undefined) ??
    onboarded.find(({ _id }) => _id === conversation.userAgentId) ??
    firstOf(onboarded);
  if (!chosen) throw new AppError('agent_not_ready');
  const isMentioned = taskFor === null && agentNamedIn(onboarded, text) === chosen;
  if (!isMentioned || !onboarded.some(({ _id }) => _id === conversation.userAgentId))
    await settle(conversation, chosen);
  return chosen;
}

/** Makes an agent the one that a conversation is with. */
async function settle(conversation: ConversationRow, { _id }: UserAgentRow): Promise<void> {
  if (conversation.userAgentId === _id) return;
  await Conversation.updateMany({ _id: { $in: sharing(conversation) } }, { $set: { userAgentId: _id } });
}

/** Makes an agent the one that a conversation is with. @throws AppError agent_not_ready where it is not onboarded */
export async function speakTo(conversation: ConversationRow, agentId: AgentId): Promise<void> {
  const agent = (await readOnboarded(conversation.accountId)).find((one) => one.agentId === agentId);
  if (!agent) throw new AppError('agent_not_ready');
  await changing(conversation.accountId, ['chat'], () => settle(conversation, agent));
}
