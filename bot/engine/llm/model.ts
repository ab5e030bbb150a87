import type { JSONSchema7, ModelMessage } from 'ai';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { type Environment, env } from '../../../models/env.ts';
import { countEvent } from '../../../models/metrics.ts';

/** A tool as a model is told of it; `input` is a JSON schema of an object. */
export type OfferedTool = { name: string; description: string; input: JSONSchema7 };

/** A tool that a model asks to use. `input` is null where its arguments were no JSON. */
type ToolCall = { id: string; name: string; input: unknown };

/** One answer of a model: a text, tools to use, or both. `tokens` counts input and output. */
export type ModelReply = { text: string; calls: ToolCall[]; tokens: number };

/** The configured language model, whichever the provider. */
export type Model = {
  name: string;
  /**
   * Streams the next answer of a conversation, with temperature 0. Tools are never run here.
   * @param onText gets each piece of text as it arrives
   * @throws where the provider refuses, ends the stream early, or cuts the answer for its length
   */
  stream(request: {
    system: string;
    messages: ModelMessage[];
    tools: readonly OfferedTool[];
    signal?: AbortSignal;
    onText?(piece: string): void;
  }): Promise<ModelReply>;
};

type Provider = Environment['MODEL_PROVIDER'];

/** Creates each provider's model; its package is loaded on first use. */
const PROVIDERS: Record<Exclude<Provider, ''>, (from: Environment, name: string) => Promise<unknown>> = {
  async openai(from, name) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({
      apiKey: from.OPENAI_API_KEY,
      ...(from.MODEL_BASE_URL ? { baseURL: from.MODEL_BASE_URL } : {}),
    })(name);
  },
  async azure(from, name) {
    const { createAzure } = await import('@ai-sdk/azure');
    const at = from.MODEL_BASE_URL ? { baseURL: from.MODEL_BASE_URL } : { resourceName: from.AZURE_OPENAI_RESOURCE };
    return createAzure({ apiKey: from.AZURE_OPENAI_API_KEY, ...at })(name);
  },
  async anthropic(from, name) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({
      apiKey: from.ANTHROPIC_API_KEY,
      ...(from.MODEL_BASE_URL ? { baseURL: from.MODEL_BASE_URL } : {}),
    })(name);
  },
  async 'openai-compatible'(from, name) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'self-hosted',
      baseURL: from.MODEL_BASE_URL,
      // Self-hosted servers may have no key; an empty one is not sent.
      apiKey: from.OPENAI_API_KEY,
      includeUsage: true,
    })(name);
  },
};

/** Reasons with which a provider ends a complete answer. */
const COMPLETE = new Set(['stop', 'tool-calls']);

/** The input of a tool as JSON; some errors of the library leave it as text. */
function jsonOf(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? null;
  try {
    return JSON.parse(input);
  } catch {
    return null;
  }
}

function makeModel(from: Environment, provider: Exclude<Provider, ''>, named: string, shown = named): Model {
  const open = async () =>
    (await PROVIDERS[provider](from, named)) as Parameters<typeof import('ai').streamText>[0]['model'];
  return {
    name: `${provider}:${shown}`,
    async stream({ system, messages, tools, signal, onText }) {
      const { streamText, jsonSchema, tool } = await import('ai');
      // Its warnings go to the console, past our log.
      (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
      const reply: ModelReply = { text: '', calls: [], tokens: 0 };
      let ended: string | null = null;
      const { fullStream } = streamText({
        model: await open(),
        system,
        messages,
        tools: Object.fromEntries(
          tools.map(({ name, description, input }) => [name, tool({ description, inputSchema: jsonSchema(input) })]),
        ),
        temperature: 0,
        maxOutputTokens: LIMITS.thinking.answerTokens,
        // The loop retries: it counts what each attempt costs.
        maxRetries: 0,
        ...(signal ? { abortSignal: signal } : {}),
        onError: () => undefined,
      });
      for await (const part of fullStream) {
        if (part.type === 'text-delta') {
          reply.text += part.text;
          onText?.(part.text);
        } else if (part.type === 'tool-call')
          reply.calls.push({ id: part.toolCallId, name: part.toolName, input: jsonOf(part.input) });
        else if (part.type === 'error') throw part.error;
        else if (part.type === 'abort') throw signal?.reason ?? new Error('The stream was aborted.');
        else if (part.type === 'finish') {
          ended = part.finishReason;
          reply.tokens = (part.totalUsage.inputTokens ?? 0) + (part.totalUsage.outputTokens ?? 0);
        }
      }
      if (ended === null || !COMPLETE.has(ended))
        throw new Error(`The model's answer is not whole: ${ended ?? 'cut off'}.`);
      countEvent('model_tokens', [`${provider}:${shown}`], reply.tokens);
      return reply;
    },
  };
}

/** The models to think with, in the order in which they are tried; none means the built-in engine only. */
export function configuredModels(from = env): Model[] {
  const provider = from.MODEL_PROVIDER;
  if (provider === '') return [];
  const first = provider === 'azure' ? from.AZURE_OPENAI_DEPLOYMENT : from.MODEL_NAME;
  const fallback = from.MODEL_FALLBACK_NAME;
  return [
    makeModel(from, provider, first, from.MODEL_NAME || first),
    ...(fallback && fallback !== first ? [makeModel(from, provider, fallback)] : []),
  ];
}

/** The model that is tried first. `models/env.ts` checks at start which may be used. */
export const configuredModel = (from = env): Model | null => configuredModels(from)[0] ?? null;
