import { existsSync, writeFileSync } from 'node:fs';
import { test } from '@jest/globals';

test('fails the first time', () => {
  const mark = process.env.FAILED_ONCE ?? '';
  if (existsSync(mark)) return;
  writeFileSync(mark, '');
  throw new Error('failed the first time');
});
