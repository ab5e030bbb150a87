import { AppError } from '../../../models/contracts/errors.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import { digestOf } from '../../../models/digest.ts';
import type { Agent, DroppedFile, TakenAs } from '../agents/agent.ts';
import { registeredAgents } from '../agents/registry.ts';
import { agentSpokenTo, readOnboarded } from './chooseAgent.ts';

type Drop = {
  /** Idempotency key of the drop: a repeat posts no second message. */
  key?: string;
  /** The text that came with the file. */
  text?: string;
};

/**
 * Gives a dropped file to the agent that is addressed; if it does not accept the file, to the first agent that does,
 * onboarded ones first. A file that no agent accepts goes to the addressed agent, which replies what it accepts.
 * @throws AppError invalid_file, after the conversation was told; invalid_file_type where no agent accepts files
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

/** The agents in the order in which they are offered a file: the addressed one, onboarded ones, the rest. */
async function readTakers(conversation: ConversationRow, text: string): Promise<Agent[]> {
  const onboarded = await readOnboarded(conversation.accountId);
  const spokenTo = agentSpokenTo(onboarded, conversation, text)?.agentId;
  const hired = new Set(onboarded.map(({ agentId }) => agentId));
  const rank = ({ id }: Agent) => (id === spokenTo ? 0 : hired.has(id) ? 1 : 2);
  return registeredAgents().sort((one, other) => rank(one) - rank(other));
}
