import { runInBackground } from '../../../models/background.ts';
import { AGENTS, findAgent } from '../../../models/contracts/catalogue.ts';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Conversation, type ConversationRow } from '../../../models/conversation.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { Message } from '../../../models/message.ts';
import { Run, type RunRow } from '../../../models/run.ts';
import { HIRED, UserAgent, type UserAgentRow } from '../../../models/userAgent.ts';
import { beginRun } from '../workflows/beginRun.ts';
import { executeRun } from '../workflows/executeRun.ts';
import { isNotExecuting, waitForRun } from '../workflows/waitForRun.ts';
import { registeredAgent } from './registered.ts';

type Asker = Pick<RunRow, '_id' | 'accountId' | 'agentId' | 'askedBy' | 'conversationId' | 'userId'>;

type Asking = {
  agent: CatalogueAgent;
  question: string;
  /** Idempotency key: the same again after a crash gets the run that was started before. */
  key: string;
  signal: AbortSignal;
};

/** What came of asking another agent. */
type AskedWork = {
  /** What the agent said in the chat, or the sentence that says why there is nothing. */
  text: string;
  /** False where the agent was not asked, failed or was cancelled. */
  isOk: boolean;
  /** Credits that the agent's run was charged so far. */
  charged: number;
  /** Whether the agent's own messages are in the chat. */
  hasSpoken: boolean;
};

const titleOf = ({ displayName, role }: CatalogueAgent) => `${displayName}, ${role}`;

/**
 * Has another agent of the account work on a question, in the same conversation and for the same person, and waits for
 * it. The agent's run is its own: with its rights, its tools and its charge. It is started once per key.
 * @throws AppError as starting that work by a message does
 */
export async function askAgent(asker: Asker, asking: Asking): Promise<AskedWork> {
  const conversation = asker.conversationId ? await Conversation.findById(asker.conversationId).lean() : null;
  if (!conversation) return refused(`${titleOf(asking.agent)} can only be asked in a chat.`);
  const startKey = `asked:${asking.key}`;
  const standing = await Run.findOne({ accountId: asker.accountId, startKey }).lean();
  const started = standing ?? (await start(asker, asking, conversation, startKey));
  if (typeof started === 'string') return refused(started);
  const { signal, agent } = asking;
  const ended = await waitForRun(started._id, LIMITS.asking.seconds * 1000, isNotExecuting, signal);
  signal.throwIfAborted();
  return describe(agent, ended ?? started);
}

const refused = (text: string): AskedWork => ({ text, isOk: false, charged: 0, hasSpoken: false });

/** @returns the run; the sentence to say where the agent can't be asked */
async function start(
  asker: Asker,
  { agent, question }: Asking,
  conversation: ConversationRow,
  startKey: string,
): Promise<RunRow | string> {
  const { accountId, userId } = asker;
  const agents = [...(asker.askedBy?.agents ?? []), asker.agentId];
  const userAgent = await UserAgent.findOne({ accountId, agentId: agent.id, ...HIRED }).lean();
  const refusal = refusalOf(agent, agents, userAgent);
  if (refusal !== null || !userAgent) return refusal ?? '';
  const heard = { text: question, conversation, userAgent, messageId: startKey };
  const route = await registeredAgent(agent.id).route(heard);
  const { run, created } = await beginRun(
    { ...route, userAgent, agent, conversation, userId, startKey, askedBy: { runId: String(asker._id), agents } },
    // Never withdraws a question that waits: only a person's own words do.
    async () => 'schedule',
  );
  if (created) runInBackground('run', executeRun(run, conversation));
  return run;
}

/** Why an agent can't be asked, and what to do; null where it can. */
function refusalOf(agent: CatalogueAgent, agents: readonly string[], hired: UserAgentRow | null): string | null {
  const { displayName: name } = agent;
  if (agents.includes(agent.id)) {
    const isOwn = agents.at(-1) === agent.id;
    return isOwn
      ? 'An agent does not ask itself.'
      : `${name} was not asked: ${name} is in this chain of questions already. Ask ${name} yourself with @${name}.`;
  }
  if (agents.length > LIMITS.asking.depth)
    return `${name} was not asked: agents ask each other at most ${LIMITS.asking.depth} deep. Ask ${name} yourself with @${name}.`;
  if (agent.status !== 'working') return `${titleOf(agent)}, is in preparation, so nobody in Arc can do this work yet.`;
  if (!hired) return `Your company has not hired ${titleOf(agent)}. Hire ${name} under Team, then ask again.`;
  return hired.status === 'onboarded'
    ? null
    : `${titleOf(agent)}, is hired but not set up yet. Finish the set-up under Team, then ask again.`;
}

/** What an agent's run has said so far, as text. */
async function readSaid({ _id, accountId, conversationId }: RunRow): Promise<string> {
  const said = await Message.find(
    { accountId, conversationId, key: { $gte: `run:${_id}:`, $lt: `run:${_id};` } },
    { text: 1 },
  )
    .sort({ _id: 1 })
    .lean();
  return said.map(({ text }) => text).join('\n\n');
}

async function describe({ displayName }: CatalogueAgent, run: RunRow): Promise<AskedWork> {
  const said = await readSaid(run);
  const of = { charged: run.spent, hasSpoken: said !== '' };
  if (run.status === 'ready')
    return { ...of, isOk: false, text: `${displayName} is still working. The answer will be in this chat.` };
  if (run.status !== 'waiting') return { ...of, isOk: run.status === 'completed', text: said };
  const asked = await Interrupt.findOne({ accountId: run.accountId, _id: run.state.interruptId }).lean();
  const waits = `${displayName} needs an answer first: “${asked?.prompt ?? ''}” It waits in this chat and in the inbox, and ${displayName} carries on once it is answered.`;
  return { ...of, isOk: true, text: [said, waits].filter(Boolean).join('\n\n') };
}

/** The agent with this persona's name. @throws AppError not_found where there is none */
export function agentCalled(name: string): CatalogueAgent {
  const agent = AGENTS.find(({ displayName }) => displayName === name);
  if (!agent) throw new AppError('not_found');
  return agent;
}

/** Who asks whom, and the first line of what is asked. */
export const describeAsking = (askerId: string, agent: CatalogueAgent, question: string): string =>
  `${nameOf(askerId)} asks ${agent.displayName}: ${question.split('\n', 1)[0]?.slice(0, MAX_SHOWN)}`;

const nameOf = (agentId: string) => findAgent(agentId)?.displayName ?? agentId;
/** Characters of a question that are shown while it is worked on. */
const MAX_SHOWN = 120;
