import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const directory = mkdtempSync(join(tmpdir(), 'arc-keys-'));
process.env.DATA_DIR = join(directory, 'data');
const { keepKeys, loadSecrets } = await import('../../models/secrets.ts');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('keys are created once, readable only by their owner, and never overwritten', () => {
  const made = loadSecrets();
  expect(made).toEqual({
    sessionSecret: expect.stringMatching(/^[\w-]{64}$/),
    encryptionKey: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const file = join(directory, 'data', 'keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(keepKeys({ sessionSecret: 's'.repeat(40), encryptionKey: '0'.repeat(64) })).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(loadSecrets()).toEqual(made);
  expect(readdirSync(join(directory, 'data'))).toEqual(['keys.json']);
});

test.each(['{"a', '', '{}', '{"sessionSecret":"short","encryptionKey":"00"}'])(
  'a key file that reads “%s” is reported as damaged, and left unchanged',
  (text) => {
    const file = join(directory, 'data', 'keys.json');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, text);
    expect(() => loadSecrets()).toThrow(/keys\.json is damaged\. Nothing was changed\. Put it back from a copy/);
    expect(readFileSync(file, 'utf8')).toBe(text);
    writeFileSync(file, before);
  },
);
