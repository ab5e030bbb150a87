import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '../../models/contracts/chat.ts';
import type { Person } from '../factories/person.ts';
import type { Server } from '../factories/server.ts';
import { startLanguageModel } from '../fakes/languageModel.ts';

let server: Server;
let person: Person & { agent: { id: number } };
let model: Awaited<ReturnType<typeof startLanguageModel>>;
let answer: (facts: string) => { status?: number; text: string };

beforeAll(async () => {
  model = await startLanguageModel((prompt) => answer((JSON.parse(prompt) as { FACTS: string }).FACTS));
  Object.assign(process.env, {
    MODEL_PROVIDER: 'openai-compatible',
    MODEL_NAME: 'small-model',
    MODEL_REGION: 'uk',
    MODEL_BASE_URL: model.url,
    OPENAI_API_KEY: model.apiKey,
  });
  const [{ startServer }, { signUpReady }] = await Promise.all([
    import('../factories/server.ts'),
    import('../factories/person.ts'),
  ]);
  server = await startServer();
  person = await signUpReady(server);
});
afterAll(async () => {
  await server.stop();
  await model.stop();
});

const QUESTION = 'What could go wrong when a dose is shown in the wrong unit?';
const ask = async () => {
  const answers = async () => {
    const { body } = await person.browser.get('/api/arc-chat/history?limit=200').expect(200);
    return (body.messages as ChatMessage[]).filter(({ messageType }) => messageType === 'assistant');
  };
  const before = (await answers()).length;
  await person.browser.post('/api/arc-chat/send').send({ message: QUESTION }).expect(200);
  const { eventually } = await import('../factories/person.ts');
  return eventually(async () => {
    const all = await answers();
    return all.length > before ? (all[0]?.message ?? null) : null;
  }, 'an answer');
};
const firstWords = (facts: string) => facts.split(/\s+/).slice(0, 4).join(' ');

describe('with a language model', () => {
  test('the answer is its wording of our facts, and its tokens are charged', async () => {
    answer = (facts) => ({ text: JSON.stringify({ text: 'Worded by the model.', quotes: [firstWords(facts)] }) });
    const used = async () => (await person.browser.get('/api/user/tokens/balance')).body.balance.tokensUsed;
    const before = await used();
    expect(await ask()).toBe('Worded by the model.');
    // The answer is sent before its run is settled.
    const { eventually } = await import('../factories/person.ts');
    await eventually(async () => (await used()) - before >= 10 + 150, 'the tokens to be charged');
    expect((await used()) - before).toBe(10 + 150);
    expect(model.asked.at(-1)?.temperature).toBe(0);
  });

  test('a wording that fails the check is dropped for the built-in answer', async () => {
    answer = () => ({ text: JSON.stringify({ text: 'It is safe.', quotes: ['made up'] }) });
    const response = await ask();
    expect(response).not.toContain('It is safe');
    expect(response.length).toBeGreaterThan(40);
  });

  test('a failing model costs nothing', async () => {
    answer = () => ({ status: 500, text: 'overloaded' });
    expect((await ask()).length).toBeGreaterThan(40);
  });
});
