import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configuredModel } from '../../../bot/engine/llm/model.ts';
import { parseEnvironment } from '../../../models/env.ts';

type Asked = { url: string; key: string | null; body: Record<string, unknown> };
type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

let asked: Asked[] = [];
/** What each provider's service answers, call by call; the last answer repeats. */
let replies: Reply[] = [];

// The services are external, so the tests look at what is sent to them.
beforeEach(() => {
  asked = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    init?.signal?.throwIfAborted();
    const headers = new Headers(init?.headers);
    const key = headers.get('authorization') ?? headers.get('api-key') ?? headers.get('x-api-key');
    asked.push({ url: String(url), key, body: JSON.parse(String(init?.body)) });
    const { status = 200, headers: given = {}, body } = replies[Math.min(asked.length, replies.length) - 1] as Reply;
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...given } });
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const COMPLETION = {
  id: '1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
};
const RESPONSE = {
  id: '1',
  object: 'response',
  created_at: 1,
  model: 'm',
  output: [
    {
      id: 'a',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
    },
  ],
  usage: { input_tokens: 120, output_tokens: 30 },
};
const MESSAGE = {
  id: '1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 120, output_tokens: 30 },
};

const OWN = 'https://models.example.org/v1';
const OPENAI = { MODEL_PROVIDER: 'openai', MODEL_NAME: 'm', OPENAI_API_KEY: 'key-o' };
const AZURE = {
  MODEL_PROVIDER: 'azure',
  AZURE_OPENAI_API_KEY: 'key-z',
  AZURE_OPENAI_RESOURCE: 'trust',
  AZURE_OPENAI_DEPLOYMENT: 'm',
};
const ANTHROPIC = { MODEL_PROVIDER: 'anthropic', MODEL_NAME: 'm', ANTHROPIC_API_KEY: 'key-a' };
const COMPATIBLE = { MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'm', MODEL_BASE_URL: OWN };

const modelOf = (variables: Record<string, string>) =>
  configuredModel(parseEnvironment({ MODEL_REGION: 'outside-uk-accepted', ...variables }));
const complete = (variables: Record<string, string>, signal?: AbortSignal) =>
  modelOf(variables)?.complete({ system: 'Be brief.', prompt: 'Greet.', ...(signal ? { signal } : {}) });

test('without a provider there is no model', () => {
  expect(configuredModel(parseEnvironment({ MODEL_NAME: 'm' }))).toBeNull();
  expect(configuredModel()).toBeNull();
});

test.each([
  [OPENAI, 'openai:m'],
  [AZURE, 'azure:m'],
  [ANTHROPIC, 'anthropic:m'],
  [COMPATIBLE, 'openai-compatible:m'],
  [{ ...AZURE, MODEL_NAME: 'small' }, 'azure:small'],
])('a model is named by its provider and its own name: %j', (variables, name) => {
  expect(modelOf(variables)?.name).toBe(name);
});

describe('each provider is called at its address, with its key, for the named model', () => {
  test.each([
    [OPENAI, 'https://api.openai.com/v1/responses', 'Bearer key-o', RESPONSE],
    [{ ...OPENAI, MODEL_BASE_URL: OWN }, `${OWN}/responses`, 'Bearer key-o', RESPONSE],
    [AZURE, 'https://trust.openai.azure.com/openai/v1/responses?api-version=v1', 'key-z', RESPONSE],
    [{ ...AZURE, MODEL_BASE_URL: OWN }, `${OWN}/responses`, 'key-z', RESPONSE],
    [ANTHROPIC, 'https://api.anthropic.com/v1/messages', 'key-a', MESSAGE],
    [{ ...ANTHROPIC, MODEL_BASE_URL: OWN }, `${OWN}/messages`, 'key-a', MESSAGE],
    [COMPATIBLE, `${OWN}/chat/completions`, null, COMPLETION],
    [{ ...COMPATIBLE, OPENAI_API_KEY: 'key-s' }, `${OWN}/chat/completions`, 'Bearer key-s', COMPLETION],
  ])('%j: %s', async (variables, url, key, body) => {
    replies = [{ body }];
    expect(await complete(variables)).toEqual({ text: 'Hello.', tokens: 150 });
    expect(asked).toEqual([{ url, key, body: expect.objectContaining({ model: 'm', temperature: 0 }) }]);
    expect(JSON.stringify(asked[0]?.body)).toMatch(/Be brief\..*Greet\.|Greet\..*Be brief\./);
  });
});

describe('a service', () => {
  const busy = { status: 503, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'busy' } } };

  test('that is busy is called once more', async () => {
    replies = [busy, { body: COMPLETION }];
    expect(await complete(COMPATIBLE)).toEqual({ text: 'Hello.', tokens: 150 });
    expect(asked).toHaveLength(2);
  });

  test('that stays busy counts as not answering', async () => {
    replies = [busy];
    await expect(complete(COMPATIBLE)).rejects.toThrow('busy');
    expect(asked).toHaveLength(2);
  });

  test.each([
    [{ prompt_tokens: 120 }, 120],
    [{ completion_tokens: 30 }, 30],
    [undefined, 0],
  ])('with token counts %j has used %d', async (usage, tokens) => {
    replies = [{ body: { ...COMPLETION, usage } }];
    expect((await complete(COMPATIBLE))?.tokens).toBe(tokens);
  });

  test('is not called if nobody waits for the answer any more', async () => {
    replies = [{ body: COMPLETION }];
    await expect(complete(COMPATIBLE, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(asked).toEqual([]);
    expect(await complete(COMPATIBLE, new AbortController().signal)).toMatchObject({ text: 'Hello.' });
  });
});
