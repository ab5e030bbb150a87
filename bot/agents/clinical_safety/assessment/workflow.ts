import { z } from 'zod';
import { assessment } from '../../../../models/contracts/clinical_safety/assessment.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { UserAgentRow } from '../../../../models/userAgent.ts';
import type { Route } from '../../../engine/agents/agent.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { requireTool } from '../../../engine/workflows/requireTool.ts';
import { beginWith, defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { onlyReference } from '../workflows/derived.ts';
import { assess, describeAssessment } from './assess.ts';

/** The state of an assessment: the text, and what was found in it. */
export const assessmentState = z.object({ text: z.string(), found: assessment.optional() });

type State = z.output<typeof assessmentState>;

/** A preliminary list of hazards to consider, for a product or a concern in words. */
export const assessmentWorkflow = defineWorkflow({
  name: 'safety-assessment',
  state: assessmentState,
  tool: 'clinicalsafety',
  title: 'Hazards to consider',
  first: 'read',
  reserve: LIMITS.credits.step,
  steps: {
    read: { label: 'Go through the steps with what-if questions', run: read },
    tell: { label: 'Write the list', run: tell },
  },
});

/** The request before what is to be assessed: "Assess this product: …". */
const REQUEST = /^[^:\n]{0,80}:\s*/;
const MIN_AFTER_REQUEST = 15;

/** Routes to the assessment of a text. @throws AppError tool_off */
export function routeAssessment(userAgent: Pick<UserAgentRow, 'agentId' | 'tools'>, text: string): Route {
  requireTool(userAgent, assessmentWorkflow.tool ?? null);
  const described = text.replace(REQUEST, '');
  return beginWith(assessmentWorkflow, text, {
    text: described.trim().length >= MIN_AFTER_REQUEST ? described : text,
  });
}

async function read({ state, progress }: StepContext<State>): Promise<StepResult<State>> {
  progress('Going through the steps', 0, 2);
  return { next: 'tell', state: { found: assess(state.text) }, cost: LIMITS.credits.step };
}

async function tell({ state, say }: StepContext<State>): Promise<StepResult<State>> {
  if (!state.found) throw new Error('The text was not read.');
  const text = describeAssessment(state.found);
  await say({
    key: 'assessment',
    kind: 'text',
    text,
    derived: onlyReference(`The list of hazards to consider is in Arc: ${linkToChat()}`),
  });
  return { done: { output: text } };
}
