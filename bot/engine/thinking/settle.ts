import { LIMITS } from '../../../models/contracts/limits.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { StepContext, StepResult } from '../workflows/workflow.ts';
import { checkAnswer } from './checkAnswer.ts';
import { EARLY_TEXTS } from './limits.ts';
import { lastText, type Result, resultsOf, type Thinking } from './transcript.ts';

const MAX_SOURCES = 5;

/** The sources of the results that an answer cites, one line each: "[2] V-12, sheet Valves, row 7". */
function sourcesOf(text: string, results: readonly Result[]): string[] {
  const cited = new Set(
    [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, numbers = '']) => numbers.split(',').map(Number)),
  );
  return results.flatMap(({ sources }, at) => {
    if (!cited.has(at + 1) || sources.length === 0) return [];
    const shown = sources.slice(0, MAX_SOURCES).map(({ label, url }) => (url ? `${label} (${url})` : label));
    const more = sources.length - shown.length;
    return [`[${at + 1}] ${shown.join('; ')}${more > 0 ? ` and ${more} more` : ''}`];
  });
}

type Settled = { text: string; isModel: boolean };

/**
 * The answer of a run that has thought. Sentences that do not pass the check go; then, and wherever the model found
 * nothing or did not finish, the deterministic answer stands.
 */
function settleAnswer(state: Thinking): Settled {
  const { early, grounded, isAnswer, question, written } = state;
  const results = resultsOf(state);
  const builtIn = (note?: string): Settled => ({
    text: note ? `${grounded}\n\n${note}` : grounded,
    isModel: false,
  });
  if (early) return builtIn(EARLY_TEXTS[early]);
  if (results.length === 0) return builtIn();
  const { text, faults } = checkAnswer(lastText(state), { question, results }, written);
  if (text === '') return builtIn();
  const sources = sourcesOf(text, results);
  const left = faults.length === 1 ? 'one sentence that I' : `${faults.length} sentences that I`;
  const parts = [
    text,
    ...(sources.length > 0 ? [`Sources:\n${sources.join('\n')}`] : []),
    ...(faults.length > 0 ? [`I left out ${left} could not find in what I read.`] : []),
    ...(faults.length > 0 && isAnswer ? [`The built-in engine answers: ${grounded}`] : []),
  ];
  return { text: parts.join('\n\n'), isModel: true };
}

/** Sends the answer and ends the run. */
export async function settle(
  context: StepContext<Thinking>,
  derive: (text: string) => MessageRow['derived'],
): Promise<StepResult<Thinking>> {
  const { state } = context;
  const { text, isModel } = settleAnswer(state);
  await context.say({ key: 'answer', kind: 'text', text, derived: state.fromLog ? derive(text) : null });
  return {
    done: { output: text },
    state: { answer: text, model: isModel ? (state.model ?? false) : false },
    cost: LIMITS.credits.step,
  };
}
