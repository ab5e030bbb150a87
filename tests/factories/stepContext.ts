import { Types } from 'mongoose';
import type { Step, StepContext, StepResult } from '../../bot/engine/workflows/workflow.ts';
import { findAgent } from '../../models/contracts/catalogue.ts';
import type { AgentId } from '../../models/contracts/catalogueAgent.ts';
import { Conversation, type ConversationRow } from '../../models/conversation.ts';
import type { InterruptRow } from '../../models/interrupt.ts';
import type { RunRow } from '../../models/run.ts';
import { nextNumber } from './who.ts';

type Said = Parameters<StepContext['say']>[0];

/** The context of a workflow step; what the step says and its progress are recorded. */
export function makeStepContext(
  run: Partial<RunRow> & Pick<RunRow, 'accountId'>,
  { conversation = null, answer }: { conversation?: ConversationRow | null; answer?: Partial<InterruptRow> } = {},
) {
  const said: Said[] = [];
  const progress: string[] = [];
  const context = {
    run: {
      _id: new Types.ObjectId(),
      userAgentId: 3,
      startKey: 'turn:1',
      channel: 'arc',
      userId: 7,
      agentId: 'clinical_safety',
      conversationId: conversation?._id ?? null,
      ...run,
    },
    state: run.state ?? {},
    agent: findAgent((run.agentId ?? 'clinical_safety') as AgentId),
    conversation,
    signal: new AbortController().signal,
    say: async (saying: Said) => {
      said.push(saying);
      return null;
    },
    progress: (label: string, done: number, total: number) => void progress.push(`${label} ${done} of ${total}`),
    answer: async () => answer,
  } as unknown as StepContext<Record<string, unknown>>;
  return {
    context,
    said,
    progress,
    /** Runs a step and merges its state into the run's. */
    async runStep(step: Step | undefined): Promise<StepResult> {
      const result = (await step?.(context)) as StepResult;
      Object.assign(context.state, result.state);
      return result;
    },
  };
}

/** A stored conversation of a channel that delivers nothing. */
export async function addConversation(
  accountId: number,
  change: Partial<ConversationRow> = {},
): Promise<ConversationRow> {
  const row = { accountId, key: String(nextNumber()), address: { channel: 'api', conversation: 'c', thread: null } };
  const made = await Conversation.create({ ...row, ...change } as never);
  return (made as unknown as { toObject(): ConversationRow }).toObject();
}
