import type { Source } from '../../../models/contracts/chat.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { MessageRow } from '../../../models/message.ts';
import type { StepContext, StepResult } from '../workflows/workflow.ts';
import { checkAnswer } from './checkAnswer.ts';
import { EARLY_TEXTS } from './limits.ts';
import { lastText, mayHoldOwnWords, type Result, resultsOf, type Thinking } from './transcript.ts';

const MAX_SOURCES = 5;

/** The sources of the results that an answer cites, by the number of the result. */
function sourcesOf(text: string, results: readonly Result[]) {
  const cited = new Set(
    [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap(([, numbers = '']) => numbers.split(',').map(Number)),
  );
  return results.flatMap(({ sources }, at) =>
    cited.has(at + 1) && sources.length > 0 ? [{ number: at + 1, sources }] : [],
  );
}

/** The sources of one result as a line: "[2] V-12, sheet Valves, row 7". */
function lineOf({ number, sources }: ReturnType<typeof sourcesOf>[number]): string {
  const more = sources.length - MAX_SOURCES;
  const shown = sources.slice(0, MAX_SOURCES).map(({ label }) => label);
  return `[${number}] ${shown.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

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
  const sources = sourcesOf(text, results);
  const left = faults.length === 1 ? 'one sentence that I' : `${faults.length} sentences that I`;
  const parts = [
    text,
    ...(sources.length > 0 ? [`Sources:\n${sources.map(lineOf).join('\n')}`] : []),
    ...(faults.length > 0 ? [`I left out ${left} could not find in what I read.`] : []),
    ...(faults.length > 0 && isAnswer ? [`The built-in engine answers: ${grounded}`] : []),
  ];
  const links = sources.flatMap(({ number, sources: all }) =>
    all.slice(0, MAX_SOURCES).flatMap(({ label, url }) => (url ? [{ number, label, path: url }] : [])),
  );
  const cited = sources.map(({ number, sources: all }) => ({
    number,
    labels: all.slice(0, MAX_SOURCES).map(({ label }) => label),
    path: links.find((link) => link.number === number)?.path ?? null,
  }));
  return { text: parts.join('\n\n'), generated: { sources: cited }, sources: links };
}

/** Sends the answer and ends the run. */
export async function settle(
  context: StepContext<Thinking>,
  derive: (text: string) => MessageRow['derived'],
): Promise<StepResult<Thinking>> {
  const { state } = context;
  const { text, generated, sources } = settleAnswer(state);
  await context.say({
    ...{ key: 'answer', kind: 'text', text, derived: mayHoldOwnWords(state) ? derive(text) : null },
    ...(sources.length > 0 ? { card: { sources } } : {}),
    generated,
  });
  return {
    done: { output: text },
    state: { answer: text, model: generated ? (state.model ?? false) : false },
    cost: LIMITS.credits.step,
  };
}
