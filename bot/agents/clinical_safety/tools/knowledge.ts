import { z } from 'zod';
import { defineTool } from '../../../engine/thinking/tool.ts';
import { answerByPatterns } from '../answers/answer.ts';

/** Finds kinds of hazard in the built-in knowledge base. */
export const findKinds = defineTool({
  name: 'find_kinds_of_hazard',
  description:
    'Finds the kinds of hazard in the built-in knowledge base that are closest to some words, e.g. “allergies not shown”. They are general kinds, not rows of the company’s log.',
  input: z.object({ words: z.string().min(2).max(200) }),
  label: 'Looking for kinds of hazard',
  effect: 'reads',
  async run({ words }) {
    const { kind, text } = answerByPatterns(null, `What kinds of hazard are there with ${words}?`);
    return kind === 'knowledge' ? { text } : { text: 'No kind of hazard is close to these words.', isOk: false };
  },
});

/** Says what a standard or the risk matrix asks. */
export const explainStandard = defineTool({
  name: 'explain_standard',
  description:
    'Says what DCB0129, DCB0160 or the NHS risk matrix asks, and what this assistant does and never does about it. Takes a short question.',
  input: z.object({ question: z.string().min(2).max(200) }),
  label: 'Reading the standard',
  effect: 'reads',
  async run({ question }) {
    const { kind, text } = answerByPatterns(null, question);
    return kind === 'standard' ? { text } : { text: 'I have no text of a standard on that.', isOk: false };
  },
});
