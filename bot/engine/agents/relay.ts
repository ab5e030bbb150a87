import { z } from 'zod';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { AGENT_IDS } from '../../../models/contracts/catalogueAgent.ts';
import { AppError } from '../../../models/contracts/errors.ts';
import { consentFor } from '../delivery/consent.ts';
import type { Asking } from '../intents/readAsking.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../workflows/workflow.ts';
import type { Route } from './agent.ts';
import { askAgent, describeAsking } from './askAgent.ts';

const relayState = z.object({ agentId: z.enum(AGENT_IDS), question: z.string() });

/**
 * Passes a request on to the agent that a message names, on the built-in engine. It costs nothing: the run of the agent
 * that is asked is charged.
 */
export const relayWorkflow = defineWorkflow({
  name: 'ask-agent',
  state: relayState,
  title: null,
  showsProgress: true,
  first: 'ask',
  reserve: 0,
  steps: { ask: { label: 'Asking another agent', run: ask } },
});

/** The work for a message that asks for another agent. */
export const routeAsking = ({ agent, question }: Asking): Route =>
  beginWith(relayWorkflow, question, { agentId: agent.id, question });

async function ask({
  run,
  conversation,
  state,
  say,
  progress,
  signal,
}: StepContext<z.output<typeof relayState>>): Promise<StepResult> {
  const agent = findAgent(state.agentId);
  if (!agent) throw new AppError('not_found');
  // Channels show labels whatever the company allows there, so the question is only in those that may have it.
  const label =
    conversation && (await consentFor(run.accountId, conversation.address.channel)) === 'full'
      ? describeAsking(run.agentId, agent, state.question)
      : relayWorkflow.steps.ask?.label;
  progress(label ?? '', 0, 0);
  const work = await askAgent(run, { agent, question: state.question, key: `run:${run._id}:relay`, signal });
  const text = work.hasSpoken
    ? `I asked ${agent.displayName}, ${agent.role}. The work above is by ${agent.displayName}; I added nothing and it was charged once.`
    : work.text;
  await say({ key: 'relayed', kind: work.isOk || work.hasSpoken ? 'text' : 'refused', text });
  return { done: { output: text }, cost: 0 };
}
