import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { Model } from '../llm/model.ts';
import type { StepContext, StepResult } from '../workflows/workflow.ts';
import { askModels } from './askModel.ts';
import { checkAnswer } from './checkAnswer.ts';
import { cutContext } from './cutContext.ts';
import { reachedLimit, timeLeft } from './limits.ts';
import { messagesOf, systemFor } from './messages.ts';
import { sentencesOf } from './sentences.ts';
import { offered, type Tool } from './tool.ts';
import { lastText, mayHoldOwnWords, openUses, resultsOf, type Thinking } from './transcript.ts';

export const THINKING = 'Thinking';

/**
 * Shows the sentences of a growing text that are finished and may stand. They stop at the first that may not: whoever
 * reads along never sees something that is taken back. Nothing is shown before a tool has found something, because such
 * an answer is not sent.
 * @returns begins a text; a second model, or a second attempt, writes another one
 */
function showFinished(context: StepContext<Thinking>, onShown: (text: string) => void) {
  let shown = '';
  const evidence = { question: context.state.question, results: resultsOf(context.state) };
  return () => {
    let text = '';
    return (piece: string) => {
      if (evidence.results.length === 0) return;
      text += piece;
      const finished = sentencesOf(text).slice(0, -1).join('');
      if (finished.length <= shown.length || !finished.startsWith(shown)) return;
      const { faults } = checkAnswer(finished, evidence, context.state.written);
      if (faults.length > 0) return;
      shown = finished;
      onShown(shown.trim());
    };
  };
}

/**
 * One model call. Its answer is saved before anything follows from it, so that a crash pays for no answer twice. Ends
 * the thinking where a limit is reached or no model answers.
 */
export async function think(
  context: StepContext<Thinking>,
  { models, tools, agent }: { models: readonly Model[]; tools: readonly Tool[]; agent: CatalogueAgent },
): Promise<StepResult<Thinking>> {
  const { state, run } = context;
  const began = state.began ?? Date.now();
  const early = await reachedLimit(run, { ...state, began }, Math.max(0, run.spent - run.reserved));
  if (early) return { state: { early, began }, next: 'settle' };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeLeft({ began }))]);
  const showWritten = (label: string, text: string) =>
    context.progress(label, state.modelCalls, LIMITS.thinking.modelCalls, { text, isDerived: mayHoldOwnWords(state) });
  showWritten(THINKING, '');
  const begin = showFinished(context, (text) => showWritten('Writing', text));
  try {
    const answered = await askModels(models, {
      system: systemFor(agent.displayName, agent.role),
      messages: messagesOf(state.question, cutContext(state.entries, LIMITS.thinking.contextCharacters)),
      tools: offered(tools),
      signal,
      begin,
    });
    if (!answered) return { state: { early: 'unavailable', began }, next: 'settle' };
    const { reply, model } = answered;
    const entries = [...state.entries, { kind: 'reply' as const, text: reply.text, calls: reply.calls }];
    const next = { ...state, entries };
    return {
      state: { entries, began, model, modelCalls: state.modelCalls + 1, tokens: state.tokens + reply.tokens },
      cost: reply.tokens,
      next: openUses(next).length > 0 ? 'use' : lastText(next) ? 'settle' : 'think',
    };
  } catch (error) {
    // A stop ends the run; only the time limit ends the thinking.
    context.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    return { state: { early: 'time', began }, next: 'settle' };
  }
}
