import { z } from 'zod';
import { defineWorkflow } from '../workflows/workflow.ts';

const replyState = z.object({
  text: z.string(),
  /** Whether the text names content of the company's documents, which not every platform may get. */
  hasContent: z.boolean().default(false),
});

/** Defines the workflow of an agent that only says something: what it does, or what it has made. It costs nothing. */
export const defineReply = (name: string) =>
  defineWorkflow({
    name,
    state: replyState,
    title: null,
    first: 'reply',
    reserve: 0,
    steps: {
      reply: {
        label: 'Answer',
        async run({ say, state }) {
          const short = 'The list is in Arc.';
          const derived = state.hasContent ? { redacted: short, reference: short } : null;
          await say({ key: 'answer', kind: 'text', text: state.text, derived });
          return { done: { output: state.text }, cost: 0 };
        },
      },
    },
  });
