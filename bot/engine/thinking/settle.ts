import type { Source } from '../../../models/contracts/chat.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { StepContext, StepResult } from '../workflows/workflow.ts';
import { checkAnswer } from './checkAnswer.ts';
import { citationsOf } from './citations.ts';
import { EARLY_TEXTS } from './limits.ts';
import { helpersOf, isChargedElsewhere, lastText, mayHoldOwnWords, resultsOf, type Thinking } from './transcript.ts';

/** An answer; `generated` where a model wrote it. */
type Settled = { text: string; generated: NonNullable<MessageRow['generated']> | null; sources: Source[] };

/**
 * The answer of a run that has thought. Sentences that do not pass the check go; then, and where the model found
 * nothing or did not finish, the deterministic answer is sent.
 */
function settleAnswer(state: Thinking): Settled {
  const { early, grounded, isAnswer, question, written } = state;
  const results = resultsOf(state);
  const builtIn = (note?: string): Settled => ({
    text: note ? `${grounded}\n\n${note}` : grounded,
    generated: null,
    sources: [],
  });
  if (early) return builtIn(EARLY_TEXTS[early]);
  if (results.length === 0) return builtIn();
  const { text, faults } = checkAnswer(lastText(state), { question, results }, written);
  if (text === '') return builtIn();
  const { lines, cited, links } = citationsOf(text, results);
  const left = faults.length === 1 ? 'one sentence that I' : `${faults.length} sentences that I`;
  const parts = [
    text,
    ...(lines.length > 0 ? [`Sources:\n${lines.join('\n')}`] : []),
    ...(faults.length > 0 ? [`I left out ${left} could not find in what I read.`] : []),
    ...(faults.length > 0 && isAnswer ? [`The built-in engine answers: ${grounded}`] : []),
  ];
  return { text: parts.join('\n\n'), generated: { sources: cited }, sources: links };
}

/** Says who else worked on an answer. */
const nameHelpers = (helpers: readonly string[]): string =>
  `I asked ${helpers.join('; ')}. That work is in the messages above.`;

/** Sends the answer and ends the run. */
export async function settle(
  context: StepContext<Thinking>,
  derive: (text: string) => MessageRow['derived'],
): Promise<StepResult<Thinking>> {
  const { state } = context;
  const { text: answered, generated, sources } = settleAnswer(state);
  const helpers = helpersOf(state);
  const text = helpers.length > 0 ? `${answered}\n\n${nameHelpers(helpers)}` : answered;
  await context.say({
    ...{ key: 'answer', kind: 'text', text, derived: mayHoldOwnWords(state) ? derive(text) : null },
    ...(sources.length > 0 ? { card: { sources } } : {}),
    generated,
  });
  return {
    done: { output: text },
    state: { answer: text, model: generated ? (state.model ?? false) : false },
    // Work is charged once: where another agent's run was charged for it, this answer adds its model calls alone.
    cost: isChargedElsewhere(state) ? 0 : LIMITS.credits.step,
  };
}
