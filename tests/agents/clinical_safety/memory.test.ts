import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('malformed files leave nothing behind: memory is within 50 MB of before', () => {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const told = execFileSync(process.execPath, ['--expose-gc', '.cache/server/badFilesChild.js'], {
    encoding: 'utf8',
    env: environment,
  });
  const { refused, of, before, after } = JSON.parse(told) as Record<string, number>;
  expect(refused).toBe(of);
  expect((after ?? 0) - (before ?? 0)).toBeLessThan(50);
}, 120_000);
