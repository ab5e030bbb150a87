import { LIMITS } from '../../../models/contracts/limits.ts';
import type { MessageRow } from '../../../models/message.ts';
import { UserAgent } from '../../../models/userAgent.ts';
import { configuredModels, type Model } from '../llm/model.ts';
import { defineWorkflow, type StepContext, type Workflow } from '../workflows/workflow.ts';
import { readServerTools } from './serverTools.ts';
import { settle } from './settle.ts';
import { readSharedTools } from './sharedTools.ts';
import { THINKING, think } from './think.ts';
import { allowanceOf, type Tool } from './tool.ts';
import { type Thinking, type ThinkingStart, thinkingState } from './transcript.ts';
import { applyAnswer, useTools } from './use.ts';

type Declared = {
  /** Name of the workflow. */
  name: string;
  /** The agent's tool switch that gates it. */
  switch?: string;
  tools: readonly Tool[];
  /** What of an answer may be sent where documents' content may not. */
  derive(text: string): MessageRow['derived'];
  /** The models to ask, in order; those that are configured where absent. */
  models?(): readonly Model[];
};

/** Whether an owner lets an agent use a tool in this account without asking. */
const allowedBy = (context: StepContext<Thinking>) => async (tool: Tool) =>
  (await UserAgent.exists({
    accountId: context.run.accountId,
    _id: context.run.userAgentId,
    allowedTools: allowanceOf(tool),
  })) !== null;

/**
 * A workflow that answers a question by thinking: model calls and tools in turn, each saved before the next, until the
 * model answers or a limit is reached. Tools that write ask a person first. Started with the question and the
 * deterministic answer.
 */
export function defineThinking({
  name,
  switch: gate,
  tools,
  derive,
  models = configuredModels,
}: Declared): Workflow<ThinkingStart> {
  // Read for each step: a tool that was switched off in the meantime is not used.
  const toolsFor = async ({ run }: StepContext<Thinking>) => [
    ...tools,
    ...readSharedTools(),
    ...(await readServerTools(run.accountId, run.userAgentId)),
  ];
  return defineWorkflow<Thinking, ThinkingStart>({
    name,
    state: thinkingState,
    title: null,
    showsProgress: true,
    first: 'think',
    reserve: LIMITS.credits.step,
    hasChanged: (state) => thinkingState.safeParse(state).data?.written ?? false,
    ...(gate ? { tool: gate } : {}),
    steps: {
      think: {
        label: THINKING,
        run: async (context) =>
          think(context, { models: models(), tools: await toolsFor(context), agent: context.agent }),
      },
      use: {
        label: 'Looking things up',
        run: async (context) => useTools(context, await toolsFor(context), allowedBy(context)),
      },
      apply: {
        label: 'Doing what was approved',
        run: async (context) => applyAnswer(context, await toolsFor(context)),
      },
      settle: { label: 'Answering', run: (context) => settle(context, derive) },
    },
  });
}
