import { type Environment, env } from '../../../models/env.ts';

/** The configured language model, whichever the provider. */
export type Model = {
  name: string;
  /**
   * Completes a prompt with temperature 0; the text is expected to be JSON. `tokens` counts input and output.
   * @throws where the provider does not answer
   */
  complete(request: {
    system: string;
    prompt: string;
    signal?: AbortSignal;
  }): Promise<{ text: string; tokens: number }>;
};

type Provider = Environment['MODEL_PROVIDER'];

/** Creates each provider's model; its package is loaded on first use. */
const PROVIDERS: Record<Exclude<Provider, ''>, (from: Environment) => Promise<unknown>> = {
  async openai(from) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({
      apiKey: from.OPENAI_API_KEY,
      ...(from.MODEL_BASE_URL ? { baseURL: from.MODEL_BASE_URL } : {}),
    })(from.MODEL_NAME);
  },
  async azure(from) {
    const { createAzure } = await import('@ai-sdk/azure');
    const at = from.MODEL_BASE_URL ? { baseURL: from.MODEL_BASE_URL } : { resourceName: from.AZURE_OPENAI_RESOURCE };
    return createAzure({ apiKey: from.AZURE_OPENAI_API_KEY, ...at })(from.AZURE_OPENAI_DEPLOYMENT);
  },
  async anthropic(from) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({
      apiKey: from.ANTHROPIC_API_KEY,
      ...(from.MODEL_BASE_URL ? { baseURL: from.MODEL_BASE_URL } : {}),
    })(from.MODEL_NAME);
  },
  async 'openai-compatible'(from) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'self-hosted',
      baseURL: from.MODEL_BASE_URL,
      // Self-hosted servers may have no key; an empty one is not sent.
      apiKey: from.OPENAI_API_KEY,
    })(from.MODEL_NAME);
  },
};

/** The configured model; null means the built-in engine only. `models/env.ts` checks at start which may be used. */
export function configuredModel(from = env): Model | null {
  const provider = from.MODEL_PROVIDER;
  if (provider === '') return null;
  const name = `${provider}:${from.MODEL_NAME || from.AZURE_OPENAI_DEPLOYMENT}`;
  return {
    name,
    async complete({ system, prompt, signal }) {
      const { generateText } = await import('ai');
      const model = await PROVIDERS[provider](from);
      const { text, usage } = await generateText({
        model: model as Parameters<typeof generateText>[0]['model'],
        system,
        prompt,
        temperature: 0,
        maxRetries: 1,
        ...(signal ? { abortSignal: signal } : {}),
      });
      return { text, tokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) };
    },
  };
}
