import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { digestOf } from '../../../models/digest.ts';
import type { Agent, DroppedFile, TakenAs } from '../agents/agent.ts';
import { registeredAgents } from '../agents/registry.ts';
import { agentSpokenTo, readOnboarded } from './chooseAgent.ts';

type Drop = {
  /** Names this drop: the same again says nothing twice. */
  key?: string;
  /** The words that came with the file. */
  text?: string;
};

/**
 * Gives a file that was dropped into a conversation to the agent that is spoken to; where it takes no such file, to the
 * first that knows its kind, one that is onboarded before one that is not. What no agent knows goes to the one that
 * would have been asked, which says in the conversation what it takes instead.
 * @throws AppError invalid_file, once it has been said in the conversation; invalid_file_type where no agent takes files
 */
export async function acceptFile(
  conversation: ConversationRow,
  dropped: DroppedFile,
  { key, text = '' }: Drop = {},
): Promise<TakenAs> {
  const file = { ...dropped, digest: await digestOf(dropped.bytes) };
  const takers = (await readTakers(conversation, text)).flatMap(({ files }) => files ?? []);
  const taker = takers.find((files) => files.knows(dropped)) ?? takers[0];
  if (!taker) throw new AppError('invalid_file_type');
  return taker.accept(conversation, file, key);
}

/** The agents that may be given a file, the one that is spoken to first, then those that are onboarded. */
async function readTakers(conversation: ConversationRow, text: string): Promise<Agent[]> {
  const onboarded = await readOnboarded(conversation.accountId);
  const spokenTo = agentSpokenTo(onboarded, conversation, text)?.agentId;
  const hired = new Set(onboarded.map(({ agentId }) => agentId));
  const rank = ({ id }: Agent) => (id === spokenTo ? 0 : hired.has(id) ? 1 : 2);
  return registeredAgents().sort((one, other) => rank(one) - rank(other));
}
