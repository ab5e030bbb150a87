import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '../../../models/logger.ts';
import { traced } from '../../../models/tracing.ts';
import type { Model, ModelReply } from '../llm/model.ts';

type Request = Omit<Parameters<Model['stream']>[0], 'onText'> & {
  signal: AbortSignal;
  /** Called for each attempt. @returns what gets each piece of its text */
  begin?(): (piece: string) => void;
};

/** Longest wait that a provider may ask for before the one retry. */
const MAX_WAIT_MS = 5000;
const RETRY_MS = 500;

/** What a provider's refusal carries; read by its shape, because loading the library's class takes memory at the start. */
type Refusal = { statusCode?: number; responseHeaders?: Record<string, string> };
const refusalOf = (error: unknown): Refusal => (typeof error === 'object' && error !== null ? error : {}) as Refusal;

/** Statuses after which the same request is refused again. */
const FINAL = new Set([400, 401, 403, 404, 422]);

/** How long to wait before the retry, in milliseconds; null where the provider asks for longer than we wait. */
function waitOf(error: unknown): number | null {
  const { responseHeaders: headers = {} } = refusalOf(error);
  const asked = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1000);
  if (!Number.isFinite(asked) || asked <= 0) return RETRY_MS;
  return asked <= MAX_WAIT_MS ? asked : null;
}

/**
 * Asks the models for the next answer: each once, and once more where that may help, in their order.
 * @returns the answer and the model that gave it; null where none answers
 * @throws only where the signal is aborted
 */
export async function askModels(
  models: readonly Model[],
  { begin, ...request }: Request,
): Promise<{ reply: ModelReply; model: string } | null> {
  for (const model of models) {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      request.signal.throwIfAborted();
      try {
        const asked = { 'gen_ai.request.model': model.name, 'arc.attempt': attempt };
        const reply = await traced('model call', asked, async (span) => {
          const given = await model.stream({ ...request, ...(begin ? { onText: begin() } : {}) });
          span.setAttribute('arc.tokens', given.tokens);
          return given;
        });
        return { reply, model: model.name };
      } catch (error) {
        request.signal.throwIfAborted();
        logger.warn({ err: error, model: model.name, attempt }, 'the model did not answer');
        const isFinal = FINAL.has(refusalOf(error).statusCode ?? 0);
        const pause = isFinal || attempt === 2 ? null : waitOf(error);
        if (pause === null) break;
        await wait(pause, undefined, { signal: request.signal });
      }
    }
  }
  return null;
}
