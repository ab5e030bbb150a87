import type { Model, ModelReply, OfferedTool } from '../llm/model.ts';
import { askModels } from './askModel.ts';
import { fence } from './messages.ts';

type Question = {
  system: string;
  /** Outside text: sent as JSON, fenced as data. */
  data: unknown;
  /** The one tool that takes the answer. */
  tool: OfferedTool;
  /** The longest that the answer may take. */
  seconds: number;
  signal: AbortSignal;
};

/**
 * Asks the models once, with one tool for the answer.
 * @returns the calls of the tool, the model and its tokens; null where no model answers in time
 * @throws only where the signal is aborted
 */
export async function askInTime(
  models: readonly Model[],
  { system, data, tool, seconds, signal }: Question,
): Promise<{ calls: ModelReply['calls']; model: string; tokens: number } | null> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  try {
    const answered = await askModels(models, {
      system,
      messages: [{ role: 'user', content: fence(JSON.stringify(data)) }],
      tools: [tool],
      signal: inTime,
    });
    return answered && { calls: answered.reply.calls, model: answered.model, tokens: answered.reply.tokens };
  } catch (error) {
    signal.throwIfAborted();
    if (!inTime.aborted) throw error;
    return null;
  }
}
