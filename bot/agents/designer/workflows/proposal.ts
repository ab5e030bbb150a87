import { z } from 'zod';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { describeScreen, proposeComponents, proposeLayout } from '../screen/propose.ts';
import { readObjective } from '../screen/readObjective.ts';

const proposalState = z.object({ objective: z.string(), part: z.enum(['layout', 'components']) });

/** Makes a proposal for a call, without a question and without drawing. */
export const proposalWorkflow = defineWorkflow({
  name: 'design-proposal',
  state: proposalState,
  title: 'Propose a screen',
  first: 'propose',
  reserve: LIMITS.credits.step,
  steps: { propose: { label: 'Propose layout and components', run: propose } },
});

async function propose({
  state: { objective, part },
  say,
}: StepContext<z.output<typeof proposalState>>): Promise<StepResult> {
  const screen = readObjective(objective);
  const { layout, sections } = proposeLayout(screen);
  const components = proposeComponents(screen);
  const lines =
    part === 'layout'
      ? sections.map(({ name, purpose }) => `• **${name}**: ${purpose}`)
      : components.map(({ name, type }) => `• **${name}**: ${type}`);
  const text = [
    `${describeScreen(screen)} ${part === 'layout' ? `Layout: ${layout}.` : `${components.length} components.`}`,
    ...lines,
  ].join('\n');
  await say({ key: 'proposal', kind: 'text', text });
  return { done: { output: text }, cost: LIMITS.credits.step };
}

const replyState = z.object({
  /** What every agent answers to such a message; absent where the reply says what the designer does. */
  general: z.string().optional(),
});

/** Sends a free reply that says what the designer does, or what every agent answers. */
export const replyWorkflow = defineWorkflow({
  name: 'designer-reply',
  state: replyState,
  title: null,
  first: 'reply',
  reserve: 0,
  steps: { reply: { label: 'Answer', run: reply } },
});

/** The reply to a message that does not ask for a screen. */
export const HELP = [
  'I design screens. Say for example “Design a screen for nurses to record blood pressure, pulse and temperature”.',
  'I propose a layout, components and styles, and you decide on each. Then you get a clickable prototype and a picture of every state, light and dark, at 360 px and on a desktop.',
  'I work by rules on your words, without a language model, and I make no claim that a design is safe or compliant.',
  'With Figma connected I read its frames (“What is in our Figma file?”), and “Export to Figma” leaves a comment and a link to the prototype there, once you approve the words. Figma lets no other program draw frames.',
].join('\n');

async function reply({ say, state }: StepContext<z.output<typeof replyState>>): Promise<StepResult> {
  const text = state.general ?? HELP;
  await say({ key: 'answer', kind: 'text', text });
  return { done: { output: text }, cost: 0 };
}
