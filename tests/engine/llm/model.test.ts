import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configuredModel, configuredModels } from '../../../bot/engine/llm/model.ts';
import { parseEnvironment } from '../../../models/env.ts';
import type { Behaviour } from '../../fakes/model/behaviour.ts';
import type { DialectName } from '../../fakes/model/dialects.ts';
import { startModelServer } from '../../fakes/model/server.ts';

const OWN = 'https://models.example.org/v1';
const OPENAI = { MODEL_PROVIDER: 'openai', MODEL_NAME: 'm', OPENAI_API_KEY: 'model-key' };
const AZURE = {
  MODEL_PROVIDER: 'azure',
  AZURE_OPENAI_API_KEY: 'model-key',
  AZURE_OPENAI_RESOURCE: 'trust',
  AZURE_OPENAI_DEPLOYMENT: 'm',
};
const ANTHROPIC = { MODEL_PROVIDER: 'anthropic', MODEL_NAME: 'm', ANTHROPIC_API_KEY: 'model-key' };
const COMPATIBLE = {
  MODEL_PROVIDER: 'openai-compatible',
  MODEL_NAME: 'm',
  MODEL_BASE_URL: OWN,
  OPENAI_API_KEY: 'model-key',
};

const environmentOf = (variables: Record<string, string>) =>
  parseEnvironment({ MODEL_REGION: 'outside-uk-accepted', ...variables });
const modelOf = (variables: Record<string, string>) => {
  const model = configuredModel(environmentOf(variables));
  if (!model) throw new Error('no model');
  return model;
};
const LOOK = {
  name: 'look',
  description: 'Looks.',
  input: { type: 'object' as const, properties: { at: { type: 'string' as const } }, required: ['at'] },
};
const REQUEST = {
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Greet.' }],
  tools: [LOOK],
};

test('without a provider there is no model', () => {
  expect(configuredModel(parseEnvironment({ MODEL_NAME: 'm' }))).toBeNull();
  expect(configuredModels(parseEnvironment({}))).toEqual([]);
});

test.each([
  [OPENAI, ['openai:m']],
  [AZURE, ['azure:m']],
  [ANTHROPIC, ['anthropic:m']],
  [COMPATIBLE, ['openai-compatible:m']],
  [{ ...AZURE, MODEL_NAME: 'small' }, ['azure:small']],
  [{ ...OPENAI, MODEL_FALLBACK_NAME: 'n' }, ['openai:m', 'openai:n']],
  [{ ...OPENAI, MODEL_FALLBACK_NAME: 'm' }, ['openai:m']],
])('models are named by their provider and their own name: %j', (variables, names) => {
  expect(configuredModels(environmentOf(variables)).map(({ name }) => name)).toEqual(names);
});

test('a second model without a first one is a fault of the environment', () => {
  expect(() => parseEnvironment({ MODEL_FALLBACK_NAME: 'n' })).toThrow(/MODEL_FALLBACK_NAME/);
});

