/**
 * Domains of public model services, subdomains included: their location can't be verified, so `MODEL_REGION=uk` is
 * refused.
 */
const PUBLIC_MODEL_HOSTS = [
  'openai.com',
  'anthropic.com',
  'generativelanguage.googleapis.com',
  'openrouter.ai',
  'mistral.ai',
  'groq.com',
  'together.xyz',
  'together.ai',
  'deepseek.com',
  'perplexity.ai',
  'x.ai',
  'cohere.ai',
  'cohere.com',
  'fireworks.ai',
  'huggingface.co',
  'hf.space',
  'api.nvidia.com',
  'aliyuncs.com',
  'moonshot.ai',
  'moonshot.cn',
  'bigmodel.cn',
  'cerebras.ai',
  'sambanova.ai',
  'deepinfra.com',
  'replicate.com',
  'github.ai',
  'inference.ai.azure.com',
  'ollama.com',
] as const;

/** The public service of a URL; null where it may be the company's own server. */
export function publicModelHost(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const host = new URL(address).hostname.replace(/\.$/, '');
  return PUBLIC_MODEL_HOSTS.find((it) => host === it || host.endsWith(`.${it}`)) ?? null;
}
