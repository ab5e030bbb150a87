import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { EnvironmentError, parseEnvironment, unusedVariables, variables } from '../../models/env.ts';

const example = () =>
  Object.fromEntries(
    readFileSync('.env.example', 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name, value.join('=').replace(/^"|"$/g, '')];
      }),
  );

describe('the environment', () => {
  test('has every variable in .env.example, and no other', () => {
    expect(Object.keys(example()).sort()).toEqual(Object.keys(variables.shape).sort());
  });

  test('starts with .env.example unchanged, with the defaults of an empty environment', () => {
    expect(parseEnvironment(example())).toEqual(parseEnvironment({}));
  });

  test('reports variables that are set but unused', () => {
    expect(unusedVariables({ REDIS_URL: 'redis://cache' })).toEqual([
      'REDIS_URL is not used: processes that share one MongoDB exchange changes through it. Remove the variable.',
    ]);
    expect(unusedVariables(example())).toEqual([]);
  });

  test('reports every error at once', () => {
    expect(() => parseEnvironment({ PORT: 'soon', ROLE: 'boss', MONGODB_URI: 'http://db' })).toThrow(
      /PORT.*[\s\S]*ROLE.*|ROLE.*[\s\S]*PORT/,
    );
    try {
      parseEnvironment({ MONGODB_URI: 'mongodb://db/arc' });
    } catch (error) {
      expect(error).toBeInstanceOf(EnvironmentError);
      expect((error as Error).message).toContain('SESSION_SECRET: required with MONGODB_URI');
      expect((error as Error).message).toContain('ENCRYPTION_KEY: required with MONGODB_URI');
    }
    expect.assertions(4);
  });

  test('accepts cheap password hashing only in tests and development', () => {
    const cheap = { PASSWORD_MEMORY_KIB: '19455' };
    for (const production of [cheap, { ...cheap, NODE_ENV: 'production' }]) {
      expect(() => parseEnvironment(production)).toThrow(/PASSWORD_MEMORY_KIB: at least 19456/);
    }
    for (const NODE_ENV of ['test', 'development']) {
      expect(parseEnvironment({ ...cheap, NODE_ENV }).PASSWORD_MEMORY_KIB).toBe(19_455);
    }
  });

  test.each([
    ['Slack', ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_SIGNING_SECRET']],
    ['Microsoft Teams', ['MICROSOFT_APP_ID', 'MICROSOFT_APP_PASSWORD', 'MICROSOFT_APP_TENANT_ID']],
  ])('needs all variables of %s, or none', (name, needed) => {
    const all = Object.fromEntries(needed.map((variable) => [variable, 'given']));
    expect(() => parseEnvironment(all)).not.toThrow();
    for (const missing of needed)
      expect(() => parseEnvironment({ ...all, [missing]: '' })).toThrow(
        `${needed.join(', ')}: all or none; without them ${name} is off`,
      );
  });

  test('accepts several retired keys, separated by commas', () => {
    const [one, other] = ['a1'.repeat(32), 'B2'.repeat(32)];
    const { ENCRYPTION_KEYS_RETIRED } = parseEnvironment({ ENCRYPTION_KEYS_RETIRED: `${one}, ${other}` });
    expect(ENCRYPTION_KEYS_RETIRED).toEqual([one, other.toLowerCase()]);
    for (const wrong of [one.slice(1), `${one}0`, `${one};${other}`])
      expect(() => parseEnvironment({ ENCRYPTION_KEYS_RETIRED: wrong })).toThrow(/ENCRYPTION_KEYS_RETIRED: keys of 64/);
  });

  test('needs a declared region for a model, and only some providers can be declared as in the UK', () => {
    const openai = { MODEL_PROVIDER: 'openai', MODEL_NAME: 'm', OPENAI_API_KEY: 'k' };
    expect(() => parseEnvironment(openai)).toThrow(/MODEL_REGION/);
    expect(() => parseEnvironment({ ...openai, MODEL_REGION: 'uk' })).toThrow(/MODEL_REGION/);
    expect(parseEnvironment({ ...openai, MODEL_REGION: 'outside-uk-accepted' }).MODEL_NAME).toBe('m');
  });

  test.each([
    'https://api.openai.com/v1',
    'https://API.OpenAI.com./v1',
    'https://api.anthropic.com',
    'https://openrouter.ai/api/v1',
  ])('refuses %s as being in the UK', (MODEL_BASE_URL) => {
    const hosted = { MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'm', MODEL_BASE_URL };
    expect(() => parseEnvironment({ ...hosted, MODEL_REGION: 'uk' })).toThrow(/MODEL_REGION: uk is not believed for/);
    expect(parseEnvironment({ ...hosted, MODEL_REGION: 'outside-uk-accepted' }).MODEL_NAME).toBe('m');
    const own = { ...hosted, MODEL_REGION: 'uk', MODEL_BASE_URL: 'https://notopenai.com.example.org/v1' };
    expect(parseEnvironment(own).MODEL_REGION).toBe('uk');
  });

  test('accepts plain http to a provider only for loopback addresses', () => {
    const hosted = { MODEL_PROVIDER: 'openai-compatible', MODEL_NAME: 'm', MODEL_REGION: 'uk' };
    expect(() => parseEnvironment({ ...hosted, MODEL_BASE_URL: 'http://models.example.org' })).toThrow(
      /MODEL_BASE_URL/,
    );
    expect(parseEnvironment({ ...hosted, MODEL_BASE_URL: 'http://127.0.0.1:1/v1' }).MODEL_PROVIDER).toBe(
      'openai-compatible',
    );
  });
});