describe('each provider is called at its address, with its key', () => {
  const asked: { url: string; key: string | null }[] = [];
  beforeEach(() => {
    asked.length = 0;
    // Nobody may call a real provider, so only the address is looked at.
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const headers = new Headers(init?.headers);
      const key = headers.get('authorization') ?? headers.get('api-key') ?? headers.get('x-api-key');
      asked.push({ url: String(url), key });
      return new Response('{"error":{"message":"refused"}}', { status: 401 });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  test.each([
    [OPENAI, 'https://api.openai.com/v1/responses', 'Bearer model-key'],
    [{ ...OPENAI, MODEL_BASE_URL: OWN }, `${OWN}/responses`, 'Bearer model-key'],
    [AZURE, 'https://trust.openai.azure.com/openai/v1/responses?api-version=v1', 'model-key'],
    [{ ...AZURE, MODEL_BASE_URL: OWN }, `${OWN}/responses`, 'model-key'],
    [ANTHROPIC, 'https://api.anthropic.com/v1/messages', 'model-key'],
    [{ ...ANTHROPIC, MODEL_BASE_URL: OWN }, `${OWN}/messages`, 'model-key'],
    [COMPATIBLE, `${OWN}/chat/completions`, 'Bearer model-key'],
    [{ ...COMPATIBLE, OPENAI_API_KEY: '' }, `${OWN}/chat/completions`, null],
  ])('%j: %s', async (variables, url, key) => {
    await expect(modelOf(variables).stream(REQUEST)).rejects.toThrow();
    // Called once: the loop retries, not the library.
    expect(asked).toEqual([{ url, key }]);
  });
});

const SPOKEN: [DialectName, Record<string, string>][] = [
  ['chat', COMPATIBLE],
  ['responses', OPENAI],
  ['anthropic', ANTHROPIC],
  ['azure', AZURE],
];
describe.each(SPOKEN)('in the protocol %s', (dialect, variables) => {
  let server: Awaited<ReturnType<typeof startModelServer>>;
  let behaviour: Behaviour = {};
  const model = () => modelOf({ ...variables, MODEL_BASE_URL: server.url });
  beforeEach(async () => {
    server = await startModelServer(() => behaviour, { dialect });
  });
  afterEach(() => server.stop());

  test('a text comes in pieces, with its tokens', async () => {
    behaviour = { text: 'Two hazards are open, and one of them has no owner.' };
    const pieces: string[] = [];
    const reply = await model().stream({ ...REQUEST, onText: (piece) => void pieces.push(piece) });
    expect(reply).toEqual({ text: behaviour.text, calls: [], tokens: 150 });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(behaviour.text);
    expect(server.asked).toMatchObject([{ model: 'm', temperature: 0, tools: ['look'] }]);
    expect(server.asked[0]?.system).toContain('Be brief.');
    expect(JSON.stringify(server.asked[0]?.messages)).toContain('Greet.');
  });

  test('tools come with their arguments, and their results go back under the same id', async () => {
    behaviour = {
      text: 'I look.',
      calls: [
        { id: 'c1', name: 'look', input: { at: 'H1' } },
        { id: 'c2', name: 'look', input: { at: 'H2' } },
      ],
    };
    const reply = await model().stream(REQUEST);
    expect(reply).toMatchObject({ text: 'I look.', tokens: 150 });
    expect(reply.calls).toEqual([
      { id: 'c1', name: 'look', input: { at: 'H1' } },
      { id: 'c2', name: 'look', input: { at: 'H2' } },
    ]);
    behaviour = { text: 'Done.' };
    await model().stream({
      ...REQUEST,
      messages: [
        ...REQUEST.messages,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'H1' } }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: 'It is open.' } },
          ],
        },
      ],
    });
    expect(JSON.stringify(server.asked[1]?.messages)).toContain('It is open.');
  });

  test.each<[string, Behaviour]>([
    ['a stream that is cut', { text: 'Two hazards are open, and one of them has no owner.', cutAfter: 2 }],
    ['an answer that reached its longest', { text: 'Two hazards are', isTooLong: true }],
    ['a stream of junk', { junk: '<html>gateway</html>' }],
    ['a refusal', { status: 500, text: 'overloaded' }],
    ['too many requests', { status: 429, text: 'slow down', headers: { 'retry-after': '1' } }],
  ])('%s is no answer', async (_what, it) => {
    behaviour = it;
    await expect(model().stream(REQUEST)).rejects.toThrow();
    expect(server.asked).toHaveLength(1);
  });

  test('a tool whose arguments are no JSON is asked for with none', async () => {
    behaviour = { calls: [{ id: 'c1', name: 'look', input: {} }], rawArguments: '{"at": "H' };
    const asked = await model()
      .stream(REQUEST)
      .then(({ calls }) => calls)
      .catch(() => 'no answer');
    expect([[{ id: 'c1', name: 'look', input: null }], 'no answer']).toContainEqual(asked);
  });

  test('it ends as soon as nobody waits any more', async () => {
    behaviour = { text: 'Two hazards are open, and one of them has no owner.', pause: 50 };
    const controller = new AbortController();
    const begun = model().stream({ ...REQUEST, signal: controller.signal, onText: () => controller.abort() });
    await expect(begun).rejects.toThrow(/abort/i);
  });
});
