import { env } from '../../../models/env.ts';

/** A language model behind whichever provider is configured; null means the built-in engine alone. */
export type Model = {
  name: string;
  /** Answers with text that should be JSON. Temperature 0. @throws where the provider does not answer */
  complete(request: {
    system: string;
    prompt: string;
    signal?: AbortSignal;
  }): Promise<{ text: string; tokens: number }>;
};

type Provider = (typeof env)['MODEL_PROVIDER'];

/** How each provider makes its model; loaded when first used. */
const PROVIDERS: Record<Exclude<Provider, ''>, () => Promise<unknown>> = {
  async openai() {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey: env.OPENAI_API_KEY, ...(env.MODEL_BASE_URL ? { baseURL: env.MODEL_BASE_URL } : {}) })(
      env.MODEL_NAME,
    );
  },
  async azure() {
    const { createAzure } = await import('@ai-sdk/azure');
    const at = env.MODEL_BASE_URL ? { baseURL: env.MODEL_BASE_URL } : { resourceName: env.AZURE_OPENAI_RESOURCE };
    return createAzure({ apiKey: env.AZURE_OPENAI_API_KEY, ...at })(env.AZURE_OPENAI_DEPLOYMENT);
  },
  async anthropic() {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({
      apiKey: env.ANTHROPIC_API_KEY,
      ...(env.MODEL_BASE_URL ? { baseURL: env.MODEL_BASE_URL } : {}),
    })(env.MODEL_NAME);
  },
  async 'openai-compatible'() {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'self-hosted',
      baseURL: env.MODEL_BASE_URL,
      ...(env.OPENAI_API_KEY ? { apiKey: env.OPENAI_API_KEY } : {}),
    })(env.MODEL_NAME);
  },
};

/** The configured model, or null. Which one may be used where is checked with the environment at start. */
export function configuredModel(): Model | null {
  const provider = env.MODEL_PROVIDER;
  if (provider === '') return null;
  const name = `${provider}:${env.MODEL_NAME || env.AZURE_OPENAI_DEPLOYMENT}`;
  return {
    name,
    async complete({ system, prompt, signal }) {
      const { generateText } = await import('ai');
      const model = await PROVIDERS[provider]();
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
